//! Defines the inputs of the fold: its options, and each request.

use crate::cache::prices::Prices;

/// Default of [`FoldOptions::max_extra_cost`].
pub const MAX_EXTRA_COST: f64 = 0.02;
/// Larger values of [`FoldOptions::max_extra_cost`] are rejected as mistakes: a percentage, or a factor.
pub const LARGEST_EXTRA_COST: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldOptions {
    pub prices: Prices,
    /// Share that a session may cost more than with unmodified history.
    pub max_extra_cost: f64,
    /// Above this many tokens, pending results are removed at any cost.
    pub budget_tokens: Option<f64>,
    /// True if requests get the breakpoints of [`Fold::breakpoints`](super::Fold::breakpoints): the provider reads only prefixes with one.
    pub uses_breakpoints: bool,
}

impl FoldOptions {
    pub fn new(prices: Prices) -> Self {
        Self { prices, max_extra_cost: MAX_EXTRA_COST, budget_tokens: None, uses_breakpoints: false }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConversationHead {
    /// Tokens of a system prompt and tools that are not messages.
    pub fixed_tokens: f64,
    pub system_len: usize,
    /// Number of the application's own breakpoints on system prompt and tools.
    pub head_breakpoints: usize,
    /// Number of the application's own breakpoints on messages. The newest is at the end of each request; the others' places are unknown.
    pub message_breakpoints: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Request {
    /// Pause since the previous assistant message, for the bill; `None` if unknown, which counts as warm.
    pub elapsed_ms: Option<f64>,
    /// Pause since the last request that may have been sent: shorter if the user may have interrupted one since that assistant message.
    pub least_elapsed_ms: Option<f64>,
    pub time_ms: f64,
    /// A side request (title, summary): nothing is removed with it.
    pub is_side: bool,
}

impl Request {
    /// The pause that decides whether the cache is cold. A request that was perhaps interrupted has kept the cache warm. If that request itself
    /// found a cold cache, it removed all pending results, and this request removes the same.
    pub(super) fn decision_pause_ms(&self, ttl_ms: f64) -> Option<f64> {
        let (Some(elapsed), Some(least)) = (self.elapsed_ms, self.least_elapsed_ms) else {
            return self.least_elapsed_ms;
        };
        Some(if elapsed - least > ttl_ms { elapsed } else { least })
    }
}
