//! A session's bill, as paid and as predicted: tokens expected in the cache are read, all others are written. Costs are
//! in *units of base input*: the price of an input token neither read from the cache nor written to it.

use palimpsest_core::cache::prices::Prices;
use palimpsest_core::provider::usage::Usage;
use serde::Serialize;

use super::{
    CacheMiss, CacheMissCause, CachePredictor, Charge, CountedThread, Currency, PriceList, Rates, Surprise,
    SurpriseFigures, Waterfall, has_cache, in_blocks, is_one_hour, to_f64,
};
use crate::model::{ModelTotal, Request, Thread};

/// A difference in cached tokens below either threshold is not reported: tokens, and share of the expected hit.
const MIN_DIFFERENCE_TOKENS: f64 = 1024.0;
const MIN_DIFFERENCE_SHARE: f64 = 0.1;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bill {
    pub requests: usize,
    pub paid: f64,
    pub predicted: f64,
    /// Paid minus predicted cost, summed over requests that the file does not predict.
    pub unannounced: f64,
    pub unannounced_requests: usize,
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
        let mut predictor = CachePredictor::of(counted);
        let mut charges = Vec::with_capacity(counted.thread.requests.len());
        for (index, request) in counted.thread.requests.iter().enumerate() {
            let Some(usage) = request.usage.filter(|usage| usage.total() > 0) else {
                charges.push(None);
                continue;
            };
            let rates = list.rates_for(request.model.as_deref(), usage.total());
            let (charge, prediction) = charge_and_prediction(&predictor, request, &usage, &rates);
            self.add_charge(&charge, prediction.cost);
            if predictor.has_cache {
                self.note_differences(&predictor, (index, request), &charge, &prediction);
            }
            predictor.update(request, &usage, &rates);
            charges.push(Some(charge));
        }
        self.charges.push(charges);
    }

    /// Call this after the last thread.
    pub(super) fn finish(&mut self) {
        self.waterfall = Some(Waterfall::of(&self.charges, &self.cache_misses));
        self.is_recorded = self.charges.iter().flatten().flatten().any(|charge| charge.is_recorded);
    }

    pub(super) fn currency(&self) -> Currency {
        self.waterfall.as_ref().map_or(Currency::Units, |waterfall| waterfall.currency)
    }

    pub(super) fn add_charge(&mut self, charge: &Charge, predicted: f64) {
        let is_first = self.requests == 0;
        self.requests += 1;
        self.paid += charge.prompt;
        self.predicted += predicted;
        let plus = |sum: Option<f64>, units: f64| {
            let before = if is_first { Some(0.0) } else { sum };
            before.zip(charge.usd_per_unit).map(|(before, usd)| before + units * usd)
        };
        self.paid_usd = plus(self.paid_usd, charge.prompt);
        self.predicted_usd = plus(self.predicted_usd, predicted);
        self.output_usd = plus(self.output_usd, charge.output);
    }

    /// Records a request if its read was not predicted, or was less than the previous request held.
    fn note_differences(
        &mut self,
        predictor: &CachePredictor<'_>,
        (index, request): (usize, &Request),
        charge: &Charge,
        prediction: &Prediction,
    ) {
        let (read, predicted_read) = (charge.read_tokens, prediction.read_tokens);
        let pause_ms = predictor.pause_ms(request);
        let begins_turn = predictor.counted.begins_turn(request);
        let surprise = Surprise::of((predicted_read, read), prediction.cause.is_some(), pause_ms, begins_turn);
        let is_surprise = is_reported((predicted_read - read).abs(), predicted_read.max(read));
        if is_surprise {
            let difference = charge.prompt - prediction.cost;
            self.unannounced += difference;
            self.unannounced_requests += 1;
            surprise.add_to(&mut self.surprises, request.line, difference);
        }
        let lost = charge.previous_tokens - read;
        if is_reported(lost, charge.previous_tokens) {
            let cost = (charge.new_rate - charge.read_rate) * lost;
            self.cache_misses.push(CacheMiss {
                thread: predictor.counted.index,
                request: index,
                line: request.line,
                at_ms: request.at_ms,
                pause_ms,
                cause: prediction.cause.unwrap_or(CacheMissCause::Unknown),
                surprise: is_surprise.then_some(surprise),
                is_predicted: !is_surprise,
                expected_tokens: charge.previous_tokens,
                read_tokens: request.usage.map_or(0, |usage| usage.cache_read),
                cost,
                usd: charge.usd_per_unit.map(|usd| cost * usd),
            });
        }
    }
}

fn is_reported(difference: f64, expected: f64) -> bool {
    difference >= MIN_DIFFERENCE_TOKENS.max(MIN_DIFFERENCE_SHARE * expected)
}

/// What the file predicts of one prompt: the tokens read from the cache, and the cost in units of base input.
struct Prediction {
    read_tokens: f64,
    cost: f64,
    cause: Option<CacheMissCause>,
}

