//! Parses JSON as JavaScript writes it: an escaped half of a surrogate pair is accepted.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

const REPLACEMENT: &str = "\\ufffd";

/// Lone surrogates become U+FFFD. O(n), twice if there are any.
///
/// # Errors
///
/// If `text` is not JSON, or nested deeper than 127.
pub fn parse(text: &str) -> serde_json::Result<Value> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        // A model or a tool result may be cut off inside an emoji, and the whole message would be lost.
        Err(error) => match with_whole_pairs(text) {
            Cow::Borrowed(_) => Err(error),
            Cow::Owned(repaired) => serde_json::from_str(&repaired),
        },
    }
}

fn with_whole_pairs(text: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let mut rest = text;
    let mut copied = false;
    while let Some((before, escape)) = rest.split_once('\\') {
        let Some((unit, after)) = unit_of(escape) else {
            let skipped = escape.chars().next().map_or(0, char::len_utf8);
            let (escaped, after) = escape.split_at(skipped);
            repaired.extend([before, "\\", escaped]);
            rest = after;
            continue;
        };
        let low = after.strip_prefix('\\').and_then(unit_of).filter(|(low, _)| is_low(*low));
        repaired.push_str(before);
        match (unit, low) {
            (0xd800..=0xdbff, Some((low, end))) => {
                let _ = write!(repaired, "\\u{unit:04x}\\u{low:04x}");
                rest = end;
            }
            (0xd800..=0xdfff, _) => {
                repaired.push_str(REPLACEMENT);
                copied = true;
                rest = after;
            }
            _ => {
                let _ = write!(repaired, "\\u{unit:04x}");
                rest = after;
            }
        }
    }
    repaired.push_str(rest);
    if copied { Cow::Owned(repaired) } else { Cow::Borrowed(text) }
}

fn unit_of(escape: &str) -> Option<(u32, &str)> {
    let (digits, after) = escape.strip_prefix('u')?.split_at_checked(4)?;
    let all_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let unit = all_hex.then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((unit, after))
}

const fn is_low(unit: u32) -> bool {
    matches!(unit, 0xdc00..=0xdfff)
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
