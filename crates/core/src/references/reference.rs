//! A reference to lines of an earlier text: its words, and the text that has it in place of lines.

use std::ops::Range;

use super::numbered_lines::{Line, span};
use crate::results::Language;
use crate::text::utf16::units;

/// The origin of lines, numbered as the caller numbers rows and calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    Result(u32),
    /// A call, with the lines in its arguments.
    Call(u32),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The omitted lines, from 0.
    pub lines: Range<usize>,
    pub source: Source,
    /// The lines' place in the source text, from 0.
    pub source_lines: Range<usize>,
    /// Line numbers as shown: those that the tool printed, or counted from 1.
    pub shown_lines: Range<u32>,
    /// The same for the source text.
    pub source_shown_lines: Range<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortened {
    pub text: Vec<u16>,
    pub references: Vec<Reference>,
}

/// Labels a source, as in [`reference_text`].
pub type LabelOf<'l> = dyn FnMut(Source) -> Vec<u16> + 'l;

/// The text of a reference. `label` names the source: `#7 Read src/a.ts`. The source's lines are named only if their numbers differ.
pub fn reference_text(language: Language, reference: &Reference, label: &[u16]) -> Vec<u16> {
    let lines = range_text(&reference.shown_lines);
    let source_lines = Some(range_text(&reference.source_shown_lines)).filter(|source| *source != lines);
    let (before_label, after_label) = match (language, source_lines) {
        (Language::English, None) => (format!("[lines {lines} as in "), "]".to_owned()),
        (Language::English, Some(source)) => (format!("[lines {lines} as {source} in "), "]".to_owned()),
        (Language::Chinese, None) => (format!("[第 {lines} 行同 "), "]".to_owned()),
        (Language::Chinese, Some(source)) => (format!("[第 {lines} 行同 "), format!(" 第 {source} 行]")),
    };
    [units(&before_label).as_slice(), label, units(&after_label).as_slice()].concat()
}

fn range_text(lines: &Range<u32>) -> String {
    format!("{}–{}", lines.start, lines.end.saturating_sub(1))
}

/// `text` with each reference's lines replaced by its words.
pub fn apply_references(text: &[u16], lines: &[Line], references: Vec<(Reference, Vec<u16>)>) -> Shortened {
    let mut written = Vec::new();
    let mut at = 0;
    for (reference, words) in &references {
        let omitted = span(text, lines, reference.lines.clone());
        written.extend_from_slice(text.get(at..omitted.start).unwrap_or_default());
        written.extend_from_slice(words);
        at = omitted.end;
    }
    written.extend_from_slice(text.get(at..).unwrap_or_default());
    let references = references.into_iter().map(|(reference, _)| reference).collect();
    Shortened { text: written, references }
}
