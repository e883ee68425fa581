//! Decides the text of a reference: `[lines 12–96 as in #7 Read src/a.ts]`.

use std::ops::Range;

use crate::references::lines::{Line, span};
use crate::references::reference::{Reference, Shortened};
use crate::results::Language;
use crate::text::utf16::units;

/// Names the source's lines only if their numbers differ.
pub(super) fn line(language: Language, reference: &Reference, label: &[u16]) -> Vec<u16> {
    let lines = range(&reference.shown_lines);
    let other = Some(range(&reference.source_shown_lines)).filter(|other| *other != lines);
    let (previous, after) = match (language, other) {
        (Language::English, None) => (format!("[lines {lines} as in "), "]".to_owned()),
        (Language::English, Some(other)) => (format!("[lines {lines} as {other} in "), "]".to_owned()),
        (Language::Chinese, None) => (format!("[第 {lines} 行同 "), "]".to_owned()),
        (Language::Chinese, Some(other)) => (format!("[第 {lines} 行同 "), format!(" 第 {other} 行]")),
    };
    [units(&previous).as_slice(), label, units(&after).as_slice()].concat()
}

fn range(lines: &Range<u32>) -> String {
    format!("{}–{}", lines.start, lines.end.saturating_sub(1))
}

/// `text` with each reference's lines replaced by its words.
pub(super) fn shortened(text: &[u16], lines: &[Line], references: Vec<(Reference, Vec<u16>)>) -> Shortened {
    let mut written = Vec::new();
    let mut at = 0;
    for (reference, words) in &references {
        let left_out = span(text, lines, reference.lines.clone());
        written.extend_from_slice(text.get(at..left_out.start).unwrap_or_default());
        written.extend_from_slice(words);
        at = left_out.end;
    }
    written.extend_from_slice(text.get(at..).unwrap_or_default());
    let references = references.into_iter().map(|(reference, _)| reference).collect();
    Shortened { text: written, references }
}
