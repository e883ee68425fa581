//! Finds the parts of a text that are binary data and replaces only those; JSON, Markdown, HTML or CSS around them is unchanged. Most
//! common is a screenshot as JSON text in a text block: tools return it, and no provider reads it as an image.

use std::ops::Range;

use super::base64_runs::base64_runs;
use super::binary_data::{SIZE_THRESHOLD, large_placeholder};
use super::byte_lists::byte_lists;
use super::data_urls::data_urls;
use crate::text::utf16::is_line_break;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub range: Range<usize>,
    pub text: String,
}

/// The parts of `text` to replace, ascending and not overlapping. O(text).
pub fn binary_runs(text: &[u16]) -> Vec<Replacement> {
    if text.len() <= SIZE_THRESHOLD {
        return Vec::new();
    }
    let mut ranges = Vec::new();
    let mut from = 0;
    for url in data_urls(text) {
        ranges.extend(base64_runs(text, from..url.start));
        from = url.end;
        ranges.push(url);
    }
    ranges.extend(base64_runs(text, from..text.len()));
    // If all of the text is data, the range includes the line break of its last line.
    if let [only] = ranges.as_mut_slice()
        && only.start == 0
        && text.get(only.end..).unwrap_or_default().iter().all(|&unit| is_line_break(unit))
    {
        only.end = text.len();
    }
    let replacement = |range: Range<usize>| Replacement { text: large_placeholder(range.len() as u64), range };
    let mut replacements: Vec<Replacement> = ranges.into_iter().map(replacement).collect();
    // A list is a value of its own, so its placeholder is a JSON string.
    replacements.extend(byte_lists(text).into_iter().map(|list| {
        let quote = format!("{}\"", "\\".repeat(list.backslashes));
        let text = format!("{quote}{}{quote}", large_placeholder(list.byte_count as u64));
        Replacement { range: list.range, text }
    }));
    replacements.sort_by_key(|replacement| replacement.range.start);
    // Of two that overlap, the first stays.
    let mut end = 0;
    replacements.retain(|replacement| {
        let is_apart = replacement.range.start >= end;
        end = end.max(replacement.range.end);
        is_apart
    });
    replacements
}

/// The text with placeholders for its binary data; `None` if it has none.
pub fn without_binary_runs(text: &[u16]) -> Option<Vec<u16>> {
    apply_replacements(text, binary_runs(text))
}

/// The text after all `replacements`, which are ascending and don't overlap; `None` if there are none.
pub fn apply_replacements(text: &[u16], replacements: Vec<Replacement>) -> Option<Vec<u16>> {
    if replacements.is_empty() {
        return None;
    }
    let mut out = Vec::new();
    let mut copied = 0;
    for Replacement { range, text: placeholder } in replacements {
        out.extend_from_slice(text.get(copied..range.start).unwrap_or_default());
        out.extend(placeholder.encode_utf16());
        copied = range.end;
    }
    out.extend_from_slice(text.get(copied..).unwrap_or_default());
    Some(out)
}

#[cfg(test)]
mod tests;
