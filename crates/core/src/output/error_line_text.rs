//! Decides what in a line may be an error: where its text begins after time stamps and tags, and whether its level, a
//! test's success or a negation excludes an error.

use super::error_units::{is_capital, is_digit, is_space, is_word};
use crate::text::utf16::{equals_ascii, equals_folded, letter, position, starts_with_ascii, units};
use std::borrow::Cow;

const ESCAPE: u16 = 0x1B;
/// Units of the longest time stamp, tag or service name before a text.
const LONGEST_TAG: usize = 60;
/// Time stamps, tags and service names before a text.
const MOST_TAGS: usize = 8;

/// The line without colours and other escape sequences.
pub(super) fn without_escapes(line: &[u16]) -> Cow<'_, [u16]> {
    if position(line, ESCAPE).is_none() {
        return Cow::Borrowed(line);
    }
    let mut plain = Vec::with_capacity(line.len());
    plain.extend(plain_units(line).map(|(_, unit)| unit));
    Cow::Owned(plain)
}

/// The position in `line` of unit `at` of the line [without escapes](without_escapes).
pub(super) fn position_in_line(line: &[u16], at: usize) -> usize {
    plain_units(line).nth(at).map_or(line.len(), |(position, _)| position)
}

/// The units outside escape sequences, with their positions.
fn plain_units(line: &[u16]) -> impl Iterator<Item = (usize, u16)> + '_ {
    let mut units = line.iter().copied().enumerate();
    std::iter::from_fn(move || {
        while let Some((at, unit)) = units.next() {
            if unit != ESCAPE {
                return Some((at, unit));
            }
            match units.next() {
                // A colour: ESC [ … letter.
                Some((_, 0x5B)) => drop(units.find(|(_, unit)| matches!(unit, 0x40..=0x7E))),
                // A link or a title: ESC ] … BEL, or ESC \.
                Some((_, 0x5D)) => {
                    let end = units.find(|(_, unit)| matches!(*unit, 0x07 | ESCAPE));
                    let _ = end.filter(|(_, unit)| *unit == ESCAPE).and_then(|_| units.next());
                }
                _ => {}
            }
        }
        None
    })
}

/// True if only indentation, time stamps, tags (`[x]`, `2>`), a service's name or the start of a JSON string precede `at`, on the
/// line or after a `\r` or an escaped line break.
pub(super) fn begins_text(line: &[u16], at: usize) -> bool {
    let mut end = at;
    for _ in 0..MOST_TAGS {
        end = spaces_before(line, end);
        let before = line.get(end.saturating_sub(LONGEST_TAG)..end).unwrap_or_default();
        let mut letters = before.iter().rev().map(|&unit| letter(unit));
        let Some(last) = letters.next() else { return true };
        let (second_last, third_last) = (letters.next(), letters.next());
        let tag_length = match last {
            '\r' | '\u{feff}' => return true,
            // An escaped line break, as in JSON.
            'n' | 'r' | 't' if second_last == Some('\\') => return true,
            // The beginning of a JSON string.
            '"' if matches!(second_last, Some(':' | '[' | '(' | '=')) && is_json(line) => return true,
            '"' if (third_last, second_last) == (Some(':'), Some(' ')) && is_json(line) => return true,
            ']' => before.iter().rposition(|&unit| letter(unit) == '[').map(|open| before.len() - open),
            '|' if end <= LONGEST_TAG && is_service(before) => Some(end),
            // A build's number, `2>`, or a quotation's `>`.
            '>' => Some(1 + before.iter().rev().skip(1).take_while(|unit| is_digit(**unit)).count()),
            // A colon or a dash must belong to a time stamp or a tag, not to a sentence.
            ':' | '-' => follows_tag(before).then_some(1),
            _ => stamp_before(before),
        };
        let Some(tag_length) = tag_length.filter(|&length| length > 0) else { return false };
        end -= tag_length.min(end);
    }
    false
}

fn spaces_before(line: &[u16], end: usize) -> usize {
    end - line.get(..end).unwrap_or_default().iter().rev().take_while(|&&unit| is_space(unit)).count()
}

/// True for `web_1  |`: the name of a service, not a table cell.
fn is_service(before: &[u16]) -> bool {
    let name = before.get(..before.len() - 1).unwrap_or_default();
    let is_part = |unit: u16| is_word(unit) || matches!(letter(unit), '-' | '.' | ' ');
    name.first().copied().is_some_and(is_word) && name.iter().all(|&unit| is_part(unit))
}

fn is_json(line: &[u16]) -> bool {
    line.first().is_some_and(|&unit| matches!(letter(unit), '{' | '['))
}

