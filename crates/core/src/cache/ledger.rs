//! Every change that was made, with its time and reason.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The newest changes that are remembered one by one; of older ones the sums stay.
pub const ENTRIES_KEPT: usize = 256;

/// Why results are replaced now, or why they aren't.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    NothingPending,
    /// Nothing is cached: the change costs nothing.
    Cold,
    /// The provider has no cache, or reads cost what writes cost.
    NoCache,
    /// The prompt changes in front of these results anyway.
    PrefixChanged,
    /// The prompt is above its budget.
    Budget,
    /// What the results have cost to carry, and may cost, is as much as the change.
    Pays,
    /// Carrying the results is cheaper still.
    Waiting,
    /// It would pay, but the promised sum would not hold if the session ended now.
    Guarantee,
}

impl Reason {
    /// All of them, by their number.
    pub const ALL: [Self; 8] = [
        Self::NothingPending,
        Self::Cold,
        Self::NoCache,
        Self::PrefixChanged,
        Self::Budget,
        Self::Pays,
        Self::Waiting,
        Self::Guarantee,
    ];

    /// The word that users see.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NothingPending => "nothing-pending",
            Self::Cold => "cold",
            Self::NoCache => "no-cache",
            Self::PrefixChanged => "prefix-changed",
            Self::Budget => "budget",
            Self::Pays => "pays",
            Self::Waiting => "waiting",
            Self::Guarantee => "guarantee",
        }
    }
}

/// One change of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub time_ms: f64,
    /// Requests that were sent before.
    pub request: f64,
    pub reason: Reason,
    /// The first message that changed.
    pub position: usize,
    pub results: usize,
    /// Tokens that the prompt lost.
    pub tokens_saved: f64,
    /// What the request cost more than without the change; negative where it cost less.
    pub extra_cost: f64,
    /// What each further request with a warm cache costs less.
    pub gain_per_request: f64,
}

/// Sums over all changes, and the newest of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Ledger {
    pub changes: f64,
    pub results: f64,
    pub tokens_saved: f64,
    pub extra_cost: f64,
    pub entries: VecDeque<Entry>,
}

impl Ledger {
    /// As JSON, by the names that users see.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The sums alone.
    #[must_use]
    pub(in crate::cache) fn without_entries(&self) -> Self {
        Self { entries: VecDeque::new(), ..*self }
    }

    /// Whether every figure is one that changes can have led to, by `is_amount`.
    #[must_use]
    pub fn is_possible(&self, is_amount: impl Fn(f64) -> bool) -> bool {
        let sums = [self.changes, self.results, self.tokens_saved.abs(), self.extra_cost.abs()];
        let is_entry = |entry: &Entry| {
            let Entry { time_ms, request, tokens_saved, extra_cost, gain_per_request, .. } = *entry;
            is_amount(request)
                && [time_ms, tokens_saved, extra_cost, gain_per_request]
                    .into_iter()
                    .all(|one| is_amount(one.abs()))
        };
        sums.into_iter().all(&is_amount) && self.entries.iter().all(is_entry)
    }

    #[allow(clippy::cast_precision_loss)] // a count of messages
    pub fn note(&mut self, entry: Entry) {
        self.changes += 1.0;
        self.results += entry.results as f64;
        self.tokens_saved += entry.tokens_saved;
        self.extra_cost += entry.extra_cost;
        if self.entries.len() == ENTRIES_KEPT {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
    }
}
