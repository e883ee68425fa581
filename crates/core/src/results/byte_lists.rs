//! Finds bytes that are written as numbers: `[137, 80, 78, …]`, the JSON of a `Buffer`, and `{"0": 137, "1": 80, …}`,
//! that of a `Uint8Array`. At ten units per byte they cost more than base64.

use std::ops::Range;

use super::base64_tokens::skip_break;
use crate::text::json_probe::grammar::{
    BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, backslashes_before,
    run_until, skip_white_space,
};
use crate::text::utf16::{letter, starts_with_ascii, units};

/// Bytes. A longer list is, as JSON, longer than the threshold for text: its shortest elements are `0,`.
pub const MAX_LISTED: usize = 5_000;
/// Bytes. The same limit for an object with an index before each byte.
pub const MAX_INDEXED: usize = 1_250;
/// A compressed file uses almost all byte values; scores, durations and percentages use fewer.
const MIN_VALUES: usize = 200;
/// Beginnings of common binary files: PNG, JPEG, GIF, WebP and WAV, PDF, ZIP, gzip, BMP.
const BEGINNINGS: [&[u8]; 8] =
    [b"\x89PNG", b"\xFF\xD8\xFF", b"GIF8", b"RIFF", b"%PDF", b"PK\x03\x04", b"\x1F\x8B\x08", b"BM"];
/// Units between the starts of two windows.
const STRIDE: usize = 4_096;
const WINDOW: usize = 64;
/// Units. No window starts further than this after the beginning of its list.
const LOOK_BACK: usize = STRIDE + 2 * WINDOW;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByteList {
    pub range: Range<usize>,
    pub byte_count: usize,
    /// The number of backslashes that a quotation mark needs at that place.
    pub backslashes: usize,
}

/// The byte that a number in a list means, also if it is one of Java's signed bytes.
pub fn byte_of(value: i16) -> Option<u8> {
    u8::try_from(value).or_else(|_| i8::try_from(value).map(i8::cast_unsigned)).ok()
}

/// True if they are a file's bytes, by their beginning or by how many different values occur.
pub fn are_data(bytes: &[u8]) -> bool {
    let mut occurs = [false; 256];
    for &byte in bytes {
        occurs.get_mut(usize::from(byte)).into_iter().for_each(|occurs| *occurs = true);
    }
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
        || occurs.iter().filter(|&&occurs| occurs).count() >= MIN_VALUES
}

/// The lists of bytes in a text, ascending. A text without lists is only sampled, every few thousand units.
pub fn byte_lists(text: &[u16]) -> Vec<ByteList> {
    let mut lists = Vec::new();
    let (mut at, mut read_until) = (0, 0);
    while let Some(window) = text.get(at..at + WINDOW) {
        if !window.iter().all(|&unit| may_be_in_list(unit)) {
            at += STRIDE;
            continue;
        }
        let from = read_until.max(at.saturating_sub(LOOK_BACK));
        read_until = lists_around(text, from, at, &mut lists);
        at = read_until.max(at + STRIDE);
    }
    lists
}

const fn may_be_in_list(unit: u16) -> bool {
    matches!(letter(unit), '0'..='9' | ',' | '-' | ' ' | '\n' | '\r' | '\t' | '"' | ':' | '\\' | 'n' | 'r' | 't')
}

/// Adds the lists that open between `from` and `hit`; returns the end of the last one.
fn lists_around(text: &[u16], from: usize, hit: usize, lists: &mut Vec<ByteList>) -> usize {
    let mut at = from;
    loop {
        let rest = text.get(at..=hit).unwrap_or_default();
        let start = at + run_until(rest, |unit| (unit == OPEN_BRACKET) | (unit == OPEN_BRACE));
        if start > hit || rest.is_empty() {
            return start;
        }
        let (end, list) = read_list(text, start);
        at = end.max(start + 1);
        lists.extend(list);
    }
}

