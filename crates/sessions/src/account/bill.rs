//! The bill that was paid beside the bill that the model predicts, and where they part.
//!
//! What is expected to come from the cache is read, everything else is written.

use palimpsest_core::cache::prices::Prices;
use serde::Serialize;

use super::cause::Cause;
use super::expectation::{Known, Teller, in_blocks};
use super::prices::{PriceList, Rates};
use super::prompt::{Prompts, amount};
use super::rows::Rows;
use super::surprises::{Surprise, SurpriseFigures};
use crate::model::{Request, Session, Thread};
use palimpsest_core::provider::usage::Usage;

/// A read that is off by less than both is no event.
const EVENT_TOKENS: f64 = 1024.0;
const EVENT_SHARE: f64 = 0.1;

/// A request that read less than the request before had held.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bust {
    /// The request's place among those that were billed so far, with recorded usage or without.
    #[serde(skip)]
    pub request: usize,
    pub line: u64,
    pub at_ms: Option<i64>,
    pub cause: Cause,
    /// Whether something in the file foretells it, so that the predicted bill holds it.
    pub announced: bool,
    pub expected_tokens: f64,
    pub read_tokens: u64,
    /// What it cost beyond reading the request before again.
    pub cost: f64,
}

/// One session's bill for its prompts, in units of base input.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bill {
    pub requests: usize,
    pub paid: f64,
    pub predicted: f64,
    /// What was paid at requests that nothing in the file foretells, less what was predicted for them.
    pub unannounced: f64,
    pub unannounced_requests: usize,
    /// The same requests by what happened at them.
    pub surprises: Vec<SurpriseFigures>,
    pub busts: Vec<Bust>,
    /// By request, what was paid for it; none where no usage is recorded.
    #[serde(skip)]
    pub paid_by_request: Vec<Option<f64>>,
    /// In US dollars; none where the price of a model isn't known.
    pub paid_usd: Option<f64>,
    pub predicted_usd: Option<f64>,
    pub output_usd: Option<f64>,
}

impl Bill {
    /// Adds what `thread` cost.
    pub(super) fn add(
        &mut self,
        session: &Session,
        thread: &Thread,
        prompts: &Prompts,
        rows: &Rows,
        list: &PriceList,
    ) {
        let (_, usage) = thread.usage();
        let teller = Teller {
            session,
            thread,
            prompts,
            rows,
            is_one_hour: is_one_hour(&usage),
            records_writes: usage.cache_write > 0,
            has_cache: has_cache(&usage),
        };
        let mut known: Option<Known> = None;
        for request in &thread.requests {
            let Some(usage) = request.usage.filter(|usage| usage.total() > 0) else {
                self.paid_by_request.push(None);
                continue;
            };
            let rates = list.rates(request.model.as_deref());
            self.request(&teller, request, &usage, &rates, known);
            known = Some(teller.learn(request, &usage, &rates, known));
        }
    }

    fn request(
        &mut self,
        teller: &Teller<'_>,
        request: &Request,
        usage: &Usage,
        rates: &Rates,
        known: Option<Known>,
    ) {
        let priced = Priced::of(teller, request, usage, rates, known);
        self.note(teller, request, &priced, known);
        self.paid_by_request.push(Some(priced.paid));
        let is_first = self.requests == 0;
        self.requests += 1;
        self.paid += priced.paid;
        self.predicted += priced.predicted;
        let money = |sum: Option<f64>, units: f64| {
            let before = if is_first { Some(0.0) } else { sum };
            before.zip(rates.input_usd).map(|(before, price)| before + units * price)
        };
        self.paid_usd = money(self.paid_usd, priced.paid);
        self.predicted_usd = money(self.predicted_usd, priced.predicted);
        self.output_usd = money(self.output_usd, rates.output * amount(usage.output));
    }

    /// Lists the request where nothing foretold what it read, and where it read less than was held before.
    fn note(&mut self, teller: &Teller<'_>, request: &Request, priced: &Priced, known: Option<Known>) {
        let Priced { total, read, cached, paid, predicted, premium, cause } = *priced;
        if !teller.has_cache {
            return;
        }
        let is_event = (cached - read).abs() >= EVENT_TOKENS.max(EVENT_SHARE * cached.max(read));
        if is_event {
            self.unannounced += paid - predicted;
            self.unannounced_requests += 1;
            let odd = teller.odd(request, (cached, read), cause, known);
            Surprise::of(&odd).list(&mut self.surprises, request.line, paid - predicted);
        }
        let held = known.map_or(0.0, |known| known.prompt.min(total));
        if held - read >= EVENT_TOKENS.max(EVENT_SHARE * held) {
            self.busts.push(Bust {
                request: self.paid_by_request.len(),
                line: request.line,
                at_ms: request.at_ms,
                cause: cause.unwrap_or(Cause::Unknown),
                announced: !is_event,
                expected_tokens: held,
                read_tokens: request.usage.map_or(0, |usage| usage.cache_read),
                cost: premium * (held - read),
            });
        }
    }
}

/// One request's prompt in units of base input.
struct Priced {
    total: f64,
    read: f64,
    /// What was expected to be read.
    cached: f64,
    paid: f64,
    predicted: f64,
    /// What writing a token costs beyond reading it.
    premium: f64,
    cause: Option<Cause>,
}

impl Priced {
    fn of(
        teller: &Teller<'_>,
        request: &Request,
        usage: &Usage,
        rates: &Rates,
        known: Option<Known>,
    ) -> Self {
        let (total, read) = (amount(usage.total()), amount(usage.cache_read));
        let write = if teller.is_one_hour { rates.write_1h } else { rates.write };
        // What is too short to be cached isn't written.
        let write = if teller.has_cache && total >= rates.min_tokens { write } else { 1.0 };
        let uncached = if teller.records_writes || !teller.has_cache { 1.0 } else { write };
        let paid = uncached * amount(usage.uncached)
            + rates.read * read
            + rates.write_5m * amount(usage.cache_write_5m)
            + rates.write_1h * amount(usage.cache_write_1h)
            + write * amount(usage.cache_write_untold());
        let (cached, cause) =
            if teller.has_cache { teller.expect(request, total, rates, known) } else { (0.0, None) };
        let cached = match known {
            // Where writes are recorded, what was written is what is there, to the token.
            Some(known) if !teller.records_writes => in_blocks(cached, known.first_read, rates),
            _ => cached,
        };
        let predicted = rates.read * cached + write * (total - cached);
        Self { total, read, cached, paid, predicted, premium: write - rates.read, cause }
    }
}

/// What a thread's own prompts cost. A provider that never reports cached tokens has no cache.
pub(super) fn own_prices(rates: &Rates, thread: &Thread) -> Prices {
    let (requests, usage) = thread.usage();
    let has_none = requests > 1 && !has_cache(&usage);
    let none = Prices::named("none").filter(|_| has_none);
    none.unwrap_or_else(|| rates.prices(is_one_hour(&usage)))
}

/// Whether a cache of an hour was paid for rather than one of five minutes.
fn is_one_hour(usage: &Usage) -> bool {
    usage.cache_write_1h > usage.cache_write_5m
}

fn has_cache(usage: &Usage) -> bool {
    usage.cache_write > 0 || usage.cache_read > 0
}
