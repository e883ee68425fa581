//! Finds quotes: hashes each run of eight consecutive words, with a rolling hash.

use crate::text::hash::fnv1a;

/// Two texts that share this many consecutive words are not independent.
const WORDS: usize = 8;
/// At least this many of the words are long: `a, b, c, d` is not a quote.
const MIN_LONG: usize = 5;
const MAX_BYTES_OF_SHORT: usize = 2;
/// Base of the rolling hash: any large odd number.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy, Default)]
struct Word {
    hash: u64,
    start: usize,
    is_long: bool,
}

/// The last eight words.
#[derive(Default)]
pub(super) struct QuoteWindow {
    /// A ring: the word with index `n` in the text is at `n % WORDS`.
    words: [Word; WORDS],
    seen_count: usize,
    rolling_hash: u64,
    long_count: usize,
}

impl QuoteWindow {
    /// Forgets all words: a quote does not cross this point.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds the word at offset `start`. Returns the hash and the start offset of the quote that it completes.
    #[allow(clippy::cast_possible_truncation)] // eight words
    pub fn push(&mut self, word: &[u8], start: usize) -> Option<(u64, usize)> {
        if word.is_empty() {
            return None;
        }
        let is_long = word.len() > MAX_BYTES_OF_SHORT;
        let new = Word { hash: fnv1a(word.iter().copied()), start, is_long };
        let old = std::mem::replace(self.words.get_mut(self.seen_count % WORDS)?, new);
        self.seen_count += 1;
        self.long_count = self.long_count + usize::from(new.is_long) - usize::from(old.is_long);
        let old_share = old.hash.wrapping_mul(BASE.wrapping_pow(WORDS as u32));
        self.rolling_hash =
            self.rolling_hash.wrapping_mul(BASE).wrapping_add(new.hash).wrapping_sub(old_share);
        let quote_start = self.words.get(self.seen_count % WORDS)?.start;
        let is_quote = self.seen_count >= WORDS && self.long_count >= MIN_LONG;
        is_quote.then_some((self.rolling_hash, quote_start))
    }
}
