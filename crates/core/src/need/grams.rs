//! Extracts a text's grams, line by line.

use super::names::{ends_of_path, is_path, names_of};
use super::quotes::QuoteWindow;
use super::{lines, names};
use crate::text::hash::spread;

/// Strongest evidence first.
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
    /// A hash that also depends on the kind.
    pub key: u64,
    /// A hash or long number counts as much as two names.
    pub is_hash: bool,
    /// Byte offsets in its text.
    pub start: usize,
    pub end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Lines of a text that an edit must find.
    Lines,
    /// Quotes and names of an assistant message.
    Speech,
    /// All grams of a possible source.
    All,
}

impl Gram {
    pub(super) fn new(kind: GramKind, hash: u64, start: usize, end: usize) -> Self {
        Self { kind, key: spread(hash, kind as u64 + 1), is_hash: false, start, end }
    }
}

/// O(text).
pub(super) fn grams(text: &str, wanted: Wanted, found: &mut impl FnMut(Gram)) {
    let mut window = QuoteWindow::default();
    let mut at = 0;
    for line in text.as_bytes().split(|&byte| byte == b'\n') {
        let end = at + line.len();
        let plain = lines::without_number(line);
        let start = end - plain.len();
        if wanted != Wanted::Speech {
            line_grams(line, plain, (at, end), wanted, found);
        }
        if wanted != Wanted::Lines {
            speech(plain, start, &mut window, found);
        }
        at = end + 1;
    }
}

/// A source's line also counts without the prefix that a tool printed.
fn line_grams(
    line: &[u8],
    plain: &[u8],
    (start, end): (usize, usize),
    wanted: Wanted,
    found: &mut impl FnMut(Gram),
) {
    let mut one = |text: &[u8]| {
        if let Some(hash) = lines::hash_of(text) {
            found(Gram::new(GramKind::Edit, hash, start, end));
        }
    };
    one(plain);
    if wanted == Wanted::All {
        if let Some((b'+' | b'-', rest)) = line.split_first() {
            one(rest);
        }
        if let Some(rest) = lines::without_place(plain) {
            one(rest);
        }
    }
}

/// Quotes and names of the line at `offset`.
fn speech(line: &[u8], offset: usize, window: &mut QuoteWindow, found: &mut impl FnMut(Gram)) {
    let mut chunk_start = None;
    let mut is_word = false;
    for (at, &byte) in line.iter().enumerate() {
        if !(0x80..0xC0).contains(&byte) {
            let next = line.get(at + 1).copied().unwrap_or_default();
            is_word = names::is_chunk(byte, next);
        }
        match (is_word, chunk_start) {
            (true, None) => chunk_start = Some(at),
            (false, Some(start)) => {
                chunk(line.get(start..at).unwrap_or_default(), offset + start, window, found);
                chunk_start = None;
            }
            _ => {}
        }
    }
    if let Some(start) = chunk_start {
        chunk(line.get(start..).unwrap_or_default(), offset + start, window, found);
    }
}

/// Grams of a run of letters, digits and the characters that join them into names and paths.
fn chunk(bytes: &[u8], offset: usize, window: &mut QuoteWindow, found: &mut impl FnMut(Gram)) {
    if is_path(bytes) {
        // All paths of a project share their first folders, so only the end of a path is evidence.
        window.clear();
        if let Some((hash, range)) = ends_of_path(bytes) {
            found(Gram::new(GramKind::Name, hash, offset + range.start, offset + range.end));
        }
        return;
    }
    let mut at = 0;
    for word in bytes.split(|&byte| names::is_joint(byte)) {
        let start = offset + at;
        if let Some((hash, first)) = window.push(word, start) {
            found(Gram::new(GramKind::Quote, hash, first, start + word.len()));
        }
        at += word.len() + 1;
    }
    names_of(bytes, &mut |hash, is_hash, range| {
        let gram = Gram::new(GramKind::Name, hash, offset + range.start, offset + range.end);
        found(Gram { is_hash, ..gram });
    });
}
