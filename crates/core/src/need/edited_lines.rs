//! Compares the lines that an edit must find with those that a tool printed, ignoring indentation, line numbers and spacing.

use crate::text::hash::{FNV_START, fnv1a_step};

/// Letters and digits; lines with fewer, such as `} else {`, occur everywhere.
const MIN_LETTERS: usize = 8;

/// The line's hash, with each run of white space as one space and none at both ends; `None` for a line with too few letters.
pub(super) fn hash_of(line: &[u8]) -> Option<u64> {
    let mut hash = FNV_START;
    let mut letters = 0;
    for (index, word) in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).enumerate() {
        if index > 0 {
            hash = fnv1a_step(hash, b' '.into());
        }
        for &byte in word {
            hash = fnv1a_step(hash, byte.into());
            // From 0xC3 on, a byte begins a letter beyond ASCII.
            letters += usize::from(byte.is_ascii_alphanumeric() || byte >= 0xC3);
        }
    }
    (letters >= MIN_LETTERS).then_some(hash)
}

/// Removes a line number printed by a tool: `12→`, `L12:`, `12 | `, `12:3:`.
pub(super) fn without_number(line: &[u8]) -> &[u8] {
    let mut rest = line;
    while let Some(shorter) = after_number(rest.trim_ascii_start()) {
        rest = shorter;
    }
    rest
}

/// The rest after a line number and its separator; `None` if the line begins with none.
fn after_number(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"L").unwrap_or(line);
    let digits = digits_of(line);
    let after_digits = line.get(digits..).filter(|_| digits > 0)?;
    let has_tab = after_digits.first() == Some(&b'\t');
    let rest = if has_tab { after_digits } else { after_digits.trim_ascii_start() };
    let rest = rest.strip_prefix("→".as_bytes()).or_else(|| match rest.split_first() {
        Some((b'|' | b':' | b'\t' | b'-', rest)) => Some(rest),
        _ => None,
    })?;
    Some(rest.strip_prefix(b" ").unwrap_or(rest))
}

/// The rest after the location printed by a search: `src/a.ts:12:`, `src/a.ts-12-`; `None` if the line begins with none.
pub(super) fn without_location(line: &[u8]) -> Option<&[u8]> {
    let path_end = line.iter().position(|byte| matches!(byte, b':' | b' ' | b'\t'))?;
    let after_location = |separator_at: usize| {
        let separator = line.get(separator_at).filter(|_| separator_at > 0)?;
        let rest = line.get(separator_at + 1..)?;
        let digits = digits_of(rest);
        (digits > 0 && rest.get(digits) == Some(separator)).then(|| rest.get(digits + 1..)).flatten()
    };
    // `grep` prints `:` on matching lines and `-` on the lines around them.
    let colon = Some(path_end).filter(|&end| line.get(end) == Some(&b':'));
    let path = line.get(..path_end)?;
    let dashes = (0..path.len()).filter(|&index| path.get(index) == Some(&b'-'));
    colon.into_iter().chain(dashes).find_map(after_location)
}

fn digits_of(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests;
