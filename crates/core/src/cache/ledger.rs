//! Defines the ledger: the removals of a conversation, with their times and reasons, as users see them in JSON.

use std::collections::VecDeque;

use serde::Serialize;

/// Newest removals that are kept as entries; older ones are only in the sums.
const ENTRIES_KEPT: usize = 256;

named_enum! {
    /// Why results are removed with a request, or why they stay.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    ChangeReason {
        NothingPending = "nothing-pending",
        /// Nothing is cached, so the removal costs nothing.
        Cold = "cold",
        /// The provider has no cache: reads cost as much as writes.
        NoCache = "no-cache",
        /// This part of the prompt must be written anyway.
        PrefixChanged = "prefix-changed",
        /// The prompt exceeds the application's token budget.
        Budget = "budget",
        /// The removal saves more over the next requests than it costs.
        Pays = "pays",
        /// The removal costs more than it saves.
        Waiting = "waiting",
        /// The removal would pay, but could make the session dearer than the promise of [`guarantee`](crate::cache::guarantee) allows.
        Guarantee = "guarantee",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    pub time_ms: f64,
    /// Number of requests before the removal.
    pub request: f64,
    pub reason: ChangeReason,
    pub position: usize,
    pub results: usize,
    pub tokens_saved: f64,
    /// The request's extra cost; negative if it cost less.
    pub extra_cost: f64,
    /// Saved by each later request with a warm cache.
    pub gain_per_request: f64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ledger {
    /// Requests with a removal.
    pub changes: f64,
    pub results: f64,
    pub tokens_saved: f64,
    pub extra_cost: f64,
    pub entries: VecDeque<LedgerEntry>,
}

impl Ledger {
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn add(&mut self, entry: LedgerEntry) {
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
