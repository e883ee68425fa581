//! Which results refer to which texts, request after request, and how long what is referred to stays.

use std::collections::{BTreeMap, BTreeSet};

use crate::repeated::{RepeatedLines, Shortened};
use crate::results::Language;

/// What holds lines, by the application's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The row of a result.
    Result(u32),
    /// A call, whose arguments hold them.
    Call(u32),
}

/// A function of the messages up to each request: an outdated result is not referred to, and one that is referred to is not removed
/// before all that refer to it are outdated.
#[derive(Debug, Clone)]
pub struct References {
    lines: RepeatedLines,
    /// By row, the number of the request from which on a result is outdated.
    since: BTreeMap<u32, u32>,
    /// By row, the results that refer to it.
    referring: BTreeMap<u32, BTreeSet<u32>>,
    /// By that number, results that are not outdated before it.
    coming: BTreeMap<u32, Vec<u32>>,
    /// Outdated results to which others refer that are not.
    held: BTreeSet<u32>,
}

impl References {
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self {
            lines: RepeatedLines::new(language),
            since: BTreeMap::new(),
            referring: BTreeMap::new(),
            coming: BTreeMap::new(),
            held: BTreeSet::new(),
        }
    }

    /// The result is outdated from request `since` on.
    pub fn outdate(&mut self, row: u32, since: u32) {
        if self.since.insert(row, since).is_none() {
            self.coming.entry(since).or_default().push(row);
        }
    }

    /// What is added from now on is first sent with request `number`: what might have been removed before is referred to no more.
    pub fn begin_request(&mut self, number: u32) {
        let later = self.coming.split_off(&number);
        let begun = std::mem::replace(&mut self.coming, later);
        // Only a result that is newly outdated lets another one go.
        if begun.is_empty() {
            return;
        }
        self.held.extend(begun.into_values().flatten());
        let is_left = |row: &u32| self.removable_since(*row).is_some_and(|since| since < number);
        let left: Vec<u32> = self.held.iter().copied().filter(is_left).collect();
        for row in left {
            self.held.remove(&row);
            self.lines.outdate(Source::Result(row));
        }
    }

    /// The texts in a call's arguments, which are JSON text.
    pub fn add_call(&mut self, call: u32, arguments: &[u16]) {
        self.lines.add_call(Source::Call(call), arguments);
    }

    /// A result that is sent whole.
    pub fn add_result(&mut self, row: u32, text: &[u16]) {
        self.lines.add(Source::Result(row), text);
    }

    /// A result that may refer to lines of what came before. `label_of` names a source. `None`: it is sent whole. O(text).
    pub fn shorten_result(
        &mut self,
        row: u32,
        text: &[u16],
        label_of: &mut dyn FnMut(Source) -> Vec<u16>,
    ) -> Option<Shortened> {
        let shortened = self.lines.shorten(Source::Result(row), text, label_of)?;
        for reference in &shortened.references {
            if let Source::Result(held) = reference.source {
                self.referring.entry(held).or_default().insert(row);
            }
        }
        Some(shortened)
    }

    /// The number of the request from which on a result may be removed: it is outdated, and all that refer to it are.
    #[must_use]
    pub fn removable_since(&self, row: u32) -> Option<u32> {
        let mut latest = *self.since.get(&row)?;
        let Some(direct) = self.referring.get(&row) else { return Some(latest) };
        // Most are refused here.
        if direct.iter().any(|one| !self.since.contains_key(one)) {
            return None;
        }
        let (mut seen, mut open) = (BTreeSet::new(), direct.iter().collect::<Vec<_>>());
        while let Some(one) = open.pop() {
            if seen.insert(one) {
                latest = latest.max(*self.since.get(one)?);
                open.extend(self.referring.get(one).into_iter().flatten());
            }
        }
        Some(latest)
    }
}
