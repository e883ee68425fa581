//! Defines the token counts that decide the cost of one request, as sent and with unmodified history.

use crate::cache::prices::Prices;
use crate::cache::prompt::{PromptTokens, TokenSum};

/// Tokens of one request by our estimate. Each figure of the sent prompt is followed by that of the unmodified history.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestCost {
    /// The whole prompt.
    pub sent: f64,
    pub stored: f64,
    /// The prefix that is unchanged since the previous request: a warm cache holds at most this.
    pub readable: f64,
    pub readable_unmodified: f64,
    /// Best estimate of the tokens read from the cache; 0 if it is cold.
    pub cached: f64,
    pub cached_unmodified: f64,
}

impl RequestCost {
    /// The cost if the cache also holds the prompt of the `interrupted` request; `None` if `prompt`, which is this request's, does not begin
    /// with that one, or if the cache is cold.
    pub fn continuing(&self, interrupted: &Self, prompt: &PromptTokens, prices: &Prices) -> Option<Self> {
        let Self { sent, stored, .. } = *interrupted;
        let is_warm = self.cached_unmodified > 0.0;
        (is_warm && prompt.has_prefix(TokenSum { stored, sent })).then(|| Self {
            readable: self.readable.max(sent),
            readable_unmodified: self.readable_unmodified.max(stored),
            cached: self.cached.max(prices.cacheable_tokens(sent)),
            cached_unmodified: self.cached_unmodified.max(prices.cacheable_tokens(stored)),
            ..*self
        })
    }

    /// The cost of a request whose whole prompt is in the cache.
    pub fn repeated(total: TokenSum, prices: &Prices) -> Self {
        Self {
            sent: total.sent,
            stored: total.stored,
            readable: total.sent,
            readable_unmodified: total.stored,
            cached: prices.cacheable_tokens(total.sent),
            cached_unmodified: prices.cacheable_tokens(total.stored),
        }
    }
}
