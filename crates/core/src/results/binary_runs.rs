//! Finds the parts of a text that are binary data and replaces only those; JSON, Markdown, HTML or CSS around them is unchanged.
//!
//! The most common case is a screenshot as JSON text in a text block: tools return it, and no provider reads it as an image.

use std::ops::Range;

use super::base64_runs::base64_runs;
use super::binary_data::{SIZE_THRESHOLD, large_placeholder};
use super::byte_lists::{ByteList, byte_lists};
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
    let urls = data_urls(text);
    let mut ranges = Vec::new();
    let mut from = 0;
    for url in urls {
        ranges.extend(base64_runs(text, from..url.start));
        from = url.end;
        ranges.push(url);
    }
    ranges.extend(base64_runs(text, from..text.len()));
    if let [only] = ranges.as_mut_slice() {
        include_last_breaks(text, only);
    }
    let replacement =
        |range: Range<usize>| Replacement { text: large_placeholder(range.len() as u64), range };
    let mut found: Vec<Replacement> = ranges.into_iter().map(replacement).collect();
    let lists = byte_lists(text);
    if !lists.is_empty() {
        found.extend(lists.iter().map(list_replacement));
        found.sort_by_key(|one| one.range.start);
        let mut end = 0;
        found.retain(|one| {
            let is_apart = one.range.start >= end;
            end = end.max(one.range.end);
            is_apart
        });
    }
    found
}

/// `None` if nothing changes.
pub fn without_binary_runs(text: &[u16]) -> Option<Vec<u16>> {
    replaced(text, binary_runs(text))
}

/// `None` if `replacements`, ascending and not overlapping, is empty.
pub fn replaced(text: &[u16], replacements: Vec<Replacement>) -> Option<Vec<u16>> {
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

/// A list is a value of its own, so its placeholder is a JSON string.
fn list_replacement(list: &ByteList) -> Replacement {
    let quote = format!("{}\"", "\\".repeat(list.backslashes));
    let text = format!("{quote}{}{quote}", large_placeholder(list.bytes as u64));
    Replacement { range: list.range.clone(), text }
}

/// If the whole text is data, the range includes the line break of its last line.
fn include_last_breaks(text: &[u16], range: &mut Range<usize>) {
    if range.start == 0 && text.get(range.end..).unwrap_or_default().iter().all(|&unit| is_line_break(unit)) {
        range.end = text.len();
    }
}

#[cfg(test)]
#[path = "binary_runs_tests.rs"]
mod tests;
