//! Decides which results are candidates for the rules, and which of two is newer.

use crate::conversation::{Conversation, RowKind};

/// The candidates of every rule (R1.1) and their times: tool results with a finite timestamp, and those without if they may be removed.
/// With equal timestamps the later row is newer (R1.2). A result without a time is as new as the candidate before it in the conversation.
/// A clock may be set back in mid-conversation. If it is not trusted, no result is older than a candidate before it (R1.0).
#[derive(Debug, Default)]
pub struct Timeline {
    trusts_clock: bool,
    includes_untimed: bool,
    /// For each row, the time by which candidates are ordered; NaN if it is not a candidate.
    order_ms: Vec<f64>,
    /// Time of the last candidate whose timestamp is its own, not the time at which it was first seen.
    last_known_ms: Option<f64>,
}

impl Timeline {
    pub fn new(trusts_clock: bool) -> Self {
        Self { trusts_clock, ..Self::default() }
    }

    /// Adds the new messages of `conversation`; those without a time are candidates if `includes_untimed` is set. False
    /// if that setting has changed: then all messages are added again. O(new messages).
    pub fn extend(&mut self, conversation: &Conversation, includes_untimed: bool) -> bool {
        let is_same = self.includes_untimed == includes_untimed;
        if !is_same {
            self.includes_untimed = includes_untimed;
            self.clear();
        }
        for row in conversation.rows().get(self.order_ms.len()..).unwrap_or_default() {
            let is_known = row.timestamp.is_finite();
            if row.kind != RowKind::Tool || !(is_known || includes_untimed) {
                self.order_ms.push(f64::NAN);
                continue;
            }
            let order_ms = match self.last_known_ms {
                Some(last_ms) if !is_known => last_ms,
                Some(last_ms) if !(self.trusts_clock || row.is_first_sight) => row.timestamp.max(last_ms),
                _ if is_known => row.timestamp,
                _ => f64::NEG_INFINITY,
            };
            // 0.0 and -0.0 are the same time.
            let order_ms = order_ms + 0.0;
            if !row.is_first_sight {
                self.last_known_ms = Some(order_ms);
            }
            self.order_ms.push(order_ms);
        }
        is_same
    }

    pub fn time_ms_of(&self, conversation: &Conversation, row: usize) -> f64 {
        let known = conversation.row(row).filter(|row| row.timestamp.is_finite());
        known.and_then(|_| self.order_ms.get(row).copied()).unwrap_or(f64::NAN)
    }

    /// The time for judging ages at `now_ms`, which may be too early because the clock was set back.
    pub fn evaluation_time(&self, now_ms: f64) -> f64 {
        match self.last_known_ms {
            Some(newest_ms) if !self.trusts_clock => now_ms.max(newest_ms),
            _ => now_ms,
        }
    }

    pub fn truncate(&mut self, conversation: &Conversation) {
        self.order_ms.truncate(conversation.len());
        let rows = self.order_ms.iter().zip(conversation.rows()).rev();
        let mut candidates = rows.filter(|(ms, row)| !ms.is_nan() && !row.is_first_sight);
        self.last_known_ms = candidates.next().map(|(&ms, _)| ms);
    }

    /// Forgets everything, because a timestamp has changed; the messages must be added again.
    pub fn clear(&mut self) {
        self.order_ms.clear();
        self.last_known_ms = None;
    }

    pub fn has(&self, row: u32) -> bool {
        !self.order_of(row).is_nan()
    }

    pub fn is_newer(&self, row: u32, other: u32) -> bool {
        self.order_of(row).total_cmp(&self.order_of(other)).then(row.cmp(&other)).is_gt()
    }

    fn order_of(&self, row: u32) -> f64 {
        self.order_ms.get(row as usize).copied().unwrap_or(f64::NAN)
    }
}
