//! Defines what one evaluation of a conversation takes and decides, and logs counts of the decision.

use crate::cleanup::policy::Policy;
use crate::conversation::{Call, Row};

/// A result to replace by a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub row: u32,
    pub rule: u32,
    /// The new text, unless it is the rule's fixed placeholder.
    pub text: Option<Vec<u16>>,
    /// The result's groups under that rule: see [`Cleanup::group_key`](super::Cleanup::group_key).
    pub groups: Box<[u32]>,
    /// The number of the request at which the result was first outdated.
    pub request: u32,
}

#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// Messages to remove, ascending.
    pub dropped: Vec<usize>,
    /// Calls that get an invented result because they never had one, ascending.
    pub answered: Vec<u32>,
    /// Calls to remove from their messages, ascending: another call of the message has the same id.
    pub duplicate_calls: Vec<u32>,
    /// Count of entries in `dropped` and `duplicate_calls` that are removed because another result or call with their id stays.
    pub duplicates: usize,
    pub edits: Vec<Edit>,
    /// Count of leading `edits` that are unchanged since the last decision.
    pub kept_edits: usize,
    /// The decision stays the same up to this time (inclusive), if nothing else changes.
    pub valid_until_ms: f64,
    /// Count of results without a declared call that stay, because no call is declared at all.
    pub unmatched: usize,
    /// Count of tool results whose time was in seconds.
    pub in_seconds: usize,
}

/// A request to the model, and the conversation's rows when it was sent.
#[derive(Debug, Clone, Copy)]
pub struct SentRequest {
    pub row_count: usize,
    pub time_ms: f64,
}

/// New rows, and the requests sent since the last update.
#[derive(Debug, Clone, Default)]
pub struct Update {
    pub rows: Vec<(Row, Vec<Call>)>,
    /// The requests in order; the last one has all rows.
    pub requests: Vec<SentRequest>,
    pub first_request: u32,
}

impl Evaluation {
    /// Logs at level INFO; nothing if nothing is removed or replaced.
    pub(super) fn log(&self, policy: &Policy) {
        if !tracing::enabled!(tracing::Level::INFO) {
            return;
        }
        if !self.dropped.is_empty() {
            tracing::info!(rule = "orphans", changed = self.dropped.len(), "orphaned messages removed");
        }
        if self.duplicates > 0 {
            tracing::info!(rule = "orphans", duplicates = self.duplicates, "of them a second result or call of one id");
        }
        if !self.answered.is_empty() {
            tracing::info!(rule = "orphans", answered = self.answered.len(), "interrupted calls answered");
        }
        for (number, rule) in policy.rules.iter().enumerate() {
            let changed = self.edits.iter().filter(|edit| edit.rule as usize == number).count();
            if changed > 0 {
                tracing::info!(rule = rule.name.as_str(), changed, "tool results simplified");
            }
        }
    }
}
