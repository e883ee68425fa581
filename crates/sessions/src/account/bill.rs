//! The bill that was paid beside the bill that the model predicts, and where they part.
//!
//! The model is simple. What the request before held is read, if that is not longer ago than the cache lives; after
//! a longer pause what other sessions keep warm is read, as the thread's first request did; after a change of the
//! prefix system prompt and tools are. Everything else is written.

use palimpsest_core::cache::prices::Prices;
use serde::Serialize;

use super::prices::{PriceList, Rates};
use super::prompt::{Prompts, amount};
use super::rows::Rows;
use crate::agent::Agent;
use crate::model::{ContextStart, Request, Role, Session, Thread};
use crate::usage::Usage;

/// Prompts that shrink by less still begin alike: counts of one prompt differ by some tokens.
const SHRINK_TOKENS: f64 = 1024.0;
/// A read that is off by less than both is no event.
const EVENT_TOKENS: f64 = 1024.0;
const EVENT_SHARE: f64 = 0.1;

/// Why a prefix was, or wasn't, in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The pause was longer than the cache lives.
    Idle,
    /// The agent replaced its history, or cleared results.
    Compaction,
    /// The prompt began otherwise: a rewind, other instructions, or it shrank though no record says why.
    EditedPrefix,
    /// Nothing in the file tells.
    Unknown,
}

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
    pub busts: Vec<Bust>,
    /// By request, what was paid for it; none where no usage is recorded.
    #[serde(skip)]
    pub paid_by_request: Vec<Option<f64>>,
    /// In US dollars; none where the price of a model isn't known.
    pub paid_usd: Option<f64>,
    pub predicted_usd: Option<f64>,
    pub output_usd: Option<f64>,
}

/// What a thread is billed by.
struct Teller<'a> {
    session: &'a Session,
    thread: &'a Thread,
    prompts: &'a Prompts,
    rows: &'a Rows,
    /// Whether the thread's cache lives for an hour.
    is_one_hour: bool,
    /// Whether writes are told from input that isn't cached.
    records_writes: bool,
    has_cache: bool,
}

/// What is known of the cache before a request.
#[derive(Debug, Clone, Copy)]
struct Known {
    context: u32,
    prompt: f64,
    at_ms: Option<i64>,
    /// What the first request read: other sessions keep that warm.
    first_read: f64,
    /// What the last request after a pause read.
    after_pause: Option<f64>,
    /// What the last request behind a change of the prefix read.
    after_change: Option<f64>,
    /// The prompt of the last request that began a turn.
    turn: Option<f64>,
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
            records_writes: usage.written() > 0,
            has_cache: has_cache(&usage),
        };
        let mut known: Option<Known> = None;
        for request in &thread.requests {
            let Some(usage) = request.usage.filter(|usage| usage.prompt() > 0) else {
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
        let total = amount(usage.prompt());
        let read = amount(usage.cache_read);
        let write = if teller.is_one_hour { rates.write_1h } else { rates.write };
        let write = if teller.has_cache { write } else { 1.0 };
        let uncached = if teller.records_writes || !teller.has_cache { 1.0 } else { write };
        let paid = uncached * amount(usage.input)
            + rates.read * read
            + rates.write_5m * amount(usage.cache_write_5m)
            + rates.write_1h * amount(usage.cache_write_1h)
            + write * amount(usage.cache_write);
        let (cached, cause) =
            if teller.has_cache { teller.expect(request, total, rates, known) } else { (0.0, None) };
        let cached = known.map_or(cached, |known| in_blocks(cached, known.first_read, rates));
        let predicted = rates.read * cached + write * (total - cached);
        let is_event =
            teller.has_cache && (cached - read).abs() >= EVENT_TOKENS.max(EVENT_SHARE * cached.max(read));
        if is_event {
            self.unannounced += paid - predicted;
            self.unannounced_requests += 1;
        }
        let held = known.map_or(0.0, |known| known.prompt.min(total));
        if teller.has_cache && held - read >= EVENT_TOKENS.max(EVENT_SHARE * held) {
            self.busts.push(Bust {
                request: self.paid_by_request.len(),
                line: request.line,
                at_ms: request.at_ms,
                cause: cause.unwrap_or(Cause::Unknown),
                announced: !is_event,
                expected_tokens: held,
                read_tokens: usage.cache_read,
                cost: (write - rates.read) * (held - read),
            });
        }
        self.paid_by_request.push(Some(paid));
        let is_first = self.requests == 0;
        self.requests += 1;
        self.paid += paid;
        self.predicted += predicted;
        let money = |sum: Option<f64>, units: f64| {
            let before = if is_first { Some(0.0) } else { sum };
            before.zip(rates.input_usd).map(|(before, price)| before + units * price)
        };
        self.paid_usd = money(self.paid_usd, paid);
        self.predicted_usd = money(self.predicted_usd, predicted);
        self.output_usd = money(self.output_usd, rates.output * amount(usage.output));
    }
}

