//! How many needs a policy misses.

use palimpsest_core::need::ConfirmedNeed;
use serde::Serialize;

/// One policy's misses in one session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeedFigures {
    /// Assistant messages that took something from a result sent with an earlier request.
    pub needs: usize,
    /// Needs that lack at least half of what they took.
    pub missed: usize,
    /// Needs proved by an edit, a quote, two names or a hash.
    pub strong_needs: usize,
    pub strong_missed: usize,
    /// Cost of fetching each missed result once, with its own request; in units of base input.
    pub look_ups: f64,
}

impl NeedFigures {
    pub(super) fn add(&mut self, confirmed: &ConfirmedNeed, is_missed: bool) {
        self.needs += 1;
        self.missed += usize::from(is_missed);
        self.strong_needs += usize::from(confirmed.is_strong);
        self.strong_missed += usize::from(confirmed.is_strong && is_missed);
    }
}
