//! Replaces lines of a tool result that an earlier message of the same prompt contains by a one-line reference. A
//! result is shortened when it is first sent, based only on the messages before it: no later request changes it, and
//! the prompt cache keeps its prefix. So a referenced result stays until all results that refer to it are outdated.

mod line_index;
mod numbered_lines;
mod reference;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use line_index::MIN_UNITS_SAVED;
pub use reference::{LabelOf, Reference, Shortened, Source};

use crate::results::Language;
use line_index::LineIndex;

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
