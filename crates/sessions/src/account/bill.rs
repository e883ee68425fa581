//! A session's bill: as paid, as the prediction of cache hits has it, and the requests at which they differ.
//!
//! Predicted are reads of all tokens expected in the cache, and writes of all others. Costs are in *units of base
//! input*: the price of one input token that is neither read from the cache nor written to it.

use palimpsest_core::cache::prices::Prices;
use serde::Serialize;

use super::bust::{Bust, Cause};
use super::cache_prediction::{CachePredictor, CacheState, in_blocks};
use super::charge::Charge;
use super::prices::{PriceList, Rates};
use super::prompt::{Prompts, amount};
use super::rows::CountedRows;
use super::surprises::{Surprise, SurpriseFigures};
use super::waterfall::Waterfall;
use crate::model::{Request, Thread};
use palimpsest_core::provider::usage::Usage;

/// Thresholds: a difference in cached tokens below either is not an event.
const EVENT_TOKENS: f64 = 1024.0;
const EVENT_SHARE: f64 = 0.1;

/// One session's bill: its prompts in units of base input, and prompts and output as a waterfall.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bill {
    pub requests: usize,
    pub paid: f64,
    pub predicted: f64,
    /// Paid minus predicted cost, summed over requests that the file does not predict.
    pub unannounced: f64,
    pub unannounced_requests: usize,
    /// The same requests, grouped by what happened.
    pub surprises: Vec<SurpriseFigures>,
    pub busts: Vec<Bust>,
    /// By thread and request; `None` if no usage is recorded.
    #[serde(skip)]
    pub charges: Vec<Vec<Option<Charge>>>,
    /// Prompts and output; `None` while threads are still being added.
    pub waterfall: Option<Waterfall>,
    /// True if dollars are as recorded by the agent, not usage at list prices.
    pub is_recorded: bool,
    /// True if usage is recorded per session only: nothing is predicted, and `predicted` equals `paid`.
    pub is_of_session: bool,
    /// Cost in US dollars, `None` if a model's price isn't state; the first two are for prompts.
    pub paid_usd: Option<f64>,
    pub predicted_usd: Option<f64>,
    pub output_usd: Option<f64>,
}

impl Bill {
    /// Adds the cost of `thread`.
    pub(super) fn add(
        &mut self,
        thread: &Thread,
        prompts: &Prompts,
        rows: &CountedRows<'_>,
        list: &PriceList,
    ) {
        let (_, usage) = thread.usage();
        let predictor = CachePredictor {
            thread,
            prompts,
            rows,
            is_one_hour: is_one_hour(&usage),
            records_writes: usage.cache_write > 0,
            has_cache: has_cache(&usage),
        };
        // After the previous request.
        let mut state: Option<CacheState> = None;
        let mut charges = Vec::with_capacity(thread.requests.len());
        for (number, request) in thread.requests.iter().enumerate() {
            charges.push(request.usage.filter(|usage| usage.total() > 0).map(|usage| {
                let rates = list.rates_for(request.model.as_deref(), usage.total());
                let place = (self.charges.len(), number);
                let charge = self.add_request(&predictor, (request, place), &usage, &rates, state);
                state = Some(predictor.update(request, &usage, &rates, state));
                charge
            }));
        }
        self.charges.push(charges);
    }

    /// Call this after the last thread.
    pub(super) fn finish(&mut self) {
        self.waterfall = Some(Waterfall::of(&self.charges, &self.busts));
        self.is_recorded = self.charges.iter().flatten().flatten().any(|charge| charge.is_recorded);
    }

    /// Adds one request; `place` is its thread and its index in it.
    fn add_request(
        &mut self,
        predictor: &CachePredictor<'_>,
        (request, place): (&Request, (usize, usize)),
        usage: &Usage,
        rates: &Rates,
        state: Option<CacheState>,
    ) -> Charge {
        let priced = PricedPrompt::of(predictor, request, usage, rates, state);
        let previous = state.map_or(0.0, |state| state.prompt_tokens.min(priced.total));
        let has_cache = predictor.has_cache;
        let charge = Charge::of((usage, rates), priced.paid, previous, has_cache, request.cost_usd);
        self.note_differences(predictor, (request, place), &priced, &charge, state);
        let is_first = self.requests == 0;
        self.requests += 1;
        self.paid += priced.paid;
        self.predicted += priced.predicted;
        let money = |sum: Option<f64>, units: f64| {
            let before = if is_first { Some(0.0) } else { sum };
            before.zip(charge.usd).map(|(before, price)| before + units * price)
        };
        self.paid_usd = money(self.paid_usd, priced.paid);
        self.predicted_usd = money(self.predicted_usd, priced.predicted);
        self.output_usd = money(self.output_usd, charge.output);
        charge
    }