fn charge_and_prediction(
    predictor: &CachePredictor<'_>,
    request: &Request,
    usage: &Usage,
    rates: &Rates,
) -> (Charge, Prediction) {
    let CachePredictor { has_cache, records_writes, state, .. } = *predictor;
    let total = to_f64(usage.total());
    // A prompt too short for the cache isn't written.
    let is_written = has_cache && total >= rates.min_tokens;
    let write = if predictor.is_one_hour { rates.write_1h } else { rates.write };
    let write = if is_written { write } else { 1.0 };
    let uncached = if records_writes || !has_cache { 1.0 } else { write };
    let prompt = rates.prompt_cost(usage, uncached, write);
    let previous_tokens = state.map_or(0.0, |state| state.prompt_tokens.min(total));
    let charge = Charge::of((usage, rates), prompt, (previous_tokens, has_cache), request.cost_usd);
    let (cached, cause) = if has_cache { predictor.predict(request, total, rates) } else { (0.0, None) };
    let read_tokens = match state {
        // If writes are recorded, the cached tokens are known exactly; otherwise round to blocks.
        Some(state) if !records_writes => in_blocks(cached, state.first_read, rates),
        _ => cached,
    };
    let cost = rates.read * read_tokens + write * (total - read_tokens);
    (charge, Prediction { read_tokens, cost, cause })
}

/// Prices of a thread's own prompts. A provider that never reports cached tokens has no cache.
pub(super) fn own_prices(rates: &Rates, thread: &Thread) -> Prices {
    let (requests, usage) = thread.usage();
    let has_none = requests > 1 && !has_cache(&usage);
    let none = Prices::named("none").filter(|_| has_none);
    none.unwrap_or_else(|| rates.prices(is_one_hour(&usage)))
}

/// Usage reported by the provider, in classes that don't overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageFigures {
    pub requests: usize,
    pub prompt: u64,
    /// Neither read from the cache nor written to it.
    pub input: u64,
    pub cache_read: u64,
    pub cache_write_5m: u64,
    pub cache_write_1h: u64,
    /// Written for a time that isn't reported.
    pub cache_write: u64,
    pub output: u64,
}

impl UsageFigures {
    pub(super) fn of(requests: usize, usage: &Usage) -> Self {
        Self {
            requests,
            prompt: usage.total(),
            input: usage.uncached,
            cache_read: usage.cache_read,
            cache_write_5m: usage.cache_write_5m,
            cache_write_1h: usage.cache_write_1h,
            cache_write: usage.cache_write_unspecified(),
            output: usage.output,
        }
    }
}

/// What was paid for one request, or for adjacent ones without an id. In JSON, a list of the fields' values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(into = "(Option<u32>, f64, Option<i64>, Option<usize>)")]
pub struct ChargedRequest {
    pub id: Option<u32>,
    /// In the bill's currency.
    pub cost: f64,
    /// Quarter hours since 1970.
    pub time: Option<i64>,
    /// Index in the account's models.
    pub model: Option<usize>,
}

impl From<ChargedRequest> for (Option<u32>, f64, Option<i64>, Option<usize>) {
    fn from(charged: ChargedRequest) -> Self {
        (charged.id, charged.cost, charged.time, charged.model)
    }
}

/// What an agent recorded for the whole session only: nothing is predicted, and no cache losses are found.
pub(super) struct SessionTotals {
    pub bill: Bill,
    pub usage: UsageFigures,
    pub charged: Vec<ChargedRequest>,
}

impl SessionTotals {
    /// `None` if nothing is recorded. `models`: the account's list, to which charges refer by index.
    pub fn of(totals: &[ModelTotal], models: &[String], list: &PriceList) -> Option<Self> {
        let recorded: Vec<&ModelTotal> = totals.iter().filter(|total| !total.usage.is_empty()).collect();
        let mut sum = Usage::default();
        let mut bill = Bill { is_of_session: true, ..Bill::default() };
        let mut charges = Vec::new();
        for total in &recorded {
            let charge = charge_of(total, list);
            sum.add(&total.usage);
            bill.add_charge(&charge, charge.prompt);
            charges.push(Some(charge));
        }
        bill.charges.push(charges);
        bill.finish();
        // No charge is a request's.
        let charges = std::mem::take(&mut bill.charges);
        let requests: u64 = recorded.iter().map(|total| total.requests).sum();
        bill.requests = usize::try_from(requests).unwrap_or(usize::MAX).max(1);
        let usage = UsageFigures::of(bill.requests, &sum);
        let currency = bill.currency();
        let paid = recorded.iter().zip(charges.iter().flatten().flatten()).map(|(total, charge)| ChargedRequest {
            id: None,
            cost: currency.unit_value(charge) * (charge.prompt + charge.output),
            time: None,
            model: models.iter().position(|model| *model == total.model),
        });
        (!recorded.is_empty()).then(|| Self { usage, charged: paid.collect(), bill })
    }
}

/// Cost of one model's tokens, without surcharges for long prompts, since prompt lengths aren't known.
fn charge_of(total: &ModelTotal, list: &PriceList) -> Charge {
    let usage = &total.usage;
    let rates = list.rates(Some(&total.model));
    let prompt = rates.prompt_cost(usage, 1.0, rates.write);
    Charge::of((usage, &rates), prompt, (to_f64(usage.cache_read), has_cache(usage)), total.cost_usd)
}
