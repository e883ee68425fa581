//! What a request cost in tokens, by class: the same classes for every provider.

/// Tokens of one request in classes that don't overlap. The prompt is the sum of all but the last two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Neither read from a cache nor written to one.
    pub input: u64,
    pub cache_read: u64,
    /// Written with a lifetime of five minutes.
    pub cache_write_5m: u64,
    /// Written with a lifetime of one hour.
    pub cache_write_1h: u64,
    /// Written, and the file doesn't say for how long.
    pub cache_write: u64,
    /// Everything that the model wrote, reasoning included.
    pub output: u64,
    /// The part of `output` that was reasoning, where the provider tells.
    pub reasoning: u64,
}

impl Usage {
    /// Usage of a provider whose prompt count includes what came from the cache.
    #[must_use]
    pub fn of_inclusive(prompt: u64, cache_read: u64, cache_write: u64, output: u64, reasoning: u64) -> Self {
        let input = prompt.saturating_sub(cache_read).saturating_sub(cache_write);
        Self { input, cache_read, cache_write, output, reasoning, ..Self::default() }
    }

    /// All tokens of the prompt.
    #[must_use]
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.written())
    }

    /// All tokens written to the cache.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.cache_write_5m.saturating_add(self.cache_write_1h).saturating_add(self.cache_write)
    }

    /// True when no class counts anything: agents write that for calls that failed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds another request's tokens.
    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.input, other.input),
            (&mut self.cache_read, other.cache_read),
            (&mut self.cache_write_5m, other.cache_write_5m),
            (&mut self.cache_write_1h, other.cache_write_1h),
            (&mut self.cache_write, other.cache_write),
            (&mut self.output, other.output),
            (&mut self.reasoning, other.reasoning),
        ];
        for (sum, more) in pairs {
            *sum = sum.saturating_add(more);
        }
    }
}
