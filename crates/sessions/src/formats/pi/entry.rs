//! One entry of pi's file.

use crate::assembly::AnsweredRequest;

pub(super) struct Entry {
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) content: EntryContent,
}

pub(super) enum EntryContent {
    /// Settings, labels: not sent.
    Nothing,
    Message(u32),
    Answer(u32, AnsweredRequest),
    Compaction {
        summary: u32,
        first_kept: FirstKept,
        tokens_before: Option<u64>,
    },
}

pub(super) enum FirstKept {
    /// Version 1: an index into the entries; the header is 0.
    Index(usize),
    Id(String),
}

impl FirstKept {
    /// Index on the path of the first kept entry; the path's length if it isn't there.
    pub(super) fn position(&self, entries: &[Entry], path: &[usize]) -> usize {
        let found = match self {
            Self::Index(index) => path.iter().position(|at| at >= index),
            Self::Id(id) => {
                let is_it = |at: &usize| entries.get(*at).is_some_and(|entry| entry.id.as_ref() == Some(id));
                path.iter().position(is_it)
            }
        };
        found.unwrap_or(path.len())
    }
}
