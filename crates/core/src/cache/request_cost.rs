//! The cost of one request, as sent and with unmodified history.

use crate::cache::prices::Prices;
use crate::cache::prompt::{PromptTokens, TokenSum};

/// A request as sent and with unmodified history, in our tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestCost {
    pub sent: f64,
    pub stored: f64,
    /// The prefix that a warm cache holds.
    pub readable: f64,
    pub readable_unmodified: f64,
    /// Best estimate of the tokens read from the cache.
    pub cached: f64,
    pub cached_unmodified: f64,
}

impl RequestCost {
    /// The cost if a warm cache also holds the prompt of the request `before`; `None` if this prompt does not begin with that one, or if
    /// the cache is cold.
    pub fn continuing(&self, before: &Self, prompt: &PromptTokens, prices: &Prices) -> Option<Self> {
        let has_it = prompt.has_prefix(TokenSum { stored: before.stored, sent: before.sent });
        let is_warm = self.cached_unmodified > 0.0;
        (has_it && is_warm).then(|| Self {
            readable: self.readable.max(before.sent),
            readable_unmodified: self.readable_unmodified.max(before.stored),
            cached: self.cached.max(prices.in_blocks(before.sent)),
            cached_unmodified: self.cached_unmodified.max(prices.in_blocks(before.stored)),
            ..*self
        })
    }

    /// The whole prompt is in the cache.
    pub fn repeated(total: TokenSum, prices: &Prices) -> Self {
        Self {
            sent: total.sent,
            stored: total.stored,
            readable: total.sent,
            readable_unmodified: total.stored,
            cached: prices.in_blocks(total.sent),
            cached_unmodified: prices.in_blocks(total.stored),
        }
    }
}
