//! Replaces lines of a tool result that an earlier message of the same prompt contains by a one-line reference. A
//! result is shortened when it is first sent, based only on the messages before it: no later request changes it, and
//! the prompt cache keeps its prefix. So a referenced result stays until all results that refer to it are outdated.

mod line_index;
mod numbered_lines;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use line_index::MIN_UNITS_SAVED;

use crate::results::Language;
use crate::text::utf16::units;
use line_index::LineIndex;
use numbered_lines::{Line, span};

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

/// The texts and the outdated results of one conversation, which is added request by request. A *row* is a message or
/// one of its results. An outdated result gets no new references.
#[derive(Debug, Clone, Default)]
pub struct ReferenceTracker {
    lines: LineIndex,
    /// For each row, the request from which its result is outdated.
    outdated_since: BTreeMap<u32, u32>,
    /// For each row, the rows of the results that refer to it.
    referring: BTreeMap<u32, BTreeSet<u32>>,
    /// For each request number, results that become outdated with it.
    outdated_by_request: BTreeMap<u32, Vec<u32>>,
    /// Outdated results that a result which is not outdated refers to.
    still_referenced: BTreeSet<u32>,
}

impl ReferenceTracker {
    pub fn new(language: Language) -> Self {
        Self { lines: LineIndex::new(language), ..Self::default() }
    }

    pub fn outdate(&mut self, row: u32, outdated_since: u32) {
        if self.outdated_since.insert(row, outdated_since).is_none() {
            self.outdated_by_request.entry(outdated_since).or_default().push(row);
        }
    }

    /// Begins request `number`, the first to send all texts added from now on. Results that may have been removed before get no references.
    pub fn begin_request(&mut self, number: u32) {
        let later = self.outdated_by_request.split_off(&number);
        let newly_outdated = std::mem::replace(&mut self.outdated_by_request, later);
        // Only a newly outdated result makes another one removable.
        if newly_outdated.is_empty() {
            return;
        }
        self.still_referenced.extend(newly_outdated.into_values().flatten());
        let may_be_removed =
            |row: &u32| self.removable_since(*row).is_some_and(|removable_since| removable_since < number);
        let removable: Vec<u32> = self.still_referenced.iter().copied().filter(may_be_removed).collect();
        for row in removable {
            self.still_referenced.remove(&row);
            self.lines.outdate(Source::Result(row));
        }
    }

    /// Adds the texts in a call's arguments, which are JSON text.
    pub fn add_call(&mut self, call: u32, arguments: &[u16]) {
        self.lines.add_call(Source::Call(call), arguments);
    }

    /// Adds a result that is sent in full.
    pub fn add_result(&mut self, row: u32, text: &[u16]) {
        self.lines.add(Source::Result(row), text);
    }

    /// Adds a result that may refer to earlier lines. `label_of` labels a source. `None` if it is sent in full. O(text).
    pub fn shorten_result(&mut self, row: u32, text: &[u16], label_of: &mut LabelOf<'_>) -> Option<Shortened> {
        let shortened = self.lines.shorten(Source::Result(row), text, label_of)?;
        for reference in &shortened.references {
            if let Source::Result(source) = reference.source {
                self.referring.entry(source).or_default().insert(row);
            }
        }
        Some(shortened)
    }

    /// The first request that may omit a result: it and all results that refer to it are then outdated.
    pub fn removable_since(&self, row: u32) -> Option<u32> {
        let mut latest = *self.outdated_since.get(&row)?;
        let Some(direct) = self.referring.get(&row) else { return Some(latest) };
        // Fast path: most calls end here.
        if direct.iter().any(|row| !self.outdated_since.contains_key(row)) {
            return None;
        }
        let (mut visited, mut to_visit) = (BTreeSet::new(), direct.iter().collect::<Vec<_>>());
        while let Some(row) = to_visit.pop() {
            if visited.insert(row) {
                latest = latest.max(*self.outdated_since.get(row)?);
                to_visit.extend(self.referring.get(row).into_iter().flatten());
            }
        }
        Some(latest)
    }
}

/// The text of a reference. `label` names the source: `#7 Read src/a.ts`. The source's lines are named only if their numbers differ.
fn reference_text(language: Language, reference: &Reference, label: &[u16]) -> Vec<u16> {
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
fn apply_references(text: &[u16], lines: &[Line], references: Vec<(Reference, Vec<u16>)>) -> Shortened {
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
