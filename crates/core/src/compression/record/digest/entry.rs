//! Limits the length of a digest entry, and reads entries and counts.

use serde_json::Value;

use crate::compression::plain_text::plain_text;

/// Makes one line, so that the text can't begin a heading of its own.
pub(crate) fn one_line(text: &str, limit_chars: usize) -> String {
    let text = plain_text(head_of(text, limit_chars));
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ⏎ ");
    bounded(&line, limit_chars)
}

/// Enough of `text` to give `limit_chars` even if escape sequences, blanks and binary data are removed from it: avoids
/// reading a pasted log to its end.
pub(crate) fn head_of(text: &str, limit_chars: usize) -> &str {
    let most_bytes = limit_chars.saturating_mul(16).saturating_add(4_096).min(text.len());
    (0..=most_bytes).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Ends with `…` if something was cut.
pub(crate) fn bounded(text: &str, limit_chars: usize) -> String {
    if text.char_indices().nth(limit_chars).is_none() {
        return text.to_owned();
    }
    text.chars().take(limit_chars.saturating_sub(1)).chain(['…']).collect()
}

pub(crate) fn as_count(entries: usize) -> u32 {
    u32::try_from(entries).unwrap_or(u32::MAX)
}

pub(crate) fn strings_of(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}