/// The end of the list that opens at `start`, or the place where it turns out to be something else; and the list if it is data.
pub fn read_list(text: &[u16], start: usize) -> (usize, Option<ByteList>) {
    let (end, bytes) = read_bytes(text, start);
    let Some(bytes) = bytes else { return (end, None) };
    let before = text.get(..start).unwrap_or_default();
    let limit = if text.get(start) == Some(&OPEN_BRACKET) { MAX_LISTED } else { MAX_INDEXED };
    let is_data = bytes.len() > limit && (is_buffer_data(before) || are_data(&bytes));
    let backslashes = backslashes_of_last_quote(before);
    (end, is_data.then_some(ByteList { range: start..end, byte_count: bytes.len(), backslashes }))
}

/// The place where reading stopped, and the bytes of the list or indexed fields that open at `start`; `None` for anything else.
pub fn read_bytes(text: &[u16], start: usize) -> (usize, Option<Vec<u8>>) {
    let is_list = text.get(start) == Some(&OPEN_BRACKET);
    let close = if is_list { CLOSE_BRACKET } else { CLOSE_BRACE };
    let mut bytes = Vec::new();
    let mut at = skip_spaces(text, start + 1);
    loop {
        if !is_list {
            let Some(end) = read_index(text, at, bytes.len()) else { return (at, None) };
            at = end;
        }
        let Some((end, value)) = read_number(text, at) else { return (at, None) };
        let Some(byte) = byte_of(value) else { return (at, None) };
        bytes.push(byte);
        at = skip_spaces(text, end);
        match text.get(at) {
            Some(&COMMA) => at = skip_spaces(text, at + 1),
            Some(&unit) if unit == close => return (at + 1, Some(bytes)),
            _ => return (at, None),
        }
    }
}

fn skip_spaces(text: &[u16], mut at: usize) -> usize {
    loop {
        let start = at;
        at = skip_break(text, skip_white_space(text, at));
        if at == start {
            return at;
        }
    }
}

fn read_number(text: &[u16], start: usize) -> Option<(usize, i16)> {
    let is_negative = text.get(start) == Some(&0x2D);
    let digits_at = start + usize::from(is_negative);
    let digits = text.get(digits_at..)?.iter().take(4).take_while(|unit| unit.wrapping_sub(0x30) < 10);
    let count = digits.clone().count();
    let value = digits.fold(0, |value, digit| value * 10 + (digit - 0x30).cast_signed());
    (1..=3).contains(&count).then_some((digits_at + count, if is_negative { -value } else { value }))
}

/// The end of `"12":` for index 12, with any number of backslashes before the quotation marks.
fn read_index(text: &[u16], start: usize, index: usize) -> Option<usize> {
    let at = skip_quote(text, start)?;
    let name = index.to_string();
    let rest = text.get(at..)?;
    if !starts_with_ascii(rest, &name) {
        return None;
    }
    let at = skip_spaces(text, skip_quote(text, at + name.len())?);
    (text.get(at) == Some(&COLON)).then(|| skip_spaces(text, at + 1))
}

fn skip_quote(text: &[u16], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let backslashes = rest.iter().take_while(|&&unit| unit == BACKSLASH).count();
    (rest.get(backslashes) == Some(&QUOTE)).then_some(at + backslashes + 1)
}

/// True if `"type":"Buffer","data":` precedes the list.
fn is_buffer_data(before: &[u16]) -> bool {
    const WORDS: &str = "typeBufferdata";
    let near = before.get(before.len().saturating_sub(128)..).unwrap_or_default();
    let mut letters = Vec::new();
    let mut at = 0;
    while let Some(&unit) = near.get(at) {
        let next = skip_break(near, at);
        if next == at && (unit | 0x20).wrapping_sub(0x61) < 26 {
            letters.push(unit);
        }
        at = next.max(at + 1);
    }
    let last = near.iter().rfind(|unit| !matches!(unit, 0x20 | 0x09 | 0x0A | 0x0D));
    last == Some(&COLON) && letters.ends_with(&units(WORDS))
}

/// The number of backslashes before the last quotation mark of `before`, if that is near its end.
fn backslashes_of_last_quote(before: &[u16]) -> usize {
    let near = before.get(before.len().saturating_sub(256)..).unwrap_or_default();
    near.iter().rposition(|&unit| unit == QUOTE).map_or(0, |quote| backslashes_before(near, quote))
}

#[cfg(test)]
mod tests;
