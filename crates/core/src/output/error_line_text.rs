//! Decides what in a line may be an error: where its text begins after time stamps and tags, and whether its level, a
//! test's success or a negation excludes an error. Also folds letters and removes colours.

use crate::text::utf16::{ascii_lower, equals_ascii, equals_folded, position, starts_with_ascii};
use std::borrow::Cow;

const ESCAPE: u16 = 0x1B;

/// Units of the longest time stamp, tag or service name before a text.
const LONGEST_TAG: usize = 60;

/// Maps variants to one: capital letters, marks of failed tests, quotes, full-width colons.
pub(super) fn fold(unit: u16) -> u16 {
    match unit {
        0x25CF | 0x2715 | 0x2716 | 0x2718 | 0xD7 | 0x274C => 0x2717,
        0x2018 | 0x2019 => 0x27,
        0x201C | 0x201D => 0x22,
        0xFF1A => 0x3A,
        0xFF01 => 0x21,
        0xA0 | 0x3000 => 0x20,
        _ => ascii_lower(unit),
    }
}

/// A letter, digit or `_` of names in source code.
pub(super) fn is_word(unit: u16) -> bool {
    matches!(unit, 0x30..=0x39 | 0x41..=0x5A | 0x61..=0x7A | 0x5F)
}

/// The line without colours and other escape sequences.
pub(super) fn without_escapes(line: &[u16]) -> Cow<'_, [u16]> {
    if position(line, ESCAPE).is_none() {
        return Cow::Borrowed(line);
    }
    let mut plain = Vec::with_capacity(line.len());
    for_each_plain(line, |_, unit| plain.push(unit));
    Cow::Owned(plain)
}

/// The position in `line` of unit `at` of the line [without escapes](without_escapes).
pub(super) fn position_in_line(line: &[u16], at: usize) -> usize {
    let (mut plain_at, mut position) = (0, line.len());
    for_each_plain(line, |line_at, _| {
        if plain_at == at {
            position = line_at;
        }
        plain_at += 1;
    });
    position
}

/// Visits the position and value of each unit outside escape sequences.
fn for_each_plain(line: &[u16], mut visit: impl FnMut(usize, u16)) {
    let mut units = line.iter().copied().enumerate();
    while let Some((at, unit)) = units.next() {
        if unit != ESCAPE {
            visit(at, unit);
            continue;
        }
        match units.next() {
            // A colour: ESC [ … letter.
            Some((_, 0x5B)) => drop(units.by_ref().find(|(_, unit)| matches!(unit, 0x40..=0x7E))),
            // A link or a title: ESC ] … BEL, or ESC \.
            Some((_, 0x5D)) => {
                let end = units.by_ref().find(|(_, unit)| matches!(*unit, 0x07 | ESCAPE));
                let _ = end.filter(|(_, unit)| *unit == ESCAPE).and_then(|_| units.next());
            }
            _ => {}
        }
    }
}

/// True if only indentation, time stamps, tags in brackets, a service's name or a quote precede `at`.
pub(super) fn begins_text(line: &[u16], at: usize) -> bool {
    let mut end = at;
    for _ in 0..8 {
        end = spaces_before(line, end);
        let before = line.get(end.saturating_sub(LONGEST_TAG)..end).unwrap_or_default();
        let Some(&last) = before.last() else { return true };
        let second = before.iter().rev().nth(1).copied();
        let skipped = match last {
            0x0D | 0xFEFF => return true,
            // `\n` in JSON, and the beginning of a JSON string.
            0x6E | 0x72 | 0x74 if second == Some(0x5C) => return true,
            0x22 if matches!(second, Some(0x3A | 0x5B | 0x28 | 0x3D)) && is_json(line) => return true,
            0x22 if second == Some(0x20) && before.iter().rev().nth(2) == Some(&0x3A) && is_json(line) => {
                return true;
            }
            0x5D => before.iter().rposition(|&unit| unit == 0x5B).map(|open| before.len() - open),
            0x7C if end <= LONGEST_TAG && is_service(before) => Some(end),
            0x3E => {
                Some(1 + before.iter().rev().skip(1).take_while(|unit| matches!(unit, 0x30..=0x39)).count())
            }
            0x3A | 0x2D => Some(1),
            _ => stamp_before(before),
        };
        // A colon or a dash must belong to a time stamp or a tag, not to a sentence.
        let Some(skipped) = skipped.filter(|&length| length > 0) else { return false };
        if matches!(last, 0x3A | 0x2D) && !follows_tag(before) {
            return false;
        }
        end -= skipped.min(end);
    }
    false
}

fn spaces_before(line: &[u16], end: usize) -> usize {
    let spaces = line.get(..end).unwrap_or_default().iter().rev();
    end - spaces.take_while(|unit| matches!(unit, 0x20 | 0x09 | 0xA0 | 0x3000)).count()
}

/// True for `web_1  |`: the name of a service, not a table cell.
fn is_service(before: &[u16]) -> bool {
    let name = before.get(..before.len() - 1).unwrap_or_default();
    let is_part = |unit: u16| is_word(unit) || matches!(unit, 0x2D | 0x2E | 0x20);
    name.first().copied().is_some_and(is_word) && name.iter().all(|&unit| is_part(unit))
}

