//! Decides whether a whole string of a tool result is binary data, and which placeholder replaces it (R5.2, R5.3). One generated image once
//! cost 5 million tokens; but a wrong guess deletes information that the model needs, so only text that nobody would write by hand counts.

use super::base64_tokens::{Alphabet, is_all_symbols};
use crate::text::utf16::{is_line_break, letter, starts_with_ascii};

/// The value of these fields is binary data whatever it looks like, if it is long enough (R5.2).
pub const LARGE_DATA_FIELDS: [&str; 5] = ["imageBase64", "screenshotData", "pdfImages", "audioData", "videoData"];
/// UTF-16 units. Shorter strings stay: short data is cheap, and easily misjudged (R5.3).
pub const SIZE_THRESHOLD: usize = 10_000;
/// A known field with at most this much data stays too: no image is that small, and a name costs less than its placeholder.
const FLOOR_UNITS: u64 = 100;
/// UTF-16 units. No operating system accepts a longer path, and URLs that work everywhere are shorter.
pub const LONGEST_LOCATION: usize = 4_096;
/// Units of the longest line that an encoder writes (RFC 2045).
const LONGEST_WRAPPED_LINE: usize = 76;
/// Units. Shorter lines are columns of values, not wrapped data.
const SHORTEST_WRAPPED_LINE: usize = 16;
/// Units tested at once; text that isn't data fails in the first block.
const BLOCK: usize = 512;

/// How much of a known field's value is data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldUnits {
    pub total: u64,
    /// Units that are not in paths or URLs.
    pub data: u64,
}

/// The placeholder for a known field's value; `None` if it stays, because it is very short or only says where the data is (R5.2).
pub fn binary_placeholder(units: FieldUnits) -> Option<String> {
    (units.data > FLOOR_UNITS).then(|| format!("[BINARY_DATA_FILTERED: {}]", size_text(units.total)))
}

/// Units of a list of `count` bytes in a known field: a few numbers are page numbers, not data.
pub fn listed_units(count: usize) -> u64 {
    let count = count as u64;
    if count > FLOOR_UNITS { count } else { 0 }
}

/// True if a text is a URL or a path, or begins as one: it says where data is. Base64 of a JPEG begins with a slash, so text that is all
/// base64 is no path. O(text), at most [`LONGEST_LOCATION`].
pub fn is_location(text: &[u16]) -> bool {
    if text.len() > LONGEST_LOCATION || text.iter().any(|&unit| unit < 0x20) {
        return false;
    }
    has_scheme(text) || (begins_as_path(text) && !is_base64(text))
}

/// `https://`, `file://`, `s3://` …; a data URL has no slashes.
fn has_scheme(text: &[u16]) -> bool {
    let scheme = text.iter().take_while(|&&unit| letter(unit).is_ascii_alphanumeric()).count();
    text.first().is_some_and(|&unit| letter(unit).is_ascii_alphabetic())
        && text.get(scheme..).is_some_and(|rest| starts_with_ascii(rest, "://"))
}

fn begins_as_path(text: &[u16]) -> bool {
    let mut letters = text.iter().map(|&unit| letter(unit));
    let first_three = (letters.next(), letters.next(), letters.next());
    let has_drive = matches!(first_three, (Some('A'..='Z' | 'a'..='z'), Some(':'), Some('/' | '\\')));
    has_drive || ["/", "./", "../", "~/", "\\\\"].iter().any(|start| starts_with_ascii(text, start))
}

/// The placeholder for a string of `units` UTF-16 units that is in no known field (R5.3).
pub fn large_placeholder(units: u64) -> String {
    format!("[LARGE_DATA_FILTERED: {}]", size_text(units))
}

/// `units / 1024` with one decimal, rounded as `Number.prototype.toFixed(1)` does: ties, which are exact in binary, round up.
fn size_text(units: u64) -> String {
    let tenths = (u128::from(units) * 10 + 512) / 1024;
    format!("{}.{}KB", tenths / 10, tenths % 10)
}

