//! Decides from a result's end whether its command succeeded, which settles most results without reading the output.

use super::forms::EXIT_CODES;
use crate::text::json_probe::grammar::{
    BACKSLASH, CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE, backslashes_before,
};
use crate::text::utf16::equals_ascii;

/// True if the units up to a result's only `}` say that its command exited with 0 and wrote nothing to `stderr`; false if they do not
/// settle it. The content must begin with `{`.
///
/// A success ends with `"stderr":"","exitCode":0}`, perhaps a few more small members, and text that the application appended. Without
/// another brace the last members can be read backwards, and nothing before an exit code of 0 makes it a failure.
pub fn ends_as_success(end: &[u16]) -> bool {
    let Some((&CLOSE_BRACE, rest)) = end.split_last() else { return false };
    last_members_succeed(rest).unwrap_or(false)
}

/// `None` if a member is too large or has an unexpected form.
fn last_members_succeed(mut rest: &[u16]) -> Option<bool> {
    let (mut stderr_settled, mut exit_settled) = (false, false);
    while !(stderr_settled && exit_settled) {
        let (before_value, value, is_text) = last_value(trim_json_end(rest))?;
        let (&COLON, before_colon) = trim_json_end(before_value).split_last()? else { return None };
        let (before_key, key) = last_string(trim_json_end(before_colon))?;
        if key.contains(&BACKSLASH) {
            return None;
        }
        // Read backwards, the first match is the last duplicate.
        if equals_ascii(key, "stderr") && !stderr_settled {
            if is_text && !value.is_empty() {
                return None;
            }
            stderr_settled = true;
        } else if !exit_settled && EXIT_CODES.iter().any(|name| equals_ascii(key, name)) {
            // Other spellings of zero are left to a full read.
            if value != [0x30] {
                return None;
            }
            exit_settled = true;
        }
        match trim_json_end(before_key).split_last()? {
            (&COMMA, before) => rest = before,
            (&OPEN_BRACE, _) => return Some(exit_settled),
            _ => return None,
        }
    }
    Some(true)
}

/// The text before the value, the value, and whether it is a string; `None` for anything but a string, number or literal.
fn last_value(text: &[u16]) -> Option<(&[u16], &[u16], bool)> {
    if text.last() == Some(&QUOTE) {
        let (before, body) = last_string(text)?;
        return Some((before, body, true));
    }
    let is_word = |unit: &u16| matches!(unit, 0x30..=0x39 | 0x61..=0x7A | 0x45 | 0x2B | 0x2D | 0x2E);
    let start = text.iter().rposition(|unit| !is_word(unit)).map_or(0, |at| at + 1);
    let (before, word) = text.split_at_checked(start)?;
    (!before.is_empty() && !word.is_empty()).then_some((before, word, false))
}

/// The text before the string that `text` ends with, and the string's body.
fn last_string(text: &[u16]) -> Option<(&[u16], &[u16])> {
    let (&QUOTE, inside) = text.split_last()? else { return None };
    let mut end = inside.len();
    loop {
        let open = inside.get(..end)?.iter().rposition(|&unit| unit == QUOTE)?;
        let before = inside.get(..open)?;
        let escapes = backslashes_before(before, before.len());
        // The backslashes may continue before this text.
        if escapes == before.len() {
            return None;
        }
        if escapes.is_multiple_of(2) {
            return Some((before, inside.get(open + 1..)?));
        }
        end = open;
    }
}

fn trim_json_end(text: &[u16]) -> &[u16] {
    let end = text.iter().rposition(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09)).map_or(0, |at| at + 1);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
