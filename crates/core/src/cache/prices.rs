//! Defines providers' input prices and cache rules, and what a request costs by them; no other file has such figures.

/// Day on which the presets were last compared with published prices.
pub const PRICES_DATE: &str = "2026-11-22";
const MINUTE_MS: f64 = 60_000.0;
const HOUR_MS: f64 = 60.0 * MINUTE_MS;

/// A price list. Prices are multiples of the base price of input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    /// A token read from the cache.
    pub read: f64,
    /// An uncached token; it is cached afterwards.
    pub write: f64,
    /// Milliseconds that a prompt stays cached after its last use.
    pub ttl_ms: f64,
    /// A prefix with fewer tokens is never cached.
    pub min_tokens: f64,
    /// The tokens of a cached prefix are a multiple of this.
    pub block_tokens: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    pub name: &'static str,
    pub prices: Prices,
}

/// In the order of the documentation's table: name, write, read, lifetime, minimum, block.
pub const PRESETS: [Preset; 7] = [
    preset("anthropic", [1.25, 0.1, 5.0 * MINUTE_MS, 1024.0, 1.0]),
    preset("anthropic-1h", [2.0, 0.1, HOUR_MS, 1024.0, 1.0]),
    preset("openai", [1.25, 0.1, 30.0 * MINUTE_MS, 1024.0, 128.0]),
    preset("openai-older", [1.0, 0.5, 10.0 * MINUTE_MS, 1024.0, 128.0]),
    preset("deepseek", [1.0, 0.02, 6.0 * HOUR_MS, 64.0, 64.0]),
    preset("gemini", [1.0, 0.1, 10.0 * MINUTE_MS, 2048.0, 1.0]),
    preset("none", [1.0, 1.0, 0.0, 0.0, 1.0]),
];

const fn preset(name: &'static str, [write, read, ttl_ms, min_tokens, block_tokens]: [f64; 5]) -> Preset {
    Preset { name, prices: Prices { read, write, ttl_ms, min_tokens, block_tokens } }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImpossiblePrice {
    /// The field's name in options.
    pub field: &'static str,
    /// A phrase for the error: which values are valid.
    pub expected: &'static str,
}

impl Prices {
    /// The price list if the application names none.
    pub const USUAL: Self = PRESETS[0].prices;

    pub fn named(name: &str) -> Option<Self> {
        PRESETS.iter().find(|preset| preset.name == name).map(|preset| preset.prices)
    }

    /// False if reads cost as much as writes.
    pub fn has_cache(&self) -> bool {
        self.premium() > 0.0
    }

    /// Extra price of a token that is not read from the cache.
    pub fn premium(&self) -> f64 {
        self.write - self.read
    }

    /// Tokens read from the cache. `unchanged`: tokens of the longest common prefix with the last request, `elapsed_ms` ago. After a negative
    /// time (the clock was set back) the cache counts as warm.
    pub fn cached_tokens(&self, unchanged: f64, elapsed_ms: Option<f64>) -> f64 {
        let is_warm = elapsed_ms.is_some_and(|elapsed| elapsed <= self.ttl_ms);
        if is_warm { self.cacheable_tokens(unchanged) } else { 0.0 }
    }

    /// Tokens of a prefix that a warm cache holds: whole blocks, and nothing below the minimum.
    pub fn cacheable_tokens(&self, prefix: f64) -> f64 {
        let blocks = (prefix / self.block_tokens).floor() * self.block_tokens;
        if blocks < self.min_tokens { 0.0 } else { blocks }
    }

    /// Cost of a prompt of `total` tokens, of which `cached` are read from the cache.
    pub fn cost(&self, cached: f64, total: f64) -> f64 {
        self.read * cached + self.write * (total - cached)
    }

    /// # Errors
    /// The first invalid field: negative, not a number, or reads dearer than writes.
    pub fn checked(self) -> Result<Self, ImpossiblePrice> {
        let Self { read, write, ttl_ms, min_tokens, block_tokens } = self;
        let is_at_least = |value: f64, min: f64| value.is_finite() && value >= min;
        let checks = [
            ("write", write.is_finite() && write > 0.0, "a positive number"),
            ("read", read >= 0.0 && read <= write, "a number from 0 to the price of writing"),
            ("ttlMs", ttl_ms >= 0.0, "milliseconds, not negative"),
            ("minTokens", is_at_least(min_tokens, 0.0), "a number of tokens, not negative"),
            ("blockTokens", is_at_least(block_tokens, 1.0), "a number of tokens, at least 1"),
        ];
        let invalid = checks.into_iter().find(|&(_, is_valid, _)| !is_valid);
        invalid.map_or(Ok(self), |(field, _, expected)| Err(ImpossiblePrice { field, expected }))
    }
}

#[cfg(test)]
mod tests;