fn is_json(line: &[u16]) -> bool {
    matches!(line.first(), Some(0x7B | 0x5B))
}

/// True if a tag or a time stamp precedes the last unit: `10:11:12]:`, `12.3 -`.
fn follows_tag(before: &[u16]) -> bool {
    let rest = before.get(..before.len().saturating_sub(1)).unwrap_or_default();
    let end = spaces_before(rest, rest.len());
    let rest = rest.get(..end).unwrap_or_default();
    rest.last() == Some(&0x5D) || stamp_before(rest).is_some()
}

/// The length of a time stamp: it begins with a digit and has characters of a date or a time; also `#12`.
fn stamp_before(before: &[u16]) -> Option<usize> {
    let is_part = |unit: u16| is_word(unit) || matches!(unit, 0x2B..=0x2F | 0x3A);
    let length = before.iter().rev().take_while(|&&unit| is_part(unit)).count();
    let stamp = before.get(before.len() - length..).unwrap_or_default();
    if !matches!(stamp.first(), Some(0x30..=0x39)) {
        return None;
    }
    if before.len().checked_sub(length + 1).and_then(|at| before.get(at)) == Some(&0x23) {
        return Some(length + 1);
    }
    let digits = stamp.iter().filter(|unit| matches!(unit, 0x30..=0x39)).count();
    let is_time = stamp.iter().any(|unit| matches!(unit, 0x3A | 0x2E | 0x2C)) || digits >= 4;
    (digits >= 2 && is_time && digits * 2 >= length).then_some(length)
}

/// Log levels below error; the first level in a line decides.
const LOWER_LEVELS: [&str; 14] = [
    "INFO", "DEBUG", "TRACE", "NOTICE", "WARN", "WARNING", "VERBOSE", "INF", "DBG", "WRN", "info", "debug",
    "warn", "warning",
];
/// Log levels of errors.
const ERROR_LEVELS: [&str; 9] =
    ["ERROR", "FATAL", "CRITICAL", "SEVERE", "FAILED", "FAIL", "error", "fatal", "ERR"];

/// Units at a line's start in which its level is searched.
const LEVEL_WITHIN: usize = 100;

/// True if the line's log level is information or warning.
pub(super) fn only_informs(line: &[u16]) -> bool {
    let head = line.get(..LEVEL_WITHIN.min(line.len())).unwrap_or_default();
    let mut words = head.split(|&unit| !is_word(unit)).filter(|word| !word.is_empty());
    let mut is_first = true;
    words
        .find_map(|word| {
            // In lower case a level must be the first word or follow `level=`.
            let may_be_level = is_first || word.iter().all(|unit| matches!(unit, 0x41..=0x5A));
            let is_level = |text: &&str| equals_ascii(word, text);
            let is_lower_level = if !may_be_level {
                None
            } else if LOWER_LEVELS.iter().any(&is_level) {
                Some(true)
            } else if ERROR_LEVELS.iter().any(is_level) {
                Some(false)
            } else {
                None
            };
            let is_stamp = word.iter().all(|unit| matches!(unit, 0x30..=0x39 | 0x54 | 0x5A));
            is_first = (is_first && is_stamp) || equals_ascii(word, "level") || equals_ascii(word, "lvl");
            is_lower_level
        })
        .unwrap_or(false)
}

/// True if a test runner says that the named test passed: its name may quote an error.
pub(super) fn has_passed(line: &[u16]) -> bool {
    let start = line.iter().position(|unit| !matches!(unit, 0x20 | 0x09)).unwrap_or(0);
    let text = line.get(start..).unwrap_or_default();
    let end = text.iter().rposition(|unit| !matches!(unit, 0x20 | 0x09 | 0x0D)).map_or(0, |last| last + 1);
    let ends_with = |words: &&str| {
        equals_ascii(text.get(end.saturating_sub(words.len())..end).unwrap_or_default(), words)
    };
    matches!(text.first(), Some(0x2713 | 0x2714 | 0x221A | 0x2705))
        || ["ok ", "PASS ", "PASS: ", "PASSED ", "--- PASS", "[       OK ]"]
            .iter()
            .any(|words| starts_with_ascii(text, words))
        || ["... ok", " PASSED", "   Passed"].iter().any(ends_with)
}

/// True if the words before `at` negate what follows: `no build failed`, `未发生错误`.
pub(super) fn is_negated(line: &[u16], at: usize) -> bool {
    let end = spaces_before(line, at);
    let before = line.get(end.saturating_sub(8)..end).unwrap_or_default();
    // 未 没 没有 无 無
    if matches!(before.last(), Some(0x672A | 0x6CA1 | 0x65E0 | 0x7121)) || before.ends_with(&[0x6CA1, 0x6709])
    {
        return true;
    }
    let length = before.iter().rev().take_while(|&&unit| is_word(unit)).count();
    let word = before.get(before.len() - length..).unwrap_or_default();
    ["no", "not", "without", "zero", "never", "non", "if"].iter().any(|own| equals_folded(word, own))
}
