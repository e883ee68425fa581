//! Classifies characters for the encodings' patterns. `build.rs` generates the table from Unicode's categories.

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`: may precede the lower-case part of a word.
pub const UPPER: u8 = 1;
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: the lower-case part of a word.
pub const LOWER: u8 = 2;
/// `\p{L}`
pub const LETTER: u8 = 4;
/// `\p{N}`
pub const NUMBER: u8 = 8;
/// `\s`
pub const SPACE: u8 = 16;
/// [`BLOCKS`] block numbers, one for each 256 characters, then the distinct blocks of 256 classes each.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/characters.table"));
/// Number of blocks of 256 characters in Unicode.
const BLOCKS: usize = 0x1100;

/// The classes of the character at offset `at` of valid UTF-8, and its length in bytes; `None` at the end.
#[inline]
pub fn class_at(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let &first = text.get(at)?;
    if first < 0x80 {
        // ASCII is in the first block, whose number is 0.
        return Some((TABLE.get(BLOCKS + usize::from(first)).copied().unwrap_or_default(), 1));
    }
    let (code, length) = decode(first, text.get(at + 1..).unwrap_or_default());
    let block = TABLE.get(code >> 8).copied().unwrap_or_default();
    let class = TABLE.get(BLOCKS + usize::from(block) * 256 + (code & 0xFF)).copied().unwrap_or_default();
    Some((class, length))
}

#[inline]
fn decode(first: u8, rest: &[u8]) -> (usize, usize) {
    let next = |index: usize| usize::from(rest.get(index).copied().unwrap_or_default() & 0x3F);
    let first = usize::from(first);
    match first {
        0..0xE0 => ((first & 0x1F) << 6 | next(0), 2),
        0xE0..0xF0 => ((first & 0x0F) << 12 | next(0) << 6 | next(1), 3),
        _ => ((first & 0x07) << 18 | next(0) << 12 | next(1) << 6 | next(2), 4),
    }
}

#[cfg(test)]
#[path = "characters_tests.rs"]
mod tests;
