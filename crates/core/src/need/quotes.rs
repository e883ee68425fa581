//! Computes a rolling hash over consecutive words.

use crate::text::hash::fnv1a;

/// Two texts that share this many consecutive words are not independent.
const WORDS: usize = 8;
/// This many of the words have more than two letters: `a, b, c, d` is not a quote.
const MIN_LONG: usize = 5;
const SHORT_BYTES: usize = 2;
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy, Default)]
struct Word {
    hash: u64,
    start: usize,
    is_long: bool,
}

#[derive(Default)]
pub(super) struct QuoteWindow {
    words: [Word; WORDS],
    seen: usize,
    rolling: u64,
    long: usize,
}

impl QuoteWindow {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// `start`: offset of the word. Returns the hash and start of the run of words that it completes.
    #[allow(clippy::cast_possible_truncation)] // eight words
    pub fn push(&mut self, word: &[u8], start: usize) -> Option<(u64, usize)> {
        if word.is_empty() {
            return None;
        }
        let new = Word { hash: fnv1a(word.iter().copied()), start, is_long: word.len() > SHORT_BYTES };
        let old = std::mem::replace(self.words.get_mut(self.seen % WORDS)?, new);
        self.seen += 1;
        self.long = self.long + usize::from(new.is_long) - usize::from(old.is_long);
        let missing = old.hash.wrapping_mul(BASE.wrapping_pow(WORDS as u32));
        self.rolling = self.rolling.wrapping_mul(BASE).wrapping_add(new.hash).wrapping_sub(missing);
        let first = self.words.get(self.seen % WORDS)?.start;
        (self.seen >= WORDS && self.long >= MIN_LONG).then_some((self.rolling, first))
    }
}
