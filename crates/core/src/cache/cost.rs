//! Decides what a request costs, given its cached tokens.

use crate::cache::prices::Prices;

impl Prices {
    /// `unchanged`: tokens of the longest common prefix with the last request, `elapsed_ms` ago. A negative time (the clock was set back)
    /// says nothing about age: the cache counts as warm.
    pub fn cached_tokens(&self, unchanged: f64, elapsed_ms: Option<f64>) -> f64 {
        let is_warm = elapsed_ms.is_some_and(|elapsed| elapsed <= self.ttl_ms);
        if is_warm { self.in_blocks(unchanged) } else { 0.0 }
    }

    /// A warm cache holds whole blocks, and nothing of a prefix below the minimum.
    pub fn in_blocks(&self, prefix: f64) -> f64 {
        let blocks = (prefix / self.block_tokens).floor() * self.block_tokens;
        if blocks < self.min_tokens { 0.0 } else { blocks }
    }

    pub fn cost(&self, cached: f64, total: f64) -> f64 {
        self.read * cached + self.write * (total - cached)
    }
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;