/// True if a tag or a time stamp precedes the last unit: `10:11:12]:`, `12.3 -`.
fn follows_tag(before: &[u16]) -> bool {
    let end = spaces_before(before, before.len().saturating_sub(1));
    let rest = before.get(..end).unwrap_or_default();
    rest.last().is_some_and(|&unit| letter(unit) == ']') || stamp_before(rest).is_some()
}

/// The length of a time stamp: it begins with a digit and has characters of a date or a time; also `#12`.
fn stamp_before(before: &[u16]) -> Option<usize> {
    let is_part = |unit: u16| is_word(unit) || matches!(letter(unit), '+' | ',' | '-' | '.' | '/' | ':');
    let length = before.iter().rev().take_while(|&&unit| is_part(unit)).count();
    let (before, stamp) = before.split_at_checked(before.len() - length)?;
    if !stamp.first().is_some_and(|&unit| is_digit(unit)) {
        return None;
    }
    if before.last().is_some_and(|&unit| letter(unit) == '#') {
        return Some(length + 1);
    }
    let digits = stamp.iter().filter(|&&unit| is_digit(unit)).count();
    let is_time = stamp.iter().any(|&unit| matches!(letter(unit), ':' | '.' | ',')) || digits >= 4;
    (digits >= 2 && is_time && digits * 2 >= length).then_some(length)
}

/// Log levels below error; the first level in a line decides.
const LOWER_LEVELS: [&str; 14] = [
    "INFO", "DEBUG", "TRACE", "NOTICE", "WARN", "WARNING", "VERBOSE", "INF", "DBG", "WRN", "info", "debug", "warn",
    "warning",
];
const ERROR_LEVELS: [&str; 9] = ["ERROR", "FATAL", "CRITICAL", "SEVERE", "FAILED", "FAIL", "error", "fatal", "ERR"];

/// Units at a line's start in which its level is searched.
const LEVEL_WITHIN: usize = 100;

/// True if the line's log level is below error.
pub(super) fn only_informs(line: &[u16]) -> bool {
    let head = line.get(..LEVEL_WITHIN.min(line.len())).unwrap_or_default();
    let mut is_first = true;
    for word in head.split(|&unit| !is_word(unit)).filter(|word| !word.is_empty()) {
        // In lower case a level must be the first word or follow `level=`.
        let may_be_level = is_first || word.iter().all(|&unit| is_capital(unit));
        let is_level = |level: &&str| may_be_level && equals_ascii(word, level);
        if LOWER_LEVELS.iter().any(is_level) {
            return true;
        }
        if ERROR_LEVELS.iter().any(is_level) {
            return false;
        }
        let is_stamp = word.iter().all(|&unit| is_digit(unit) || matches!(letter(unit), 'T' | 'Z'));
        is_first = (is_first && is_stamp) || equals_ascii(word, "level") || equals_ascii(word, "lvl");
    }
    false
}

/// True if a test runner says that the named test passed: its name may quote an error.
pub(super) fn has_passed(line: &[u16]) -> bool {
    let is_blank = |unit: &u16| matches!(letter(*unit), ' ' | '\t' | '\r');
    let start = line.iter().position(|&unit| !matches!(letter(unit), ' ' | '\t')).unwrap_or(0);
    let end = line.iter().rposition(|unit| !is_blank(unit)).map_or(0, |last| last + 1);
    let begins_with = |words: &&str| starts_with_ascii(line.get(start..).unwrap_or_default(), words);
    let ends_with = |words: &&str| {
        let from = end.saturating_sub(words.len()).max(start);
        equals_ascii(line.get(from..end).unwrap_or_default(), words)
    };
    line.get(start).is_some_and(|&unit| matches!(letter(unit), '✓' | '✔' | '√' | '✅'))
        || ["ok ", "PASS ", "PASS: ", "PASSED ", "--- PASS", "[       OK ]"].iter().any(begins_with)
        || ["... ok", " PASSED", "   Passed"].iter().any(ends_with)
}

/// True if the words before `at` negate what follows, or make it a condition: `no build failed`, `未发生错误`.
pub(super) fn is_negated(line: &[u16], at: usize) -> bool {
    let end = spaces_before(line, at);
    // The longest of the words below, and a unit before it.
    let before = line.get(end.saturating_sub(8)..end).unwrap_or_default();
    if before.last().is_some_and(|&unit| matches!(letter(unit), '未' | '没' | '无' | '無'))
        || before.ends_with(&units("没有"))
    {
        return true;
    }
    let length = before.iter().rev().take_while(|&&unit| is_word(unit)).count();
    let word = before.get(before.len() - length..).unwrap_or_default();
    ["no", "not", "without", "zero", "never", "non", "if"].iter().any(|own| equals_folded(word, own))
}
