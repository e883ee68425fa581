//! What one request was billed, and at which rates: sums over requests, over tokens and over causes are all made of these.

use super::prices::Rates;

/// One request's bill in units of base input of its own model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge {
    pub prompt: f64,
    pub output: f64,
    pub total_tokens: f64,
    pub read_tokens: f64,
    /// How many of this prompt's tokens the request before had sent already.
    pub held_tokens: f64,
    pub read_rate: f64,
    /// Units for a token that wasn't read from the cache, whether it was written there or not.
    pub new_rate: f64,
    pub output_rate: f64,
    /// Whether the thread has a cache at all.
    pub has_cache: bool,
    /// US dollars for a unit: what the agent recorded, else what the model's list says; none where neither is known.
    pub usd: Option<f64>,
    pub is_recorded: bool,
}

/// What a charge is made of.
pub(super) struct Charged {
    pub total: f64,
    pub read: f64,
    pub held: f64,
    pub has_cache: bool,
    /// In units.
    pub prompt: f64,
    /// In tokens.
    pub output: f64,
    pub recorded_usd: Option<f64>,
}

impl Charge {
    pub(super) fn of(charged: &Charged, rates: &Rates) -> Self {
        let Charged { total, read, held, has_cache, prompt, output, recorded_usd } = *charged;
        let units = prompt + rates.output * output;
        // Agents whose user has a subscription record that a request cost nothing.
        let recorded = recorded_usd.filter(|&usd| usd > 0.0 && units > 0.0).map(|usd| usd / units);
        Self {
            prompt,
            output: rates.output * output,
            total_tokens: total,
            read_tokens: read,
            held_tokens: held,
            read_rate: rates.read,
            new_rate: if total > read { (prompt - rates.read * read) / (total - read) } else { rates.write },
            output_rate: rates.output,
            has_cache,
            usd: recorded.or(rates.input_usd),
            is_recorded: recorded.is_some(),
        }
    }

    /// What the prompt's tokens from `from` to `to` cost, in units.
    #[must_use]
    pub fn cost_of(&self, from: f64, to: f64) -> f64 {
        let read = (self.read_tokens.min(to) - from).max(0.0);
        self.read_rate * read + self.new_rate * (to - from - read)
    }
}

/// Whether a bill is in dollars: where each request's are known. Sums without one of their parts are none.
#[must_use]
pub(super) fn in_dollars(charges: &[Vec<Option<Charge>>]) -> bool {
    charges.iter().flatten().flatten().all(|charge| charge.usd.is_some())
}
