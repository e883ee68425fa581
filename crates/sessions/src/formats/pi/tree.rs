//! Which entries of pi's tree the model saw: the path from the root to a leaf.

use std::collections::{HashMap, HashSet};

use super::Entry;

pub(super) struct Tree<'e> {
    entries: &'e [Entry],
    by_id: HashMap<&'e str, usize>,
}

impl<'e> Tree<'e> {
    pub(super) fn new(entries: &'e [Entry]) -> Self {
        let ids = entries.iter().enumerate().filter_map(|(at, entry)| Some((entry.id.as_deref()?, at)));
        Self { entries, by_id: ids.collect() }
    }

    /// Entries that nobody follows, the newest first: that is where the session stands.
    pub(super) fn leaves(&self) -> Vec<usize> {
        let parents: HashSet<&str> =
            self.entries.iter().filter_map(|entry| entry.parent.as_deref()).collect();
        let is_leaf = |at: &usize| {
            let id = self.entries.get(*at).and_then(|entry| entry.id.as_deref());
            !id.is_some_and(|id| parents.contains(id))
        };
        (0..self.entries.len()).rev().filter(is_leaf).collect()
    }

    /// From the root to `leaf`; a chain that bites its own tail ends there.
    pub(super) fn path(&self, leaf: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = Some(leaf);
        while let Some(here) = at.filter(|_| path.len() < self.entries.len()) {
            path.push(here);
            let parent = self.entries.get(here).and_then(|entry| entry.parent.as_deref());
            at = parent.and_then(|id| self.by_id.get(id)).copied();
        }
        path.reverse();
        path
    }
}
