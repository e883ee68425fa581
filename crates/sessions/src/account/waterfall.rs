//! What a request was charged, and a bill as a waterfall chart has it, in parts that add up: new input, reread history,
//! cache losses and output.

use palimpsest_core::provider::usage::Usage;
use serde::Serialize;

use super::{CacheMiss, CacheMissCause, Rates, Surprise, to_f64};

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
    pub has_cache: bool,
    /// US dollars per unit, as recorded by the agent or else by list price; `None` if neither is known.
    pub usd_per_unit: Option<f64>,
    pub is_recorded: bool,
}

impl Charge {
    /// `prompt`: the prompt's cost in units.
    pub(super) fn of(
        (usage, rates): (&Usage, &Rates),
        prompt: f64,
        (previous_tokens, has_cache): (f64, bool),
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
            previous_tokens,
            read_rate: rates.read,
            new_rate: if total > read { (prompt - rates.read * read) / (total - read) } else { rates.write },
            output_rate: rates.output,
            has_cache,
            usd_per_unit: recorded.or(rates.input_usd),
            is_recorded: recorded.is_some(),
        }
    }

    pub fn cost_of(&self, from: f64, to: f64) -> f64 {
        let read = (self.read_tokens.min(to) - from).max(0.0);
        self.read_rate * read + self.new_rate * (to - from - read)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Currency {
    Usd,
    /// Input-token equivalents, if a model's price isn't known.
    #[default]
    Units,
}

/// Prompts and output of all requests with recorded usage: `new_input + reread + losses + output = paid`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Waterfall {
    pub currency: Currency,
    pub paid: f64,
    pub prompts: f64,
    pub new_input: f64,
    /// History sent again, at the price of a cache read, or of input if there is no cache.
    pub reread: f64,
    pub has_cache: bool,
    /// Extra cost of cache misses compared with hits; most expensive first.
    pub losses: Vec<Loss>,
    pub output: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loss {
    pub cause: CacheMissCause,
    pub surprise: Option<Surprise>,
    pub meaning: &'static str,
    pub tokens: f64,
    pub cost: f64,
    /// By request: thread, index in it, and cost; most expensive first.
    pub requests: Vec<(usize, usize, f64)>,
}

impl Waterfall {
    pub(super) fn of(charges: &[Vec<Option<Charge>>], cache_misses: &[CacheMiss]) -> Self {
        let all = || charges.iter().flatten().flatten();
        // A sum of dollars with a missing part would be wrong.
        let is_in_dollars = all().all(|charge| charge.usd_per_unit.is_some());
        let currency = if is_in_dollars { Currency::Usd } else { Currency::Units };
        let has_cache = all().any(|charge| charge.has_cache);
        let mut waterfall = Self { currency, has_cache, ..Self::default() };
        for charge in all() {
            let unit_value = currency.unit_value(charge);
            let read = charge.read_rate * charge.read_tokens;
            let reread = if charge.has_cache { read } else { charge.new_rate * charge.previous_tokens };
            waterfall.prompts += unit_value * charge.prompt;
            waterfall.reread += unit_value * reread;
            waterfall.new_input += unit_value * (charge.prompt - reread);
            waterfall.output += unit_value * charge.output;
        }
        let charge_of = |miss: &CacheMiss| charges.get(miss.thread)?.get(miss.request)?.as_ref();
        for (miss, charge) in cache_misses.iter().filter_map(|miss| Some((miss, charge_of(miss)?))) {
            waterfall.add_loss(miss, charge, currency.unit_value(charge));
        }
        waterfall.paid = waterfall.prompts + waterfall.output;
        for loss in &mut waterfall.losses {
            loss.requests.sort_by(|(.., a), (.., b)| b.total_cmp(a));
        }
        waterfall.losses.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        waterfall
    }

    /// Lost tokens count as history at the price of a cache read; the rest of their cost is the loss.
    fn add_loss(&mut self, miss: &CacheMiss, charge: &Charge, unit_value: f64) {
        let lost = charge.previous_tokens - charge.read_tokens;
        let cost = unit_value * miss.cost;
        self.reread += unit_value * charge.read_rate * lost;
        self.new_input -= unit_value * charge.new_rate * lost;
        let surprise = miss.surprise.filter(|_| miss.cause == CacheMissCause::Unknown);
        let known = self.losses.iter_mut().find(|loss| (loss.cause, loss.surprise) == (miss.cause, surprise));
        let request = (miss.thread, miss.request, cost);
        if let Some(loss) = known {
            loss.tokens += lost;
            loss.cost += cost;
            loss.requests.push(request);
        } else {
            let meaning = surprise.map_or(miss.cause.meaning(), Surprise::meaning);
            let requests = vec![request];
            self.losses.push(Loss { cause: miss.cause, surprise, meaning, tokens: lost, cost, requests });
        }
    }
}

impl Currency {
    pub(super) fn unit_value(self, charge: &Charge) -> f64 {
        if self == Self::Usd { charge.usd_per_unit.unwrap_or_default() } else { 1.0 }
    }
}
