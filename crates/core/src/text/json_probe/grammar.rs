//! Finds the ends of JSON values by the grammar of `JSON.parse`, with an explicit stack.

use crate::text::utf16::{equals_ascii, letter};

pub const QUOTE: u16 = 0x22;
pub const BACKSLASH: u16 = 0x5C;
pub const OPEN_BRACE: u16 = 0x7B;
pub const CLOSE_BRACE: u16 = 0x7D;
pub const OPEN_BRACKET: u16 = 0x5B;
pub const CLOSE_BRACKET: u16 = 0x5D;
pub const COMMA: u16 = 0x2C;
pub const COLON: u16 = 0x3A;

pub fn is_at_end(text: &[u16], at: usize) -> bool {
    skip_white_space(text, at) == text.len()
}

pub fn skip_white_space(text: &[u16], mut at: usize) -> usize {
    while matches!(text.get(at), Some(0x20 | 0x0A | 0x0D | 0x09)) {
        at += 1;
    }
    at
}

/// The end of the value that starts at `at`, or `None` if it is invalid; for `CHECKED` see [`skip_string`].
pub fn skip_value<const CHECKED: bool>(text: &[u16], mut at: usize) -> Option<usize> {
    // One entry per open container, true for an object: depth costs one byte, no stack.
    let mut open: Vec<bool> = Vec::new();
    loop {
        match *text.get(at)? {
            unit @ (OPEN_BRACE | OPEN_BRACKET) => {
                let in_object = unit == OPEN_BRACE;
                let close = if in_object { CLOSE_BRACE } else { CLOSE_BRACKET };
                at = skip_white_space(text, at + 1);
                if *text.get(at)? != close {
                    open.push(in_object);
                    if in_object {
                        (_, at) = read_key::<CHECKED>(text, at)?;
                    }
                    continue;
                }
                at += 1;
            }
            QUOTE => at = skip_string::<CHECKED>(text, at + 1)?,
            0x74 => at = skip_word(text, at, "true")?,
            0x66 => at = skip_word(text, at, "false")?,
            0x6E => at = skip_word(text, at, "null")?,
            _ => at = skip_number(text, at)?,
        }
        // Closes all containers that end after the value.
        loop {
            let Some(&in_object) = open.last() else { return Some(at) };
            at = skip_white_space(text, at);
            match *text.get(at)? {
                COMMA => break,
                CLOSE_BRACE if in_object => open.pop(),
                CLOSE_BRACKET if !in_object => open.pop(),
                _ => return None,
            };
            at += 1;
        }
        at = skip_white_space(text, at + 1);
        if open.last() == Some(&true) {
            (_, at) = read_key::<CHECKED>(text, at)?;
        }
    }
}

/// Reads the member's key at `at`, as written between its quotes; also returns the offset of the value.
pub fn read_key<const CHECKED: bool>(text: &[u16], at: usize) -> Option<(&[u16], usize)> {
    if *text.get(at)? != QUOTE {
        return None;
    }
    let end = skip_string::<CHECKED>(text, at + 1)?;
    let colon = skip_white_space(text, end);
    if *text.get(colon)? != COLON {
        return None;
    }
    Some((text.get(at + 1..end - 1)?, skip_white_space(text, colon + 1)))
}

/// The offset after the closing quote, given the offset after the opening one. Without `CHECKED`, escapes and control characters are
/// not validated, and only a valid string's end is correct: several times as fast on command output, which is full of line ends.
pub fn skip_string<const CHECKED: bool>(text: &[u16], mut at: usize) -> Option<usize> {
    let start = at;
    loop {
        at += run_until(text.get(at..)?, |unit| (unit == QUOTE) | (CHECKED & ((unit == BACKSLASH) | (unit < 0x20))));
        match *text.get(at)? {
            QUOTE if CHECKED => return Some(at + 1),
            QUOTE => {
                let backslashes = backslashes_before(text.get(start..)?, at - start);
                at += 1;
                if backslashes.is_multiple_of(2) {
                    return Some(at);
                }
            }
            BACKSLASH => match *text.get(at + 1)? {
                // `"`, the backslash, `/`, `b`, `f`, `n`, `r`, `t`, and `u` with four digits.
                0x22 | 0x5C | 0x2F | 0x62 | 0x66 | 0x6E | 0x72 | 0x74 => at += 2,
                0x75 => {
                    hex4(text.get(at + 2..at + 6)?)?;
                    at += 6;
                }
                _ => return None,
            },
            _ => return None,
        }
    }
}

pub fn backslashes_before(text: &[u16], at: usize) -> usize {
    text.get(..at).unwrap_or_default().iter().rev().take_while(|&&unit| unit == BACKSLASH).count()
}

/// The number of units before the first `special` one.
pub fn run_until(text: &[u16], special: impl Fn(u16) -> bool) -> usize {
    const BITS: [u16; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];
    // Whole blocks without a branch per unit: the compiler turns this into vector compares.
    let mut run = 0;
    for block in text.chunks_exact(16) {
        let found = block.iter().zip(BITS).fold(0, |any, (&unit, bit)| any | if special(unit) { bit } else { 0 });
        if found != 0 {
            return run + found.trailing_zeros() as usize;
        }
        run += 16;
    }
    let rest = text.get(run..).unwrap_or_default();
    run + rest.iter().position(|&unit| special(unit)).unwrap_or(rest.len())
}

fn skip_word(text: &[u16], at: usize, word: &str) -> Option<usize> {
    let end = at + word.len();
    equals_ascii(text.get(at..end)?, word).then_some(end)
}

fn skip_number(text: &[u16], mut at: usize) -> Option<usize> {
    if text.get(at) == Some(&0x2D) {
        at += 1;
    }
    match *text.get(at)? {
        0x30 => at += 1,
        0x31..=0x39 => at = skip_digits(text, at)?,
        _ => return None,
    }
    if text.get(at) == Some(&0x2E) {
        at = skip_digits(text, at + 1)?;
    }
    if matches!(text.get(at), Some(0x65 | 0x45)) {
        at += 1;
        if matches!(text.get(at), Some(0x2B | 0x2D)) {
            at += 1;
        }
        at = skip_digits(text, at)?;
    }
    Some(at)
}

fn skip_digits(text: &[u16], start: usize) -> Option<usize> {
    let digits = text.get(start..)?.iter().take_while(|&&unit| matches!(unit, 0x30..=0x39)).count();
    (digits > 0).then_some(start + digits)
}

fn hex4(digits: &[u16]) -> Option<u16> {
    digits.iter().try_fold(0u16, |value, &unit| {
        let digit = letter(unit).to_digit(16)?;
        Some((value << 4) | u16::try_from(digit).ok()?)
    })
}

/// The value of a string, given the text between its quotes, which must be valid.
pub fn decode(body: &[u16]) -> Vec<u16> {
    let mut decoded = Vec::with_capacity(body.len());
    let mut units = body.iter().copied();
    while let Some(unit) = units.next() {
        if unit != BACKSLASH {
            decoded.push(unit);
            continue;
        }
        // `b`, `f`, `n`, `r`, `t`, and `u` with four digits; all others represent themselves.
        decoded.push(match units.next() {
            Some(0x62) => 0x08,
            Some(0x66) => 0x0C,
            Some(0x6E) => 0x0A,
            Some(0x72) => 0x0D,
            Some(0x74) => 0x09,
            Some(0x75) => {
                let digits: Vec<u16> = units.by_ref().take(4).collect();
                hex4(&digits).unwrap_or(0xFFFD)
            }
            Some(other) => other,
            None => BACKSLASH,
        });
    }
    decoded
}
