//! Decides which changes keep the *promise*: at every request, a session costs at most `1 + max_extra_cost` times its unmodified history.
//! A change is made only if the sum so far stays within the bound, with unknowns counted against the change, and if each later request does so
//! by itself: a shorter prompt may fall below the provider's minimum to cache, and may end further past a block boundary than the longer one.
//! `docs/spec/promise.md` has the proof.

use crate::cache::prices::Prices;
use crate::cache::prompt::Compared;

/// A provider counts at least this share of the tokens that we count. Fewer bring a prompt closer to the cache's minimum.
const SHARE_SURELY_COUNTED: f64 = 0.7;
/// Limit for a possible loss at a block boundary, as a share of the cost so far. A message that is shorter from its first
/// request on moves the end of the prompt; on average, gains and losses at boundaries then cancel out.
const MAX_LOSS_AT_BLOCK_EDGE: f64 = 0.005;

/// Tokens of a prefix that are certainly cached, whatever the provider's token count and wherever its blocks end.
pub fn cached_at_least(prices: &Prices, prefix: f64) -> f64 {
    let without_last_block = prefix - prices.block_tokens / SHARE_SURELY_COUNTED;
    if without_last_block < prices.min_tokens / SHARE_SURELY_COUNTED { 0.0 } else { without_last_block }
}

/// True if a message may be sent shorter from its first request on. No prefix changes, so it can cost more only if the prompt falls below
/// the provider's minimum or ends past a block boundary. `sent_through`: tokens up to and including the message; `cost_so_far`: of the
/// session with unmodified history, including this request's reads.
pub fn may_shorten_at_first_send(prices: &Prices, sent_through: f64, cost_so_far: f64, max_extra_cost: f64) -> bool {
    if !prices.has_cache() {
        return true;
    }
    // Worst case: the shorter prompt ends one token before a block boundary, so all but one token of a block are uncached.
    let loss_at_edge = prices.premium() * (prices.block_tokens - 1.0);
    let allowed_loss = MAX_LOSS_AT_BLOCK_EDGE.min(max_extra_cost) * cost_so_far;
    SHARE_SURELY_COUNTED * sent_through >= prices.min_tokens && loss_at_edge <= allowed_loss
}

/// True if a message may be the earliest replaced one of the prompt; `up_to` counts tokens up to and including its placeholder. No later request,
/// rewound, grown, cold or warm, then costs more than `1 + max_extra_cost` times its cost with unmodified history.
pub fn may_be_first_replaced(prices: &Prices, up_to: Compared, max_extra_cost: f64) -> bool {
    let Compared { sent, unmodified } = up_to.map(|tokens| SHARE_SURELY_COUNTED * tokens);
    let allowed_read = prices.read * (1.0 + max_extra_cost);
    // Worst case: the shorter prompt ends just before a block boundary, the longer one on it.
    let loss_at_edge = prices.premium() * prices.block_tokens;
    let is_edge_paid = prices.read * sent + loss_at_edge <= allowed_read * unmodified;
    // Worst case: the shorter prompt ends just below the minimum and is all uncached, the longer one is all cached.
    let min_tokens = (prices.min_tokens / prices.block_tokens).ceil() * prices.block_tokens;
    let is_minimum_paid =
        sent >= min_tokens || prices.write * min_tokens <= allowed_read * (unmodified - sent + min_tokens);
    is_edge_paid && is_minimum_paid
}
