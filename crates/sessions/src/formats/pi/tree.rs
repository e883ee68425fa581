//! pi's entries and their tree; the model saw the path from the root to a leaf.

use std::collections::{HashMap, HashSet};

use crate::formats::prelude::*;

pub(super) struct Entry {
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) content: EntryContent,
}

/// What an entry added to the conversation; messages are indices into the session's messages.
pub(super) enum EntryContent {
    /// Settings, labels: not sent.
    Nothing,
    Message(u32),
    /// An assistant message, and its request.
    Answer(u32, Request),
    Compaction {
        summary: u32,
        first_kept: FirstKept,
        tokens_before: Option<u64>,
    },
}

impl EntryContent {
    pub(super) fn message(&self) -> Option<u32> {
        match self {
            Self::Message(message) | Self::Answer(message, _) => Some(*message),
            Self::Nothing | Self::Compaction { .. } => None,
        }
    }
}

/// The first entry that a compaction keeps.
pub(super) enum FirstKept {
    /// Version 1: an index into the entries; the header is 0.
    Index(usize),
    Id(String),
}

impl FirstKept {
    /// Index on the path of the first kept entry; the path's length if it isn't there.
    pub(super) fn position(&self, entries: &[Entry], path: &[usize]) -> usize {
        let found = match self {
            Self::Index(first) => path.iter().position(|index| index >= first),
            Self::Id(id) => {
                let is_it =
                    |index: &usize| entries.get(*index).is_some_and(|entry| entry.id.as_ref() == Some(id));
                path.iter().position(is_it)
            }
        };
        found.unwrap_or(path.len())
    }
}

/// The entries, linked by `parent`; entries are identified by their index.
pub(super) struct Tree<'e> {
    entries: &'e [Entry],
    by_id: HashMap<&'e str, usize>,
}

impl<'e> Tree<'e> {
    pub(super) fn new(entries: &'e [Entry]) -> Self {
        let ids = entries.iter().enumerate().filter_map(|(index, entry)| Some((entry.id.as_deref()?, index)));
        Self { entries, by_id: ids.collect() }
    }

    /// Entries without children, newest first; the newest is the current end of the session.
    pub(super) fn leaves(&self) -> Vec<usize> {
        let parents: HashSet<&str> =
            self.entries.iter().filter_map(|entry| entry.parent.as_deref()).collect();
        let is_leaf = |index: &usize| {
            let id = self.entries.get(*index).and_then(|entry| entry.id.as_deref());
            !id.is_some_and(|id| parents.contains(id))
        };
        (0..self.entries.len()).rev().filter(is_leaf).collect()
    }

    /// Entries from the root to `leaf`; stops at a cycle.
    pub(super) fn path(&self, leaf: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut next = Some(leaf);
        while let Some(index) = next.filter(|_| path.len() < self.entries.len()) {
            path.push(index);
            let parent = self.entries.get(index).and_then(|entry| entry.parent.as_deref());
            next = parent.and_then(|id| self.by_id.get(id)).copied();
        }
        path.reverse();
        path
    }
}
