//! Parses JSON as JavaScript writes it: an escaped half of a surrogate pair is accepted.

use std::borrow::Cow;

use serde_json::Value;

/// The value of a JSON text, in which lone surrogates become U+FFFD. O(text), twice if there are any.
///
/// # Errors
///
/// If `text` is not JSON, or nested deeper than 127.
pub fn parse(text: &str) -> serde_json::Result<Value> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        // A model or a tool result may be cut off inside an emoji, and the whole message would be lost.
        Err(error) => match without_lone_surrogates(text) {
            Cow::Borrowed(_) => Err(error),
            Cow::Owned(repaired) => serde_json::from_str(&repaired),
        },
    }
}

/// `text` with U+FFFD for each escaped surrogate without its other half.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let escape = at + found;
        at = match (escaped_unit_at(text, escape), escaped_unit_at(text, escape + ESCAPE_LENGTH)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => escape + 2 * ESCAPE_LENGTH,
            (Some(0xd800..=0xdfff), _) => {
                repaired.push_str(text.get(copied..escape).unwrap_or_default());
                repaired.push_str("\\ufffd");
                copied = escape + ESCAPE_LENGTH;
                copied
            }
            _ => {
                let escaped = text.get(escape + 1..).and_then(|rest| rest.chars().next());
                escape + 1 + escaped.map_or(0, char::len_utf8)
            }
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    repaired.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(repaired)
}

/// Bytes of an escape such as `\ufffd`.
const ESCAPE_LENGTH: usize = 6;

/// The UTF-16 unit whose escape is at `at`.
fn escaped_unit_at(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + ESCAPE_LENGTH)?.strip_prefix("\\u")?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r0_2_halves_of_pairs_become_u_fffd_and_whole_pairs_stay() {
        let cases = [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""a\udE00b""#, "a\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ude00\ud83d\ude00\n中""#, "\u{fffd}\u{1f600}\n中"),
            (r#""\\ud83d\u0000\"""#, "\\ud83d\0\""),
            (r#""\\\ud83d""#, "\\\u{fffd}"),
            ("\u{feff} \"x\"", "x"),
        ];
        for (text, wanted) in cases {
            assert_eq!(parse(text).unwrap(), Value::from(wanted), "{text}");
        }
    }

    #[test]
    fn r0_3_what_is_no_json_is_an_error_whatever_else_is_odd() {
        let deep = "[".repeat(100_000);
        for text in
            ["", "{", r#"{"a":"\ud83d"#, r#""\u12"#, r#""\ud83d\u"#, "\"\\", r#""\中\ud800""#, deep.as_str()]
        {
            assert!(parse(text).is_err(), "{text:.40}");
        }
    }
}
