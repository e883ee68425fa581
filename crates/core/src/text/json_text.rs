//! Parses JSON as JavaScript writes it: an escaped half of a surrogate pair is accepted.

use serde_json::Value;

/// The value of a JSON text, in which lone surrogates become U+FFFD. O(text), twice if there are any.
///
/// # Errors
/// If `text` is not JSON, or nested deeper than 127.
pub fn parse(text: &str) -> serde_json::Result<Value> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        // A model or a tool result may be cut off inside an emoji, and the whole message would be lost.
        Err(_) if text.contains("\\u") => serde_json::from_str(&without_lone_surrogates(text)),
        parsed => parsed,
    }
}

const ESCAPE_LENGTH: usize = 6;

/// `text` with U+FFFD for each escaped surrogate without its other half.
fn without_lone_surrogates(text: &str) -> String {
    let mut repaired = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(escape) = rest.find('\\') {
        let (before, escaped) = rest.split_at_checked(escape).unwrap_or((rest, ""));
        repaired.push_str(before);
        let length = match (escaped_unit_at(escaped, 0), escaped_unit_at(escaped, ESCAPE_LENGTH)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE_LENGTH,
            (Some(0xd800..=0xdfff), _) => {
                repaired.push_str("\\ufffd");
                rest = escaped.get(ESCAPE_LENGTH..).unwrap_or_default();
                continue;
            }
            // The escaped character may be a backslash.
            _ => escaped.chars().take(2).map(char::len_utf8).sum(),
        };
        let (copied, after) = escaped.split_at_checked(length).unwrap_or((escaped, ""));
        repaired.push_str(copied);
        rest = after;
    }
    repaired + rest
}

fn escaped_unit_at(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + ESCAPE_LENGTH)?.strip_prefix("\\u")?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests;
