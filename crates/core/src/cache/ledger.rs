//! The changes of the prompt, with their times and reasons.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Newest changes that are kept one by one; older ones are in the sums.
pub const ENTRIES_KEPT: usize = 256;

/// Why results are replaced, or why they stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeReason {
    NothingPending,
    /// Nothing is cached, so the change costs nothing.
    Cold,
    /// The provider has no cache, or reads at the price of writes.
    NoCache,
    /// The prompt changes ahead of these results anyway.
    PrefixChanged,
    Budget,
    /// Carrying the results costs as much as the change.
    Pays,
    /// Carrying the results is cheaper still.
    Waiting,
    /// The change would pay, but the promise would not hold if the session ended now.
    Guarantee,
}

impl ChangeReason {
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

    /// Users see this word.
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

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    pub time_ms: f64,
    /// Requests before the change.
    pub request: f64,
    pub reason: ChangeReason,
    /// The first message that changed.
    pub position: usize,
    pub results: usize,
    pub tokens_saved: f64,
    /// The request's extra cost; negative where it cost less.
    pub extra_cost: f64,
    /// Saved by each further request with a warm cache.
    pub gain_per_request: f64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Ledger {
    pub changes: f64,
    pub results: f64,
    pub tokens_saved: f64,
    pub extra_cost: f64,
    pub entries: VecDeque<LedgerEntry>,
}

impl Ledger {
    /// JSON with the names that users see.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A copy without entries.
    #[must_use]
    pub(in crate::cache) fn without_entries(&self) -> Self {
        Self { entries: VecDeque::new(), ..*self }
    }

    /// False for figures that no changes can lead to.
    pub fn is_possible(&self, is_amount: impl Fn(f64) -> bool) -> bool {
        let sums = [self.changes, self.results, self.tokens_saved.abs(), self.extra_cost.abs()];
        let is_entry = |entry: &LedgerEntry| {
            let LedgerEntry { time_ms, request, tokens_saved, extra_cost, gain_per_request, .. } = *entry;
            is_amount(request)
                && [time_ms, tokens_saved, extra_cost, gain_per_request]
                    .into_iter()
                    .all(|one| is_amount(one.abs()))
        };
        sums.into_iter().all(&is_amount) && self.entries.iter().all(is_entry)
    }

    #[allow(clippy::cast_precision_loss)] // a count of messages
    pub fn note(&mut self, entry: LedgerEntry) {
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
