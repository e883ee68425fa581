//! The charge of one request: what its prompt and output cost, at which rates. All sums of costs are built from charges.

use palimpsest_core::provider::usage::Usage;

use super::counted_thread::to_f64;
use super::prices::Rates;

/// One request's charge, in units of base input (the price of one input token) of its own model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge {
    pub prompt: f64,
    pub output: f64,
    pub total_tokens: f64,
    pub read_tokens: f64,
    /// Tokens of this prompt that the previous request had already sent.
    pub previous_tokens: f64,
    pub read_rate: f64,
    /// Units per token that wasn't read from the cache, written to it or not.
    pub new_rate: f64,
    pub output_rate: f64,
    /// True if the thread has a cache at all.
    pub has_cache: bool,
    /// US dollars per unit, as recorded by the agent or else by list price; `None` if neither is known.
    pub usd_per_unit: Option<f64>,
    /// True if the agent recorded the dollars.
    pub is_recorded: bool,
}

impl Charge {
    /// `prompt`: the prompt's cost in units. `previous`: the prompt's tokens that the previous request had sent.
    pub(super) fn of(
        (usage, rates): (&Usage, &Rates),
        prompt: f64,
        previous: f64,
        has_cache: bool,
        recorded_usd: Option<f64>,
    ) -> Self {
        let (total, read) = (to_f64(usage.total()), to_f64(usage.cache_read));
        let output = rates.output * to_f64(usage.output);
        let units = prompt + output;
        // With a subscription, agents record a cost of 0.
        let recorded = recorded_usd.filter(|&usd| usd > 0.0 && units > 0.0).map(|usd| usd / units);
        Self {
            prompt,
            output,
            total_tokens: total,
            read_tokens: read,
            previous_tokens: previous,
            read_rate: rates.read,
            new_rate: if total > read { (prompt - rates.read * read) / (total - read) } else { rates.write },
            output_rate: rates.output,
            has_cache,
            usd_per_unit: recorded.or(rates.input_usd),
            is_recorded: recorded.is_some(),
        }
    }

    /// Cost of the prompt's tokens from `from` to `to`, in units.
    pub fn cost_of(&self, from: f64, to: f64) -> f64 {
        let read = (self.read_tokens.min(to) - from).max(0.0);
        self.read_rate * read + self.new_rate * (to - from - read)
    }
}
