//! Decides for how many requests a result stays, by its kind. Another rule may make it outdated sooner.

use crate::tools::result_kind::ResultKind;

/// The default ages, in requests.
const RUNS: u32 = 25;
const EDITS: u32 = 25;
const SEARCHES_AND_OTHERS: u32 = 50;
const READS: u32 = 120;

/// Number of requests for which results of each kind stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages {
    /// In the order of [`ResultKind::ALL`].
    by_kind: [u32; ResultKind::ALL.len()],
}

impl Default for Ages {
    fn default() -> Self {
        Self { by_kind: ResultKind::ALL.map(default_age) }
    }
}

impl Ages {
    /// Every age is 0: a result is outdated with the first request after an assistant message follows it.
    pub const fn none() -> Self {
        Self { by_kind: [0; ResultKind::ALL.len()] }
    }

    /// The same ages, except that of `kind`.
    pub fn with(mut self, kind: ResultKind, age: u32) -> Self {
        if let Some(kind_age) = self.by_kind.get_mut(kind as usize) {
            *kind_age = age;
        }
        self
    }

    /// Number of requests for which a result of that kind stays. An error has the kind that the call's result would have had.
    pub fn of(self, kind: ResultKind) -> u32 {
        self.by_kind.get(kind as usize).copied().unwrap_or_default()
    }

    /// The first request at which a result first sent with `first_sent` may be outdated, whatever its kind.
    pub fn soonest(self, first_sent: u32) -> u32 {
        let least = self.by_kind.iter().copied().min().unwrap_or_default();
        first_sent.saturating_add(least)
    }
}

const fn default_age(kind: ResultKind) -> u32 {
    match kind {
        ResultKind::ShellRun => RUNS,
        ResultKind::EditResult => EDITS,
        ResultKind::ShellSearch | ResultKind::Search | ResultKind::Web | ResultKind::Other => {
            SEARCHES_AND_OTHERS
        }
        ResultKind::ShellRead | ResultKind::FileRead => READS,
    }
}
