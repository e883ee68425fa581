//! Classifies units and runs of units in error lines: numbers, codes, names, values.

use crate::text::utf16::{ascii_lower, letter};

/// Units. No identifier is longer: a longer run of letters means that the line has no spaces.
const LONGEST_NAME: usize = 40;
/// Values after a colon that mean there is no error.
const NOTHING: [&str; 10] = ["none", "null", "nil", "false", "undefined", "empty", "{}", "[]", "\"\"", "''"];

/// Maps variants to one: capital letters, marks of failed tests, quotes, full-width colons.
pub(super) fn fold(unit: u16) -> u16 {
    match letter(unit) {
        '●' | '✕' | '✖' | '✘' | '×' | '❌' => 0x2717, // ✗
        '‘' | '’' => u16::from(b'\''),
        '“' | '”' => u16::from(b'"'),
        '：' => u16::from(b':'),
        '！' => u16::from(b'!'),
        '\u{a0}' | '\u{3000}' => u16::from(b' '),
        _ => ascii_lower(unit),
    }
}

/// A letter, digit or `_` of names in source code.
pub(super) fn is_word(unit: u16) -> bool {
    matches!(unit, 0x30..=0x39 | 0x41..=0x5A | 0x61..=0x7A | 0x5F)
}

pub(super) fn exact(unit: u16) -> u16 {
    if is_capital(unit) { unit } else { fold(unit) }
}

pub(super) fn is_digit(unit: u16) -> bool {
    matches!(unit, 0x30..=0x39)
}

pub(super) fn is_capital(unit: u16) -> bool {
    matches!(unit, 0x41..=0x5A)
}

pub(super) fn is_space(unit: u16) -> bool {
    matches!(unit, 0x20 | 0x09 | 0xA0 | 0x3000)
}

pub(super) fn is_visible(unit: u16) -> bool {
    !matches!(unit, 0x09..=0x0D | 0x20 | 0xA0 | 0x3000)
}

/// True for digits that are not all zero.
pub(super) fn is_count(digits: &[u16]) -> bool {
    digits.iter().any(|&digit| digit != u16::from(b'0'))
}

/// True for an error code: `TS2322`, `C1083`, `F401`.
pub(super) fn is_code(text: &[u16]) -> bool {
    let letters = text.iter().take_while(|&&unit| is_capital(unit)).count();
    let digits = text.len() - letters;
    (1..=8).contains(&letters) && (2..=6).contains(&digits) && text.iter().skip(letters).all(|&unit| is_digit(unit))
}

/// True for `Type` of `TypeError`, also after a long run of other letters; false for `on` of `onError`.
pub(super) fn names_a_class(text: &[u16]) -> bool {
    let dot = text.iter().rposition(|&unit| unit == u16::from(b'.')).map_or(0, |dot| dot + 1);
    let name = text.get(dot..).unwrap_or_default();
    if name.len() > LONGEST_NAME {
        return name.iter().rev().take(LONGEST_NAME).any(|&unit| is_capital(unit));
    }
    name.first().is_some_and(|&unit| is_capital(unit))
}

/// True if the text after a colon describes an error: not `0 in 3 files`, `none` or `null,`, but `null pointer`.
pub(super) fn says_something(after: &[u16]) -> bool {
    let blank = after.iter().take_while(|&&unit| is_space(unit)).count();
    let value = after.get(blank..).unwrap_or_default();
    let is_end = |unit: u16| !is_visible(unit) || matches!(letter(unit), ',' | ';' | ')' | '}' | ']' | '|');
    let word_length = match value.first().map(|&unit| letter(unit)) {
        None => return false,
        // Empty brackets count as a word.
        Some('[' | '{') => 2,
        _ => value.iter().take_while(|&&unit| !is_end(unit)).count(),
    };
    let (word, rest) = value.split_at_checked(word_length).unwrap_or((value, &[]));
    let is = |text: &str| {
        text.len() == word.len() && text.bytes().zip(word).all(|(own, &unit)| u16::from(own) == fold(unit))
    };
    let is_alone = rest.iter().all(|&unit| is_end(unit));
    let says_nothing = word.is_empty() || is("0") || (is_alone && NOTHING.iter().any(|text| is(text)));
    !says_nothing
}