impl Teller<'_> {
    /// What comes from the cache, and why not everything that was sent before.
    fn expect(
        &self,
        request: &Request,
        total: f64,
        rates: &Rates,
        known: Option<Known>,
    ) -> (f64, Option<Cause>) {
        let Some(known) = known else {
            // What other sessions have left in the cache can't be known from this one: it is where the account begins.
            return (request.usage.map_or(0.0, |usage| amount(usage.cache_read)), None);
        };
        let prices = rates.prices(self.is_one_hour);
        #[allow(clippy::cast_precision_loss)] // a time
        let elapsed = self.sent_ms(request).zip(known.at_ms).map_or(0.0, |(now, last)| (now - last) as f64);
        let shared = || {
            let first = Some(known.first_read).filter(|&read| read > 0.0);
            let own = || self.prompts.shared_tokens(self.session, request.context, self.rows);
            known.after_change.or(first).unwrap_or_else(own)
        };
        let (cached, cause) = if elapsed > prices.ttl_ms {
            (known.after_pause.unwrap_or(known.first_read), Some(Cause::Idle))
        } else if request.context != known.context {
            (shared(), Some(self.cause_of(request)))
        } else if total < known.prompt - SHRINK_TOKENS {
            // At a new turn Codex leaves out what the turn before had reasoned: the prompt up to that turn stays.
            let turn = known.turn.filter(|_| self.session.agent == Agent::Codex);
            (turn.unwrap_or_else(shared), Some(Cause::EditedPrefix))
        } else {
            (known.prompt, None)
        };
        (cached.min(total), cause)
    }

    fn learn(&self, request: &Request, usage: &Usage, rates: &Rates, known: Option<Known>) -> Known {
        let (total, read) = (amount(usage.prompt()), amount(usage.cache_read));
        let mut next = known.unwrap_or(Known {
            context: request.context,
            prompt: total,
            at_ms: request.at_ms,
            first_read: read,
            after_pause: None,
            after_change: None,
            turn: None,
        });
        if let Some(before) = known.filter(|before| read < before.prompt / 2.0) {
            match self.expect(request, total, rates, Some(before)).1 {
                Some(Cause::Idle) => next.after_pause = Some(read),
                _ if read > 0.0 => next.after_change = Some(read),
                _ => {}
            }
        }
        let last = self.thread.sent(request).last().and_then(|&at| self.session.messages.get(at as usize));
        if last.is_some_and(|message| message.role == Role::User) {
            next.turn = Some(total);
        }
        (next.context, next.prompt, next.at_ms) = (request.context, total, request.at_ms);
        next
    }

    /// When the request was sent: with the last of its messages, where that is known.
    fn sent_ms(&self, request: &Request) -> Option<i64> {
        let times = self.session.sent(self.thread, request).rev().take(8).filter_map(|message| message.at_ms);
        times.max().or(request.at_ms)
    }

    fn cause_of(&self, request: &Request) -> Cause {
        match self.thread.contexts.get(request.context as usize).map(|context| &context.start) {
            Some(ContextStart::Compaction { .. } | ContextStart::ResultsCleared { .. }) => Cause::Compaction,
            Some(ContextStart::Rewind | ContextStart::Changed) => Cause::EditedPrefix,
            Some(ContextStart::Beginning) | None => Cause::Unknown,
        }
    }
}

/// Whole blocks, counted from where the first request's read ended: a provider's own instructions stand ahead of all.
fn in_blocks(cached: f64, first_read: f64, rates: &Rates) -> f64 {
    let offset = first_read % rates.block_tokens;
    let blocks = ((cached - offset) / rates.block_tokens).floor() * rates.block_tokens + offset;
    if blocks < rates.min_tokens { 0.0 } else { blocks.min(cached) }
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
    usage.written() > 0 || usage.cache_read > 0
}
