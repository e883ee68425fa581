//! Finds names that are not natural words: identifiers, numbers, hashes and path ends.

use std::ops::Range;

use crate::text::hash::fnv1a;

const SHORTEST: usize = 6;
/// Minimum letters of a plain identifier: a shorter one like `fooBar` may recur by chance.
const SHORTEST_PLAIN: usize = 8;
/// Longer names are data.
const LONGEST: usize = 100;
const HASH: Range<usize> = 7..41;
/// With fewer separators it is a name that contains a slash.
const PATH_SEPARATORS: usize = 2;

/// True if a character belongs to a word, name or path. Letters beyond ASCII do; punctuation, arrows, box drawing and emoji are
/// recognised by the first bytes of their UTF-8.
pub(super) const fn is_chunk(byte: u8, next: u8) -> bool {
    match byte {
        0xE3 => next != 0x80,
        0xC3..=0xE1 | 0xE4..=0xEE => true,
        _ => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || is_joint(byte),
    }
}

pub(super) const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'.' | b'/' | b'-' | b'\\' | b'~' | b'+' | b'@')
}

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

pub(super) fn is_path(chunk: &[u8]) -> bool {
    let starts =
        chunk.windows(2).filter(|pair| matches!(pair, [a, b] if is_separator(*a) && !is_separator(*b)));
    starts.take(PATH_SEPARATORS).count() == PATH_SEPARATORS
}

/// The last two parts of a file's path, and their range.
pub(super) fn ends_of_path(path: &[u8]) -> Option<(u64, Range<usize>)> {
    let cut = path.iter().rev().take_while(|byte| matches!(byte, b'.' | b'-' | b'/' | b'\\')).count();
    let path = path.get(..path.len() - cut)?;
    let mut separators =
        path.iter().enumerate().rev().filter(|&(_, &byte)| is_separator(byte)).map(|(at, _)| at);
    let last = separators.next()?;
    let start = separators.next().map_or(0, |at| at + 1);
    let file = path.get(last + 1..)?;
    let extension = file.iter().rposition(|&byte| byte == b'.').and_then(|at| file.get(at + 1..))?;
    if extension.is_empty() || !extension.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let end = path.get(start..)?.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte });
    Some((fnv1a(end), start..path.len()))
}

/// Visits each name in a chunk that is not a path: its hash, whether the name is itself a hash or number, and its range.
pub(super) fn names_of(chunk: &[u8], found: &mut impl FnMut(u64, bool, Range<usize>)) {
    if chunk.len() < SHORTEST {
        return;
    }
    let mut name: Option<Range<usize>> = None;
    let mut finish = |name: &mut Option<Range<usize>>| {
        let Some(range) = name.take() else { return };
        let text = chunk.get(range.clone()).unwrap_or_default();
        if let Some(is_hash) = distinctive(text) {
            found(fnv1a(text.iter().copied()), is_hash, range);
        }
    };
    for (at, &byte) in chunk.iter().enumerate() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') {
            match &mut name {
                Some(range) => range.end = at + 1,
                None => name = Some(at..at + 1),
            }
        } else if !(matches!(byte, b'.' | b'/' | b'-') && name.as_ref().is_some_and(|range| range.end == at))
        {
            // Two parts of a name have exactly one separator between them.
            finish(&mut name);
        }
    }
    finish(&mut name);
}

#[derive(Default)]
struct Made {
    digits: usize,
    lower: usize,
    upper: usize,
    beyond_hex: usize,
    joints: usize,
    has_hump: bool,
    has_two_lower: bool,
    has_underscore: bool,
}

impl Made {
    fn of(name: &[u8]) -> Self {
        let mut made = Self::default();
        let mut before = b' ';
        for (at, &byte) in name.iter().enumerate() {
            match byte {
                b'0'..=b'9' => made.digits += 1,
                b'a'..=b'z' => {
                    made.lower += 1;
                    made.has_two_lower |= before.is_ascii_lowercase();
                }
                b'A'..=b'Z' => {
                    made.upper += 1;
                    made.has_hump |= before.is_ascii_lowercase();
                }
                b'_' => made.has_underscore |= at > 0,
                b'.' | b'/' | b'-' => made.joints += 1,
                _ => {}
            }
            made.beyond_hex += usize::from(!matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            before = byte;
        }
        made
    }
}

/// Whether a name is a hash or number; `None` for a name that may recur by chance.
fn distinctive(name: &[u8]) -> Option<bool> {
    if !(SHORTEST..=LONGEST).contains(&name.len()) {
        return None;
    }
    let made = Made::of(name);
    let letters = made.lower + made.upper;
    if made.digits == name.len() {
        return (!name.ends_with(b"000")).then_some(true);
    }
    if made.beyond_hex == 0 && HASH.contains(&name.len()) && made.digits > 0 {
        return Some(true);
    }
    let has_mixture = made.digits > 0 && letters > 0 || made.has_hump || made.has_underscore;
    let begins_with_digit = name.first().is_some_and(u8::is_ascii_digit);
    let is_distinctive = if made.joints == 0 {
        name.len() >= SHORTEST_PLAIN && !begins_with_digit && has_mixture
    } else {
        let is_version = made.lower <= 1 && made.upper == 0 && !made.has_underscore;
        // Dates and times begin with a digit; identifiers that do so have letters.
        !is_version && (!begins_with_digit || made.lower >= 2) && (has_mixture || made.has_two_lower)
    };
    is_distinctive.then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(&str, bool)> {
        let mut names = Vec::new();
        names_of(text.as_bytes(), &mut |_, is_hash, range| names.push((text.get(range).unwrap(), is_hash)));
        names
    }

    #[test]
    fn r14_1_a_name_is_distinctive_by_a_digit_a_joint_or_a_hump() {
        assert_eq!(names("renderTable"), [("renderTable", false)]);
        assert_eq!(names("render_table"), [("render_table", false)]);
        assert_eq!(names("src/table.mjs"), [("src/table.mjs", false)]);
        assert_eq!(names("--no-verify."), [("no-verify", false)]);
        assert_eq!(names("utf8mb4_general"), [("utf8mb4_general", false)]);
        for common in
            ["something", "toggle", "fooBar", "v1.22.333", "2025-11-20T10", "120000", "1234", "...--"]
        {
            assert_eq!(names(common), [], "{common}");
        }
    }

    #[test]
    fn r14_1_hashes_and_long_numbers_are_told_apart() {
        assert_eq!(names("9f8f085"), [("9f8f085", true)]);
        assert_eq!(names("4711081"), [("4711081", true)]);
        assert_eq!(
            names("550e8400-e29b-41d4-a716-446655440000"),
            [("550e8400-e29b-41d4-a716-446655440000", false)]
        );
    }

    #[test]
    fn r14_1_of_a_path_its_last_two_parts_count_whatever_separates_them() {
        let end = |path: &str| {
            ends_of_path(path.as_bytes()).map(|(hash, range)| (hash, path.get(range).unwrap().to_owned()))
        };
        let (hash, text) = end("/home/me/src/cache/table.rs").unwrap();
        assert_eq!(text, "cache/table.rs");
        assert_eq!(end("C\\me\\cache\\table.rs").unwrap().0, hash);
        assert!(end("/home/me/src/cache").is_none(), "a folder stands in every path below it");
        assert!(is_path(b"/home/me/x") && !is_path(b"and/or") && !is_path(b"https//x"));
    }
}
