//! Extracts a text's grams, line by line: the pieces of content whose repetition is evidence that an assistant message copied them. A
//! *chunk* is a run of letters, digits and the characters that join them into names and paths.

use super::names::{NameKind, is_path, names_of, path_end};
use super::{edited_lines, names};
use crate::text::hash::{fnv1a, spread};

/// Words in a quote: two texts that share this many consecutive words are not independent.
const QUOTE_WORDS: usize = 8;
/// At least this many words of a quote are long: `a, b, c, d` is not a quote.
const MIN_LONG_WORDS: usize = 5;
/// Bytes of the longest word that is not long.
const MAX_SHORT_WORD: usize = 2;
/// Base of the rolling hash: any large odd number.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Kinds of grams, strongest evidence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GramKind {
    /// A line that an edit must find in its file.
    Edit,
    /// Consecutive words.
    Quote,
    /// A distinctive identifier, number, hash or path end.
    Name,
}

/// A piece of content, by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gram {
    pub kind: GramKind,
    /// Equal for grams of the same kind and content.
    pub key: u64,
    /// True for a name that is a commit hash or a long number, which counts as much as two names.
    pub is_id: bool,
    /// Byte offsets in its text.
    pub start: usize,
    pub end: usize,
}

/// Which grams of a text are extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// For a text that an edit must find.
    Lines,
    /// For other texts of an assistant message.
    QuotesAndNames,
    /// For a text that a later assistant message may copy.
    All,
}

impl Gram {
    pub(super) fn new(kind: GramKind, hash: u64, start: usize, end: usize) -> Self {
        Self { kind, key: spread(hash, kind as u64 + 1), is_id: false, start, end }
    }
}

/// Visits the wanted grams of `text`. O(text).
pub(super) fn visit_grams(text: &str, wanted: Wanted, visit: &mut impl FnMut(Gram)) {
    let mut window = QuoteWindow::default();
    let mut line_start = 0;
    for line in text.as_bytes().split(|&byte| byte == b'\n') {
        let line_end = line_start + line.len();
        let unnumbered = edited_lines::without_number(line);
        if wanted != Wanted::QuotesAndNames {
            visit_line_grams(line, unnumbered, line_start, wanted, visit);
        }
        if wanted != Wanted::Lines {
            visit_quotes_and_names(unnumbered, line_end - unnumbered.len(), &mut window, visit);
        }
        line_start = line_end + 1;
    }
}

/// Visits the line at offset `start` as a gram. With [`Wanted::All`], a line counts with and without the prefix that a diff or search printed.
fn visit_line_grams(line: &[u8], unnumbered: &[u8], start: usize, wanted: Wanted, visit: &mut impl FnMut(Gram)) {
    let mut visit_line = |text: &[u8]| {
        if let Some(hash) = edited_lines::hash_of(text) {
            visit(Gram::new(GramKind::Edit, hash, start, start + line.len()));
        }
    };
    visit_line(unnumbered);
    if wanted == Wanted::All {
        if let Some((b'+' | b'-', rest)) = line.split_first() {
            visit_line(rest);
        }
        if let Some(rest) = edited_lines::without_location(unnumbered) {
            visit_line(rest);
        }
    }
}

fn visit_quotes_and_names(line: &[u8], offset: usize, window: &mut QuoteWindow, visit: &mut impl FnMut(Gram)) {
    let mut chunk_start = None;
    let mut is_in_chunk = false;
    for (index, &byte) in line.iter().enumerate() {
        let is_first_of_character = !(0x80..0xC0).contains(&byte);
        if is_first_of_character {
            let next = line.get(index + 1).copied().unwrap_or_default();
            is_in_chunk = names::is_in_chunk(byte, next);
        }
        match (is_in_chunk, chunk_start) {
            (true, None) => chunk_start = Some(index),
            (false, Some(start)) => {
                visit_chunk_grams(line.get(start..index).unwrap_or_default(), offset + start, window, visit);
                chunk_start = None;
            }
            _ => {}
        }
    }
    if let Some(start) = chunk_start {
        visit_chunk_grams(line.get(start..).unwrap_or_default(), offset + start, window, visit);
    }
}

fn visit_chunk_grams(chunk: &[u8], offset: usize, window: &mut QuoteWindow, visit: &mut impl FnMut(Gram)) {
    if is_path(chunk) {
        // All paths of a project share their first folders, so only the end of a path is evidence. No quote crosses a path.
        *window = QuoteWindow::default();
        if let Some((hash, range)) = path_end(chunk) {
            visit(Gram::new(GramKind::Name, hash, offset + range.start, offset + range.end));
        }
        return;
    }
    let mut start = offset;
    for word in chunk.split(|&byte| names::is_joint(byte)) {
        let end = start + word.len();
        if let Some((hash, quote_start)) = window.push(word, start) {
            visit(Gram::new(GramKind::Quote, hash, quote_start, end));
        }
        start = end + 1;
    }
    names_of(chunk, &mut |hash, kind, range| {
        let gram = Gram::new(GramKind::Name, hash, offset + range.start, offset + range.end);
        visit(Gram { is_id: kind == NameKind::Id, ..gram });
    });
}

#[derive(Clone, Copy, Default)]
struct Word {
    hash: u64,
    start: usize,
    is_long: bool,
}

/// Hashes each run of eight consecutive words, with a rolling hash.
#[derive(Default)]
struct QuoteWindow {
    /// A ring: the word with index `n` in the text is at `n % QUOTE_WORDS`.
    words: [Word; QUOTE_WORDS],
    seen_count: usize,
    rolling_hash: u64,
    long_count: usize,
}

impl QuoteWindow {
    /// Adds the word at offset `start`. Returns the hash and the start offset of the quote that it completes.
    #[allow(clippy::cast_possible_truncation)] // eight words
    fn push(&mut self, word: &[u8], start: usize) -> Option<(u64, usize)> {
        if word.is_empty() {
            return None;
        }
        let is_long = word.len() > MAX_SHORT_WORD;
        let new = Word { hash: fnv1a(word.iter().copied()), start, is_long };
        let old = std::mem::replace(self.words.get_mut(self.seen_count % QUOTE_WORDS)?, new);
        self.seen_count += 1;
        self.long_count = self.long_count + usize::from(new.is_long) - usize::from(old.is_long);
        let old_share = old.hash.wrapping_mul(BASE.wrapping_pow(QUOTE_WORDS as u32));
        self.rolling_hash = self.rolling_hash.wrapping_mul(BASE).wrapping_add(new.hash).wrapping_sub(old_share);
        let quote_start = self.words.get(self.seen_count % QUOTE_WORDS)?.start;
        let is_quote = self.seen_count >= QUOTE_WORDS && self.long_count >= MIN_LONG_WORDS;
        is_quote.then_some((self.rolling_hash, quote_start))
    }
}
