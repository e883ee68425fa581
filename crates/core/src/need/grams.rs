//! Extracts a text's grams, line by line: the pieces of content whose repetition is evidence that an assistant message copied them.

use super::names::{is_path, names_of, path_end};
use super::quotes::QuoteWindow;
use super::{lines, names};
use crate::text::hash::spread;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gram {
    pub kind: GramKind,
    /// Equal for grams of the same kind and content.
    pub key: u64,
    /// True for a name that is a commit hash or a long number, which counts as much as two names.
    pub is_hash: bool,
    /// Byte offsets in its text.
    pub start: usize,
    pub end: usize,
}

/// Which grams of a text are extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Lines, of a text that an edit must find.
    Lines,
    /// Of an assistant message.
    QuotesAndNames,
    /// Of a message that others may copy.
    All,
}

impl Gram {
    pub(super) fn new(kind: GramKind, hash: u64, start: usize, end: usize) -> Self {
        Self { kind, key: spread(hash, kind as u64 + 1), is_hash: false, start, end }
    }
}

/// Visits the wanted grams of `text`. O(text).
pub(super) fn grams(text: &str, wanted: Wanted, visit: &mut impl FnMut(Gram)) {
    let mut window = QuoteWindow::default();
    let mut line_start = 0;
    for line in text.as_bytes().split(|&byte| byte == b'\n') {
        let line_end = line_start + line.len();
        let unnumbered = lines::without_number(line);
        if wanted != Wanted::QuotesAndNames {
            line_grams(line, unnumbered, line_start, wanted, visit);
        }
        if wanted != Wanted::Lines {
            quotes_and_names(unnumbered, line_end - unnumbered.len(), &mut window, visit);
        }
        line_start = line_end + 1;
    }
}

/// Grams of the line at offset `start`. With [`Wanted::All`], a line counts with and without the prefix that a diff or search printed.
fn line_grams(line: &[u8], unnumbered: &[u8], start: usize, wanted: Wanted, visit: &mut impl FnMut(Gram)) {
    let mut visit_line = |text: &[u8]| {
        if let Some(hash) = lines::hash_of(text) {
            visit(Gram::new(GramKind::Edit, hash, start, start + line.len()));
        }
    };
    visit_line(unnumbered);
    if wanted == Wanted::All {
        if let Some((b'+' | b'-', rest)) = line.split_first() {
            visit_line(rest);
        }
        if let Some(rest) = lines::without_location(unnumbered) {
            visit_line(rest);
        }
    }
}

/// Quotes and names of the line at `offset`.
fn quotes_and_names(line: &[u8], offset: usize, window: &mut QuoteWindow, visit: &mut impl FnMut(Gram)) {
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
                chunk_grams(line.get(start..index).unwrap_or_default(), offset + start, window, visit);
                chunk_start = None;
            }
            _ => {}
        }
    }
    if let Some(start) = chunk_start {
        chunk_grams(line.get(start..).unwrap_or_default(), offset + start, window, visit);
    }
}

/// Grams of a chunk: a run of letters, digits and the characters that join them into names and paths.
fn chunk_grams(chunk: &[u8], offset: usize, window: &mut QuoteWindow, visit: &mut impl FnMut(Gram)) {
    if is_path(chunk) {
        // All paths of a project share their first folders, so only the end of a path is evidence.
        window.clear();
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
    names_of(chunk, &mut |hash, is_hash, range| {
        let gram = Gram::new(GramKind::Name, hash, offset + range.start, offset + range.end);
        visit(Gram { is_hash, ..gram });
    });
}
