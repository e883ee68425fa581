//! The cost of one request, as sent and with unmodified history.

use crate::cache::prices::Prices;
use crate::cache::prompt::Extent;

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
    /// The whole prompt is in the cache.
    #[must_use]
    pub fn repeated(total: Extent, prices: &Prices) -> Self {
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
