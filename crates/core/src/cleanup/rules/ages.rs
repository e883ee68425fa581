//! The one table of how long results stay by their kind, in requests: what ran or was edited, what was searched for and what other tools
//! returned, what was read. Something later may make a result worthless at once.

use crate::tools::result_kind::ResultKind;

const RUNS_AND_EDITS: u32 = 25;
const SEARCHES_AND_OTHERS: u32 = 50;
const READS: u32 = 120;

/// How long results of each kind stay, in requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages {
    /// In the order of [`ResultKind::ALL`].
    ages: [u32; ResultKind::ALL.len()],
}

impl Default for Ages {
    fn default() -> Self {
        Self { ages: ResultKind::ALL.map(age_of) }
    }
}

impl Ages {
    /// Every age is 0: a result is outdated with the request after the one that answered it.
    #[must_use]
    pub const fn none() -> Self {
        Self { ages: [0; ResultKind::ALL.len()] }
    }

    /// A copy with another age of `kind`.
    #[must_use]
    pub fn with(mut self, kind: ResultKind, age: u32) -> Self {
        if let Some(own) = self.ages.get_mut(kind as usize) {
            *own = age;
        }
        self
    }

    /// Requests for which a result of that kind stays. An error has the kind of the result that it takes the place of.
    #[must_use]
    pub fn of(self, kind: ResultKind) -> u32 {
        self.ages.get(kind as usize).copied().unwrap_or_default()
    }

    /// The first request at which any result may be outdated that request `first_sent` was the first to send.
    #[must_use]
    pub fn soonest(self, first_sent: u32) -> u32 {
        let least = self.ages.iter().copied().min().unwrap_or_default();
        first_sent.saturating_add(least)
    }
}

const fn age_of(kind: ResultKind) -> u32 {
    match kind {
        ResultKind::ShellRun | ResultKind::EditResult => RUNS_AND_EDITS,
        ResultKind::ShellSearch | ResultKind::Search | ResultKind::Web | ResultKind::Other => {
            SEARCHES_AND_OTHERS
        }
        ResultKind::ShellRead | ResultKind::FileRead => READS,
    }
}
