//! Decides which results a rule may choose from, and which of two is the newer.

use crate::conversation::{Conversation, RowKind};

/// The candidates of every rule (R1.1) and the time that places each: tool results with a finite timestamp, and
/// those without where they may go; on equal timestamps the later index is the newer (R1.2). A result without a time is
/// as new as the candidate before it in the array. Brought up to date message by message.
///
/// A clock may be set back in the middle of a conversation. Where it isn't trusted, no result is older than one before it
/// in the array (R1.0).
#[derive(Debug, Default)]
pub struct Timeline {
    trusts_the_clock: bool,
    takes_unknown: bool,
    /// By row: the time that places it; NaN for what is no candidate.
    order_ms: Vec<f64>,
    /// Candidates passed over before the next row whose time is when they were first seen.
    before_ms: Option<f64>,
}

impl Timeline {
    pub fn new(trusts_the_clock: bool) -> Self {
        Self { trusts_the_clock, ..Self::default() }
    }

    /// Takes in the messages that `conversation` has gained, those without a time where `takes_unknown` is set; false
    /// when that is otherwise than before, and all are judged anew. O(new messages).
    pub fn extend(&mut self, conversation: &Conversation, takes_unknown: bool) -> bool {
        let is_same = self.takes_unknown == takes_unknown;
        if !is_same {
            self.takes_unknown = takes_unknown;
            self.clear();
        }
        for row in conversation.rows().get(self.order_ms.len()..).unwrap_or_default() {
            let is_known = row.timestamp.is_finite();
            if row.kind != RowKind::Tool || !(is_known || takes_unknown) {
                self.order_ms.push(f64::NAN);
                continue;
            }
            let order_ms = match self.before_ms {
                Some(before_ms) if !is_known => before_ms,
                Some(before_ms) if !(self.trusts_the_clock || row.is_first_sight) => {
                    row.timestamp.max(before_ms)
                }
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

    /// Since when candidate `row` has been there; NaN where `row` has no time.
    pub fn since_ms(&self, conversation: &Conversation, row: usize) -> f64 {
        let is_known = conversation.row(row).is_some_and(|row| row.timestamp.is_finite());
        if is_known { self.order_ms.get(row).copied().unwrap_or(f64::NAN) } else { f64::NAN }
    }

    /// The time to judge ages by at `now_ms`, which the clock may have been set back to.
    pub fn judged_at(&self, now_ms: f64) -> f64 {
        match self.before_ms {
            Some(newest_ms) if !self.trusts_the_clock => now_ms.max(newest_ms),
            _ => now_ms,
        }
    }

    /// Forgets the rows that `conversation` has no more.
    pub fn truncate(&mut self, conversation: &Conversation) {
        self.order_ms.truncate(conversation.len());
        let rows = self.order_ms.iter().zip(conversation.rows()).rev();
        let mut told = rows.filter(|(ms, row)| !ms.is_nan() && !row.is_first_sight);
        self.before_ms = told.next().map(|(&ms, _)| ms);
    }

    /// Forgets everything, to be told again: a timestamp has changed.
    pub fn clear(&mut self) {
        self.order_ms.clear();
        self.before_ms = None;
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.order_ms.len()
    }

    /// True before the first row.
    pub fn is_empty(&self) -> bool {
        self.order_ms.is_empty()
    }

    /// Whether `row` is a candidate.
    pub fn has(&self, row: u32) -> bool {
        !self.order_of(row).is_nan()
    }

    /// Whether candidate `row` is newer than candidate `other`.
    pub fn is_newer(&self, row: u32, other: u32) -> bool {
        self.order_of(row).total_cmp(&self.order_of(other)).then(row.cmp(&other)).is_gt()
    }

    fn order_of(&self, row: u32) -> f64 {
        self.order_ms.get(row as usize).copied().unwrap_or(f64::NAN)
    }
}
