//! Decides which changes keep the promise: at every request, a session costs at most `1 + max_extra_cost` times its unmodified history.
//!
//! Two conditions keep it. First, the accounts: a change is made only if the sum so far, with this request, stays within the bound.
//! Unknowns count against the change: the cache counts as warm unless its lifetime has certainly passed, and the unmodified prompt
//! counts as cached from the first token. An evicted cache then costs both, and the longer prompt more.
//! Second, the footing: after a change no later request may cost more than without it. This needs a check: a shorter prompt may fall
//! below the provider's minimum to cache, and it may end further past a block boundary than the longer one, request after request.
//! `docs/spec/promise.md` has the proof.

use crate::cache::prices::Prices;
use crate::cache::prompt::TokenSum;

/// A provider may count this much less than we do, which brings a prompt closer to the cache's minimum.
const SHARE_SURELY_COUNTED: f64 = 0.7;

/// The place of block boundaries is chance: a prompt that is shorter from its first request on ends past one as often as before one. One
/// such loss may be at most this share of the cost so far.
const SHARE_AT_A_BLOCKS_EDGE: f64 = 0.005;

/// A session's cost, and its cost with unmodified history.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ComparedCosts {
    pub actual: f64,
    pub unmodified: f64,
}

impl ComparedCosts {
    pub fn with(self, request: Self) -> Self {
        Self { actual: self.actual + request.actual, unmodified: self.unmodified + request.unmodified }
    }

    /// True if the promise holds when the session ends here.
    pub fn hold(&self, max_extra_cost: f64) -> bool {
        self.actual <= (1.0 + max_extra_cost) * self.unmodified
    }
}

/// The part of a prefix with replaced messages that is cached by any token count and wherever its blocks end. An unmodified prompt counts
/// as fully cached instead.
pub fn cached_at_least(prices: &Prices, prefix: f64) -> f64 {
    let whole_blocks = prefix - prices.block_tokens / SHARE_SURELY_COUNTED;
    if whole_blocks < prices.min_tokens / SHARE_SURELY_COUNTED { 0.0 } else { whole_blocks }
}

/// True if a message may be sent shorter from its first request on. No prefix changes, so it can cost more only if the prompt falls below
/// the provider's minimum or ends past a block boundary. `sent_through`: tokens up to and including it; `cost`: of the session with
/// unmodified history, including this request's reads.
pub fn may_shorten_at_first_send(prices: &Prices, sent_through: f64, cost: f64, max_extra_cost: f64) -> bool {
    if prices.premium() <= 0.0 {
        return true;
    }
    let at_edge = prices.premium() * (prices.block_tokens - 1.0);
    let allowed = SHARE_AT_A_BLOCKS_EDGE.min(max_extra_cost) * cost;
    SHARE_SURELY_COUNTED * sent_through >= prices.min_tokens && at_edge <= allowed
}

/// True if the message may be the first replaced one; `up_to` counts tokens up to and including its placeholder. No later request,
/// rewound, grown, cold or warm, then costs more than `1 + max_extra_cost` times its cost with unmodified history.
pub fn may_be_first_replaced(prices: &Prices, up_to: TokenSum, max_extra_cost: f64) -> bool {
    let (sent, stored) = (SHARE_SURELY_COUNTED * up_to.sent, SHARE_SURELY_COUNTED * up_to.stored);
    let allowed_read = prices.read * (1.0 + max_extra_cost);
    // Worst case: the shorter prompt ends just before a block boundary, the longer one on it.
    let behind_edge = prices.premium() * prices.block_tokens;
    let edge_is_paid = prices.read * sent + behind_edge <= allowed_read * stored;
    // Worst case: the shorter prompt ends just below the minimum and is all uncached, the longer one is all cached.
    let min_tokens = (prices.min_tokens / prices.block_tokens).ceil() * prices.block_tokens;
    let saved = stored - sent;
    let minimum_is_paid =
        sent >= min_tokens || prices.write * min_tokens <= allowed_read * (saved + min_tokens);
    edge_is_paid && minimum_is_paid
}
