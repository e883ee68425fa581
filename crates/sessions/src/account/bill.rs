//! A session's bill: as paid, as the prediction of cache hits has it, and the requests at which they differ. It is
//! built from the [`Charge`] of each request.
//!
//! The prediction: all tokens expected in the cache are read, all others are written. Costs are in *units of base
//! input*: the price of one input token that is neither read from the cache nor written to it.

use palimpsest_core::cache::prices::Prices;
use palimpsest_core::provider::usage::Usage;
use serde::Serialize;

use super::cache_miss::{CacheMiss, CacheMissCause, Surprise, SurpriseFigures};
use super::cache_prediction::{CachePredictor, CacheState, has_cache, in_blocks, is_one_hour};
use super::charge::Charge;
use super::counted_thread::{CountedThread, to_f64};
use super::prices::{PriceList, Rates};
use super::waterfall::Waterfall;
use crate::model::{Request, Thread};

/// A difference in cached tokens below either threshold is not reported: tokens, and share of the expected hit.
const MIN_DIFFERENCE_TOKENS: f64 = 1024.0;
const MIN_DIFFERENCE_SHARE: f64 = 0.1;

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
    #[serde(rename = "busts")]
    pub cache_misses: Vec<CacheMiss>,
    /// By thread and request; `None` if no usage is recorded.
    #[serde(skip)]
    pub charges: Vec<Vec<Option<Charge>>>,
    /// Prompts and output; `None` while threads are still being added.
    pub waterfall: Option<Waterfall>,
    /// True if dollars are as recorded by the agent, not usage at list prices.
    pub is_recorded: bool,
    /// True if usage is recorded per session only: nothing is predicted, and `predicted` equals `paid`.
    pub is_of_session: bool,
    /// Cost in US dollars, `None` if a model's price isn't known; the first two are for prompts.
    pub paid_usd: Option<f64>,
    pub predicted_usd: Option<f64>,
    pub output_usd: Option<f64>,
}

impl Bill {
    pub(super) fn add_thread(&mut self, counted: &CountedThread<'_>, list: &PriceList) {
        let predictor = CachePredictor::of(counted);
        let mut state_before: Option<CacheState> = None;
        let mut charges = Vec::with_capacity(counted.thread.requests.len());
        for (index, request) in counted.thread.requests.iter().enumerate() {
            let Some(usage) = request.usage.filter(|usage| usage.total() > 0) else {
                charges.push(None);
                continue;
            };
            let rates = list.rates_for(request.model.as_deref(), usage.total());
            let priced = PricedPrompt::of(&predictor, request, &usage, &rates, state_before);
            let previous = priced.previous_tokens;
            let charge =
                Charge::of((&usage, &rates), priced.paid, previous, predictor.has_cache, request.cost_usd);
            self.add_charge(&priced, &charge);
            if predictor.has_cache {
                self.note_differences(&predictor, (index, request), &priced, &charge, state_before);
            }
            state_before = Some(predictor.update(request, &usage, &rates, state_before));
            charges.push(Some(charge));
        }
        self.charges.push(charges);
    }

    /// Call this after the last thread.
    pub(super) fn finish(&mut self) {
        self.waterfall = Some(Waterfall::of(&self.charges, &self.cache_misses));
        self.is_recorded = self.charges.iter().flatten().flatten().any(|charge| charge.is_recorded);
    }

    fn add_charge(&mut self, priced: &PricedPrompt, charge: &Charge) {
        let is_first = self.requests == 0;
        self.requests += 1;
        self.paid += priced.paid;
        self.predicted += priced.predicted;
        let plus = |sum: Option<f64>, units: f64| {
            let before = if is_first { Some(0.0) } else { sum };
            before.zip(charge.usd_per_unit).map(|(before, usd)| before + units * usd)
        };
        self.paid_usd = plus(self.paid_usd, priced.paid);
        self.predicted_usd = plus(self.predicted_usd, priced.predicted);
        self.output_usd = plus(self.output_usd, charge.output);
    }

