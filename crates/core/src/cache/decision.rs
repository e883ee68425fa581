//! The decision of a schedule about one request.

use crate::cache::guarantee::ComparedCosts;
use crate::cache::ledger::ChangeReason;

/// Costs are in tokens at the base price of input.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Messages to replace now, in order, with their tokens afterwards.
    pub positions: Vec<(usize, f64)>,
    pub reason: ChangeReason,
    /// Tokens of the prompt as it is sent, fixed ones included.
    pub total_tokens: f64,
    pub cached_tokens: f64,
    pub cost: f64,
    /// The cost if nothing had been replaced since the session began.
    pub cost_left_alone: f64,
    pub tokens_saved: f64,
    /// The cost of the change now; negative where it saves at once, 0 without a change.
    pub extra_cost: f64,
    /// Saved by each further request with a warm cache.
    pub gain_per_request: f64,
    /// Requests after which the change has paid; 0 where it costs nothing, infinite where it never pays.
    pub pays_after_requests: f64,
    /// Results that stay pending, and the tokens that they would save.
    pub left_pending: usize,
    pub tokens_left_pending: f64,
    /// The request's share of the promise's two accounts.
    pub promised: ComparedCosts,
    /// Changes on this path, this one included.
    pub changes: usize,
    /// Prefixes to mark, in messages, ascending; empty where the provider reads any.
    pub marks: Vec<usize>,
    /// On the bill; negative where the request isn't on it.
    pub number: f64,
}
