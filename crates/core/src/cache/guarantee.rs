//! The promise that a session costs at most so much more than with its history left alone, wherever it ends.
//!
//! Two things keep it. The accounts: a change is made only if, were this request the last one, the sum so far would hold.
//! They count what ordinary life leaves unknown against the change: the cache counts as warm unless its lifetime is known
//! to have passed, and the prompt of whoever leaves it alone counts as cached from the first token on. A cache that was lost
//! then costs both, and the longer prompt more.
//! And the footing: after a change no further request may cost more than it would have without, whatever comes. That isn't
//! so by itself: a shorter prompt may fall below what a provider caches at all, and it may end further behind a block's
//! edge than the longer one, request after request. `docs/spec/promise.md` has the whole argument.

use crate::cache::prices::Prices;
use crate::cache::prompt::Extent;

/// A provider may count this much less than a view, which brings a prompt nearer to the cache's minimum.
const SHARE_SURELY_COUNTED: f64 = 0.7;

/// Where a block's edge lies, luck decides: a prompt that was short from the start is behind it as often as ahead. So much of the cost so
/// far one such loss may be.
const SHARE_AT_A_BLOCKS_EDGE: f64 = 0.005;

/// A session's cost, and its cost with the history left alone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ComparedCosts {
    pub actual: f64,
    pub left_alone: f64,
}

impl ComparedCosts {
    #[must_use]
    pub fn with(self, request: Self) -> Self {
        Self { actual: self.actual + request.actual, left_alone: self.left_alone + request.left_alone }
    }

    /// Whether the promise holds if the session ends here.
    #[must_use]
    pub fn hold(&self, max_extra_cost: f64) -> bool {
        self.actual <= (1.0 + max_extra_cost) * self.left_alone
    }
}

/// The part of a prefix with replaced messages that is cached in any count of tokens, wherever blocks end in it. A prompt left alone
/// counts as cached wherever it may be.
#[must_use]
pub fn surely_cached(prices: &Prices, prefix: f64) -> f64 {
    let whole_blocks = prefix - prices.block_tokens / SHARE_SURELY_COUNTED;
    if whole_blocks < prices.min_tokens / SHARE_SURELY_COUNTED { 0.0 } else { whole_blocks }
}

/// Whether a message may be sent shorter from its first request on. No prefix changes, so that it costs more only where the prompt falls
/// below what a provider caches at all, or behind a block's edge. `sent_through`: tokens up to and including it; `cost`: of the session
/// with its history left alone, this request's reading included.
#[must_use]
pub fn may_begin_short(prices: &Prices, sent_through: f64, cost: f64, max_extra_cost: f64) -> bool {
    if prices.premium() <= 0.0 {
        return true;
    }
    let at_edge = prices.premium() * (prices.block_tokens - 1.0);
    let allowed = SHARE_AT_A_BLOCKS_EDGE.min(max_extra_cost) * cost;
    SHARE_SURELY_COUNTED * sent_through >= prices.min_tokens && at_edge <= allowed
}

/// Whether the message may be the first that is replaced; `up_to` counts tokens up to and including its placeholder. Then no later
/// request, rewound, grown, cold or warm, costs more than `1 + max_extra_cost` times its cost left alone.
#[must_use]
pub fn may_be_first(prices: &Prices, up_to: Extent, max_extra_cost: f64) -> bool {
    let (sent, stored) = (SHARE_SURELY_COUNTED * up_to.sent, SHARE_SURELY_COUNTED * up_to.stored);
    let allowed_read = prices.read * (1.0 + max_extra_cost);
    // The worst case: the shorter prompt ends just before a block's edge, the longer one on it.
    let behind_edge = prices.premium() * prices.block_tokens;
    let edge_is_paid = prices.read * sent + behind_edge <= allowed_read * stored;
    // The worst case: the shorter prompt ends just below the minimum and is all fresh, and the longer one is all cached.
    let min_tokens = (prices.min_tokens / prices.block_tokens).ceil() * prices.block_tokens;
    let saved = stored - sent;
    let minimum_is_paid =
        sent >= min_tokens || prices.write * min_tokens <= allowed_read * (saved + min_tokens);
    edge_is_paid && minimum_is_paid
}