    /// Records a request (with its index in the thread) if its read was not predicted, or was less than the previous
    /// request held.
    fn note_differences(
        &mut self,
        predictor: &CachePredictor<'_>,
        (index, request): (usize, &Request),
        priced: &PricedPrompt,
        charge: &Charge,
        state_before: Option<CacheState>,
    ) {
        let PricedPrompt { previous_tokens, read, predicted_read, paid, predicted, cause } = *priced;
        let pause_ms = predictor.pause_ms(request, state_before);
        let begins_turn = predictor.counted.begins_turn(request);
        let surprise = Surprise::of((predicted_read, read), cause.is_some(), pause_ms, begins_turn);
        let is_surprise = is_reported((predicted_read - read).abs(), predicted_read.max(read));
        if is_surprise {
            self.unannounced += paid - predicted;
            self.unannounced_requests += 1;
            surprise.add_to(&mut self.surprises, request.line, paid - predicted);
        }
        let lost = previous_tokens - read;
        if is_reported(lost, previous_tokens) {
            let cost = (charge.new_rate - charge.read_rate) * lost;
            self.cache_misses.push(CacheMiss {
                thread: predictor.counted.index,
                request: index,
                line: request.line,
                at_ms: request.at_ms,
                pause_ms,
                cause: cause.unwrap_or(CacheMissCause::Unknown),
                surprise: is_surprise.then_some(surprise),
                is_predicted: !is_surprise,
                expected_tokens: previous_tokens,
                read_tokens: request.usage.map_or(0, |usage| usage.cache_read),
                cost,
                usd: charge.usd_per_unit.map(|usd| cost * usd),
            });
        }
    }
}

/// True if a difference in cached tokens is large enough to be reported.
fn is_reported(difference: f64, expected: f64) -> bool {
    difference >= MIN_DIFFERENCE_TOKENS.max(MIN_DIFFERENCE_SHARE * expected)
}

/// One request's prompt: its tokens, and its cost in units of base input.
struct PricedPrompt {
    /// Tokens that the previous request had already sent.
    previous_tokens: f64,
    /// Tokens read from the cache: as reported, and as predicted.
    read: f64,
    predicted_read: f64,
    /// Cost of the prompt: as reported, and with the predicted read.
    paid: f64,
    predicted: f64,
    cause: Option<CacheMissCause>,
}

impl PricedPrompt {
    fn of(
        predictor: &CachePredictor<'_>,
        request: &Request,
        usage: &Usage,
        rates: &Rates,
        state_before: Option<CacheState>,
    ) -> Self {
        let (total, read) = (to_f64(usage.total()), to_f64(usage.cache_read));
        let write = if predictor.is_one_hour { rates.write_1h } else { rates.write };
        // A prompt too short for the cache isn't written.
        let write = if predictor.has_cache && total >= rates.min_tokens { write } else { 1.0 };
        let uncached = if predictor.records_writes || !predictor.has_cache { 1.0 } else { write };
        let paid = rates.prompt_cost(usage, uncached, write);
        let (cached, cause) = if predictor.has_cache {
            predictor.predict(request, total, rates, state_before)
        } else {
            (0.0, None)
        };
        let predicted_read = match state_before {
            // If writes are recorded, the cached tokens are known exactly; otherwise round to blocks.
            Some(state) if !predictor.records_writes => in_blocks(cached, state.first_read, rates),
            _ => cached,
        };
        let predicted = rates.read * predicted_read + write * (total - predicted_read);
        let previous_tokens = state_before.map_or(0.0, |state| state.prompt_tokens.min(total));
        Self { previous_tokens, read, predicted_read, paid, predicted, cause }
    }
}

/// Prices of a thread's own prompts. A provider that never reports cached tokens has no cache.
pub(super) fn own_prices(rates: &Rates, thread: &Thread) -> Prices {
    let (requests, usage) = thread.usage();
    let has_none = requests > 1 && !has_cache(&usage);
    let none = Prices::named("none").filter(|_| has_none);
    none.unwrap_or_else(|| rates.prices(is_one_hour(&usage)))
}
