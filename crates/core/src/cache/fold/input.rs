//! What the fold is given: its options, and each request.

use crate::cache::prices::Prices;

/// Share that a session may cost more than with unmodified history.
pub const MAX_EXTRA_COST: f64 = 0.02;
/// Larger values are rejected as mistakes: a percentage, or a factor.
pub const LARGEST_EXTRA_COST: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldOptions {
    pub prices: Prices,
    pub max_extra_cost: f64,
    /// Above this many tokens, pending results are removed at any cost.
    pub budget_tokens: Option<f64>,
    /// Requests carry the breakpoints of [`Fold::breakpoints`](super::Fold::breakpoints), and the provider reads only prefixes with a breakpoint.
    pub uses_breakpoints: bool,
}

impl FoldOptions {
    pub fn new(prices: Prices) -> Self {
        Self { prices, max_extra_cost: MAX_EXTRA_COST, budget_tokens: None, uses_breakpoints: false }
    }
}

/// Parts that all requests of a conversation share.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConversationHead {
    /// Tokens of a system prompt and tools that are not messages.
    pub fixed_tokens: f64,
    /// Message count of the system prompt.
    pub system: usize,
    /// The application's own breakpoints on system prompt and tools.
    pub head_breakpoints: usize,
    /// The application's own breakpoints on messages. The newest is at the end of each request; the others' places are unknown.
    pub message_breakpoints: usize,
}

/// A request with all messages pushed so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Request {
    /// Pause since the previous assistant message, for the bill; `None` if unknown, which counts as warm.
    pub elapsed_ms: Option<f64>,
    /// Pause for the decision; shorter if the user may have interrupted a request since that assistant message.
    pub least_elapsed_ms: Option<f64>,
    /// For the ledger.
    pub time_ms: f64,
    /// A side request (title, summary): nothing is removed with it.
    pub is_side: bool,
}
