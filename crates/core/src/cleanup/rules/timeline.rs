//! Decides which results are candidates for the rules, and which of two is newer.

use crate::conversation::{Conversation, RowKind};

/// The candidates of every rule (R1.1) and their times: tool results with a finite timestamp, and
/// those without if they may be removed. With equal timestamps the later index is newer (R1.2). A result without a time
/// is as new as the candidate before it in the array. Updated message by message.
///
/// A clock may be set back in mid-conversation. If it is not trusted, no result is older than one before it
/// in the array (R1.0).
#[derive(Debug, Default)]
pub struct Timeline {
    trusts_clock: bool,
    includes_untimed: bool,
    /// For each row, its time in the order; NaN if it is not a candidate.
    order_ms: Vec<f64>,
    /// Time of the last candidate whose timestamp is not when it was first seen.
    before_ms: Option<f64>,
}

impl Timeline {
    pub fn new(trusts_clock: bool) -> Self {
        Self { trusts_clock, ..Self::default() }
    }

    /// Adds the new messages of `conversation`, including those without a time if `includes_untimed` is set; false if that setting
    /// has changed, which adds all messages again. O(new messages).
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
            let order_ms = match self.before_ms {
                Some(before_ms) if !is_known => before_ms,
                Some(before_ms) if !(self.trusts_clock || row.is_first_sight) => row.timestamp.max(before_ms),
                _ if is_known => row.timestamp,
                _ => f64::NEG_INFINITY,
            };
            // 0.0 and -0.0 are the same time.
            let order_ms = order_ms + 0.0;
            if !row.is_first_sight {
                self.before_ms = Some(order_ms);
            }
            self.order_ms.push(order_ms);
        }
        is_same
    }

    /// The time of candidate `row`; NaN if it has none.
    pub fn since_ms(&self, conversation: &Conversation, row: usize) -> f64 {
        let is_known = conversation.row(row).is_some_and(|row| row.timestamp.is_finite());
        if is_known { self.order_ms.get(row).copied().unwrap_or(f64::NAN) } else { f64::NAN }
    }

    /// The time by which to judge ages at `now_ms`, to which the clock may have been set back.
    pub fn evaluation_time(&self, now_ms: f64) -> f64 {
        match self.before_ms {
            Some(newest_ms) if !self.trusts_clock => now_ms.max(newest_ms),
            _ => now_ms,
        }
    }

    /// Forgets the rows that `conversation` no longer has.
    pub fn truncate(&mut self, conversation: &Conversation) {
        self.order_ms.truncate(conversation.len());
        let rows = self.order_ms.iter().zip(conversation.rows()).rev();
        let mut candidates = rows.filter(|(ms, row)| !ms.is_nan() && !row.is_first_sight);
        self.before_ms = candidates.next().map(|(&ms, _)| ms);
    }

    /// Forgets everything, because a timestamp has changed; the messages must be added again.
    pub fn clear(&mut self) {
        self.order_ms.clear();
        self.before_ms = None;
    }

    /// Number of rows added.
    pub fn len(&self) -> usize {
        self.order_ms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order_ms.is_empty()
    }

    /// True if `row` is a candidate.
    pub fn has(&self, row: u32) -> bool {
        !self.order_of(row).is_nan()
    }

    /// True if candidate `row` is newer than candidate `other`.
    pub fn is_newer(&self, row: u32, other: u32) -> bool {
        self.order_of(row).total_cmp(&self.order_of(other)).then(row.cmp(&other)).is_gt()
    }

    fn order_of(&self, row: u32) -> f64 {
        self.order_ms.get(row as usize).copied().unwrap_or(f64::NAN)
    }
}
