//! Repairs text that JavaScript writes and Rust rejects: lone surrogates and invalid UTF-8.

use std::borrow::Cow;

use crate::{Json, NoteKind, Notes};

/// The line as text; invalid bytes become U+FFFD, with a note.
pub(crate) fn text_of<'a>(bytes: &'a [u8], notes: &mut Notes) -> Cow<'a, str> {
    // Most texts are valid, and validating is much faster than a lossy conversion.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    notes.add(NoteKind::InvalidText, || "bytes that are no UTF-8 read as U+FFFD".to_owned());
    String::from_utf8_lossy(bytes)
}

/// `text` with each lone surrogate escape replaced by `\ufffd`; `None` if it has none.
pub(crate) fn without_lone_surrogates(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut repaired: Option<Vec<u8>> = None;
    let mut next = 0;
    while let Some(offset) = bytes.get(next..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let start = next + offset;
        // A backslash and the character that it escapes.
        next = start + 2;
        let Some(unit) = escaped_unit(bytes, start) else { continue };
        next = start + ESCAPE_BYTES;
        let is_high = (0xD800..0xDC00).contains(&unit);
        if is_high && escaped_unit(bytes, next).is_some_and(|low| (0xDC00..0xE000).contains(&low)) {
            next += ESCAPE_BYTES;
        } else if (0xD800..0xE000).contains(&unit) {
            let copy = repaired.get_or_insert_with(|| bytes.to_vec());
            if let Some(digits) = copy.get_mut(start + 2..start + ESCAPE_BYTES) {
                digits.copy_from_slice(b"fffd");
            }
        }
    }
    repaired.and_then(|bytes| String::from_utf8(bytes).ok())
}

const ESCAPE_BYTES: usize = 6;

/// The code unit of the escape `\uXXXX` at offset `start`.
fn escaped_unit(bytes: &[u8], start: usize) -> Option<u32> {
    let digits = bytes.get(start..start + ESCAPE_BYTES)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

/// Parses `text` as one JSON value and passes it to `then`; if that fails, again without lone surrogates.
pub(crate) fn parse_or_repair<T>(
    text: &str,
    skipped: &[&str],
    notes: &mut Notes,
    then: impl FnOnce(Json<'_>, &mut Notes) -> T,
) -> Result<T, serde_json::Error> {
    let error = match Json::parse(text, skipped) {
        Ok(value) => return Ok(then(value, notes)),
        Err(error) => error,
    };
    let Some(repaired) = without_lone_surrogates(text) else { return Err(error) };
    let value = Json::parse(&repaired, skipped)?;
    notes.add(NoteKind::LoneSurrogate, || "half a surrogate pair read as U+FFFD".to_owned());
    Ok(then(value, notes))
}

#[cfg(test)]
mod tests;
