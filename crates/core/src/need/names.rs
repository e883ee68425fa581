//! Finds names that a message is unlikely to contain by chance: identifiers, long numbers, commit hashes and path ends.

use std::ops::Range;

use crate::text::hash::fnv1a;

const MIN_BYTES: usize = 6;
/// An identifier without a joint (a dot, slash or hyphen) is longer: one like `fooBar` may recur by chance.
const MIN_BYTES_WITHOUT_JOINTS: usize = 8;
/// Longer names are data.
const MAX_BYTES: usize = 100;
const COMMIT_HASH_BYTES: Range<usize> = 7..41;
/// A path has at least this many parts after a separator; with fewer it is a name that contains a slash.
const MIN_PATH_PARTS: usize = 2;

/// True if a character, given by the first two bytes of its UTF-8, belongs to a word, name or path. Letters beyond ASCII do; punctuation,
/// arrows, box drawing and emoji do not.
pub(super) const fn is_in_chunk(byte: u8, next: u8) -> bool {
    match byte {
        0xE3 => next != 0x80,
        0xC3..=0xE1 | 0xE4..=0xEE => true,
        _ => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || is_joint(byte),
    }
}

/// True for a character that joins words into a name or path.
pub(super) const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'.' | b'/' | b'-' | b'\\' | b'~' | b'+' | b'@')
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

pub(super) fn is_path(chunk: &[u8]) -> bool {
    let is_part_start = |pair: &&[u8]| matches!(pair, [a, b] if is_separator(*a) && !is_separator(*b));
    chunk.windows(2).filter(is_part_start).take(MIN_PATH_PARTS).count() == MIN_PATH_PARTS
}

/// The hash and the range of the last two parts of a path; `None` unless it ends with a file name that has an extension.
pub(super) fn path_end(path: &[u8]) -> Option<(u64, Range<usize>)> {
    let trailing = path.iter().rev().take_while(|byte| matches!(byte, b'.' | b'-' | b'/' | b'\\')).count();
    let path = path.get(..path.len() - trailing)?;
    let mut separators = path.iter().enumerate().rev().filter(|&(_, &byte)| is_separator(byte)).map(|(at, _)| at);
    let last_separator = separators.next()?;
    let start = separators.next().map_or(0, |at| at + 1);
    let file = path.get(last_separator + 1..)?;
    let extension = file.iter().rposition(|&byte| byte == b'.').and_then(|dot| file.get(dot + 1..))?;
    if extension.is_empty() || !extension.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let with_slashes = path.get(start..)?.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte });
    Some((fnv1a(with_slashes), start..path.len()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A commit hash or a long number.
    Id,
    Identifier,
}

/// Visits each distinctive name in a chunk that is not a path: the hash of its bytes, its kind and its range.
pub(super) fn names_of(chunk: &[u8], visit: &mut impl FnMut(u64, NameKind, Range<usize>)) {
    if chunk.len() < MIN_BYTES {
        return;
    }
    let mut name: Option<Range<usize>> = None;
    let mut finish = |name: &mut Option<Range<usize>>| {
        let Some(range) = name.take() else { return };
        let text = chunk.get(range.clone()).unwrap_or_default();
        if let Some(kind) = kind_of(text) {
            visit(fnv1a(text.iter().copied()), kind, range);
        }
    };
    for (at, &byte) in chunk.iter().enumerate() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') {
            match &mut name {
                Some(range) => range.end = at + 1,
                None => name = Some(at..at + 1),
            }
        } else if !(matches!(byte, b'.' | b'/' | b'-') && name.as_ref().is_some_and(|range| range.end == at)) {
            // Two parts of a name have exactly one separator between them.
            finish(&mut name);
        }
    }
    finish(&mut name);
}

/// `None` for a name that may recur by chance.
fn kind_of(name: &[u8]) -> Option<NameKind> {
    if !(MIN_BYTES..=MAX_BYTES).contains(&name.len()) {
        return None;
    }
    let count = |is_counted: fn(&u8) -> bool| name.iter().filter(|&byte| is_counted(byte)).count();
    let digits = count(u8::is_ascii_digit);
    if digits == name.len() {
        return (!name.ends_with(b"000")).then_some(NameKind::Id);
    }
    let is_hex = name.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex && COMMIT_HASH_BYTES.contains(&name.len()) && digits > 0 {
        return Some(NameKind::Id);
    }
    let (lower, upper) = (count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase));
    let has_pair = |is_second: fn(&u8) -> bool| {
        name.windows(2).any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && is_second(b)))
    };
    let has_hump = has_pair(u8::is_ascii_uppercase);
    let has_inner_underscore = name.iter().skip(1).any(|&byte| byte == b'_');
    let has_mixture = digits > 0 && lower + upper > 0 || has_hump || has_inner_underscore;
    let begins_with_digit = name.first().is_some_and(u8::is_ascii_digit);
    let has_joint = name.iter().any(|byte| matches!(byte, b'.' | b'/' | b'-'));
    let is_distinctive = if has_joint {
        let is_version = lower <= 1 && upper == 0 && !has_inner_underscore;
        // Dates and times begin with a digit; identifiers that do so have letters.
        let may_begin_so = !begins_with_digit || lower >= 2;
        !is_version && may_begin_so && (has_mixture || has_pair(u8::is_ascii_lowercase))
    } else {
        name.len() >= MIN_BYTES_WITHOUT_JOINTS && !begins_with_digit && has_mixture
    };
    is_distinctive.then_some(NameKind::Identifier)
}

#[cfg(test)]
mod tests;