/// The original function's rule for a string in `metadata`, for applications that request it (R5.3): it is longer than
/// [`SIZE_THRESHOLD`], and begins with `data:` or has only the letters of base64, as also DNA and numbers do. O(text); other text is
/// rejected within its first 512 units.
pub fn is_large_data(text: &[u16]) -> bool {
    // As the original function's `/^[A-Za-z0-9+/=]+$/`.
    let has_only_base64_letters =
        || text.split(|&unit| unit == u16::from(b'=')).all(|part| is_written_in(part, Alphabet::Standard));
    text.len() > SIZE_THRESHOLD && (is_data_url(text) || has_only_base64_letters() || is_base64(text))
}

/// False if a text that begins so can't be large data: the caller need not read the rest.
pub fn may_be_large_data(beginning: &[u16]) -> bool {
    is_data_url(beginning)
        || beginning.split(|&unit| is_line_break(unit) || unit == u16::from(b'=')).all(is_of_one_alphabet)
}

fn is_data_url(text: &[u16]) -> bool {
    starts_with_ascii(text, "data:")
}

/// Text that isn't in the alphabet is rejected within its first [`BLOCK`].
fn is_written_in(text: &[u16], alphabet: Alphabet) -> bool {
    text.chunks(BLOCK).all(|block| is_all_symbols(block, alphabet))
}

fn is_of_one_alphabet(text: &[u16]) -> bool {
    Alphabet::ALL.into_iter().any(|alphabet| is_written_in(text, alphabet))
}

/// True for one alphabet, at most two `=` at the end, one line or lines as an encoder wraps them.
fn is_base64(text: &[u16]) -> bool {
    let end = text.iter().rposition(|&unit| !is_line_break(unit)).map_or(0, |last| last + 1);
    let text = text.get(..end).unwrap_or_default();
    let padding = text.iter().rev().take(2).take_while(|&&unit| unit == u16::from(b'=')).count();
    let unpadded = text.get(..text.len() - padding).unwrap_or_default();
    if unpadded.is_empty() {
        return false;
    }
    // One line is the most common form: binary data arrives as JSON fields.
    is_of_one_alphabet(unpadded) || is_wrapped_base64(unpadded)
}

/// True for lines of equal length, only the last shorter, in one alphabet. Lists of hashes, UUIDs or single letters look like that too,
/// so without a `+` or `/`, lines must be as long as encoders make them, and must not be only hexadecimal.
fn is_wrapped_base64(text: &[u16]) -> bool {
    let lines = || text.split(|&unit| unit == 0x0A).map(|line| line.strip_suffix(&[0x0D]).unwrap_or(line));
    let width = lines().next().map_or(0, <[u16]>::len);
    if !(SHORTEST_WRAPPED_LINE..=LONGEST_WRAPPED_LINE).contains(&width) {
        return false;
    }
    let [is_standard, is_url_safe] = Alphabet::ALL.map(|alphabet| lines().all(|line| is_written_in(line, alphabet)));
    let mut from_last = lines().rev();
    let has_equal_lines =
        from_last.next().is_some_and(|last| last.len() <= width) && from_last.all(|line| line.len() == width);
    if !has_equal_lines || !(is_standard || is_url_safe) {
        return false;
    }
    !is_url_safe || (width >= 60 && width.is_multiple_of(4) && !is_list_of_numbers(text))
}

/// True for only hexadecimal or decimal digits (and dashes).
fn is_list_of_numbers(text: &[u16]) -> bool {
    let is_number = |unit: u16| letter(unit).is_ascii_hexdigit() || unit == 0x2D;
    text.iter().all(|&unit| is_number(unit) || is_line_break(unit))
        && text.iter().any(|&unit| letter(unit).is_ascii_digit())
}

#[cfg(test)]
mod tests;