    /// Records the request if its read was not predicted, or was less than the previous request held.
    fn note_differences(
        &mut self,
        predictor: &CachePredictor<'_>,
        (request, (thread, number)): (&Request, (usize, usize)),
        priced: &PricedPrompt,
        charge: &Charge,
        state: Option<CacheState>,
    ) {
        let PricedPrompt { total, read, cached, paid, predicted, cause } = *priced;
        if !predictor.has_cache {
            return;
        }
        let pause_ms = predictor.pause_ms(request, state);
        let begins_turn = predictor.rows.session.begins_turn(predictor.thread, request);
        let surprise = Surprise::of((cached, read), cause.is_some(), pause_ms, begins_turn);
        let is_unannounced = (cached - read).abs() >= EVENT_TOKENS.max(EVENT_SHARE * cached.max(read));
        if is_unannounced {
            self.unannounced += paid - predicted;
            self.unannounced_requests += 1;
            surprise.add_to(&mut self.surprises, request.line, paid - predicted);
        }
        let expected = state.map_or(0.0, |state| state.prompt_tokens.min(total));
        if expected - read >= EVENT_TOKENS.max(EVENT_SHARE * expected) {
            let cost = (charge.new_rate - charge.read_rate) * (expected - read);
            self.busts.push(Bust {
                thread,
                request: number,
                line: request.line,
                at_ms: request.at_ms,
                pause_ms,
                cause: cause.unwrap_or(Cause::Unknown),
                surprise: is_unannounced.then_some(surprise),
                announced: !is_unannounced,
                expected_tokens: expected,
                read_tokens: request.usage.map_or(0, |usage| usage.cache_read),
                cost,
                usd: charge.usd.map(|usd| cost * usd),
            });
        }
    }
}

/// One request's prompt in units of base input.
struct PricedPrompt {
    /// Tokens of the prompt, of which `read` were in the cache and `cached` were expected there.
    total: f64,
    read: f64,
    cached: f64,
    paid: f64,
    predicted: f64,
    cause: Option<Cause>,
}

impl PricedPrompt {
    fn of(
        predictor: &CachePredictor<'_>,
        request: &Request,
        usage: &Usage,
        rates: &Rates,
        state: Option<CacheState>,
    ) -> Self {
        let (total, read) = (amount(usage.total()), amount(usage.cache_read));
        let write = if predictor.is_one_hour { rates.write_1h } else { rates.write };
        // A prompt too short for the cache isn't written.
        let write = if predictor.has_cache && total >= rates.min_tokens { write } else { 1.0 };
        let uncached = if predictor.records_writes || !predictor.has_cache { 1.0 } else { write };
        let paid = rates.prompt_cost(usage, uncached, write);
        let (cached, cause) =
            if predictor.has_cache { predictor.predict(request, total, rates, state) } else { (0.0, None) };
        let cached = match state {
            // If writes are recorded, the cached tokens are state exactly; otherwise round to blocks.
            Some(state) if !predictor.records_writes => in_blocks(cached, state.first_read, rates),
            _ => cached,
        };
        let predicted = rates.read * cached + write * (total - cached);
        Self { total, read, cached, paid, predicted, cause }
    }
}

/// Prices of a thread's own prompts. A provider that never reports cached tokens has no cache.
pub(super) fn own_prices(rates: &Rates, thread: &Thread) -> Prices {
    let (requests, usage) = thread.usage();
    let has_none = requests > 1 && !has_cache(&usage);
    let none = Prices::named("none").filter(|_| has_none);
    none.unwrap_or_else(|| rates.prices(is_one_hour(&usage)))
}

/// True if the thread mostly paid for the one-hour cache instead of the five-minute one.
pub(super) fn is_one_hour(usage: &Usage) -> bool {
    usage.cache_write_1h > usage.cache_write_5m
}

pub(super) fn has_cache(usage: &Usage) -> bool {
    usage.cache_write > 0 || usage.cache_read > 0
}
