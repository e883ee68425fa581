//! Defines what one evaluation of a conversation takes and decides, and logs counts of the decision. Decides how a conversation is repaired
//! that a provider would reject (R3), before any rule applies: which rows are removed and which calls get an invented result.

use crate::cleanup::policy::{Orphans, Policy, Purpose};
use crate::conversation::pairing::{Duplicates, Pairing};
use crate::conversation::{Call, Conversation, Row, RowKind};

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
    /// See [`Duplicates::kept_calls`].
    pub(super) kept_calls: Vec<(u32, u32)>,
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

    /// The repairs alone, without edits. `is_compressed`: a summary is in the conversation. A provider would then reject a result whose call
    /// the summary replaced.
    pub(super) fn of_repairs(
        policy: &Policy,
        conversation: &Conversation,
        pairing: &Pairing,
        is_compressed: bool,
    ) -> Self {
        let never_had_calls = conversation.call_count() == 0 && !is_compressed;
        let mut repairs = match policy.orphans {
            Orphans::Keep => return Self::default(),
            Orphans::Remove => Self { dropped: pairing.orphans(), ..Self::default() },
            Orphans::Answer if never_had_calls => {
                Self { unmatched: pairing.results_without_call().len(), ..Self::default() }
            }
            Orphans::Answer => {
                let mut answered = pairing.unanswered();
                if policy.purpose == Purpose::View {
                    // The results of the turn in progress are still to come.
                    let in_progress = conversation.calls_in_progress();
                    answered.retain(|&call| !in_progress.contains(&(call as usize)));
                }
                Self { dropped: pairing.results_without_call(), answered, ..Self::default() }
            }
        };
        let Duplicates { rows, calls, kept_calls } = pairing.duplicates(conversation, &repairs.dropped);
        repairs.duplicates = rows.len() + calls.len();
        repairs.dropped.extend(rows);
        repairs.dropped.sort_unstable();
        Self { duplicate_calls: calls, kept_calls, ..repairs }
    }

    /// The number of leading rows that may be replaced because a sent assistant message follows them. O(the turn).
    pub(super) fn answered_rows(&self, policy: &Policy, conversation: &Conversation) -> usize {
        if policy.purpose.trusts_clock() {
            return usize::MAX;
        }
        let is_sent = |index: usize| self.dropped.binary_search(&index).is_err();
        let mut rows = conversation.rows().iter().enumerate();
        let last = rows.rfind(|&(index, row)| row.kind == RowKind::Assistant && is_sent(index));
        last.map_or(0, |(index, _)| index)
    }
}
