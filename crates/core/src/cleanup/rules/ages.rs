//! Defines for how many requests a result of each kind stays.

use crate::tools::result_kind::ResultKind;

/// Number of requests for which results of each kind stay, in the order of [`ResultKind::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages([u32; ResultKind::ALL.len()]);

impl Default for Ages {
    fn default() -> Self {
        Self(ResultKind::ALL.map(|kind| match kind {
            ResultKind::ShellRun | ResultKind::EditResult => 25,
            ResultKind::ShellSearch | ResultKind::Search | ResultKind::Web | ResultKind::Other => 50,
            ResultKind::ShellRead | ResultKind::FileRead => 120,
        }))
    }
}

impl Ages {
    /// Every age is 0: a result is outdated with the first request after an assistant message follows it.
    pub const fn none() -> Self {
        Self([0; ResultKind::ALL.len()])
    }

    pub fn with(mut self, kind: ResultKind, age: u32) -> Self {
        if let Some(kind_age) = self.0.get_mut(kind as usize) {
            *kind_age = age;
        }
        self
    }

    /// Number of requests for which a result of that kind stays. An error has the kind that the call's result would have had.
    pub fn of(self, kind: ResultKind) -> u32 {
        self.0.get(kind as usize).copied().unwrap_or_default()
    }

    /// The first request at which a result first sent with `first_sent` may be outdated, whatever its kind.
    pub fn soonest(self, first_sent: u32) -> u32 {
        let least = self.0.iter().copied().min().unwrap_or_default();
        first_sent.saturating_add(least)
    }
}
