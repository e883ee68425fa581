//! A session request by request, for maps and charts: what was sent, what of it was outdated, what was cached, and
//! what each request cost under each policy.

mod advice;
mod carried;
mod cleared;
mod history;
mod items;
mod pages;
mod pieces;
mod summary;
mod thread;

pub use advice::{Advice, AdviceKind, SUMMARY_TOKENS};
pub use history::{CompressionPoint, SessionHistory};
pub use items::Item;
pub use pages::MessagePage;

use palimpsest_core::cleanup::rules::ages::Ages;
use palimpsest_core::tools::label::KINDS;
use serde::{Serialize, Serializer};

use super::cause::Cause;
use super::outdated::Rules;
use super::prompt::Prompts;
use super::rows::CountedRows;
use super::surprises::Surprise;
use super::waterfall::{Currency, Waterfall};
use super::{
    AccountSettings, Bill, NoteFigures, PriceList, SessionOnly, ThreadInTokens, bill, main_model, models_of,
    notes_of,
};
use crate::model::{Session, ThreadKind};
use advice::Adviser;
use carried::CarriedThread;
use items::items_of;
use pieces::Pieces;

/// Version of the JSON form.
const VERSION: u32 = 1;

/// One session. Tokens are as in the session's account. Costs are in units of base input of the session's main model, whichever model a
/// request used, so that they add up; if a model's price isn't known, each is in units of its own model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionPicture {
    pub version: u32,
    pub agent: &'static str,
    pub agent_name: &'static str,
    pub id: Option<String>,
    pub project: Option<String>,
    pub models: Vec<String>,
    pub first_ms: Option<i64>,
    pub last_ms: Option<i64>,
    pub messages: usize,
    pub kinds: [&'static str; KINDS.len()],
    pub tools: Vec<String>,
    pub threads: Vec<ThreadPicture>,
    /// The whole bill, output included; `None` if no usage is recorded.
    pub bill: Option<Waterfall>,
    /// True if `bill` is in dollars recorded by the agent.
    pub is_recorded: bool,
    /// Predicted cost of the prompts in `bill`.
    pub predicted: Option<f64>,
    pub prices_date: String,
    pub items: Vec<Item>,
    pub advice: Vec<Advice>,
    pub notes: Vec<NoteFigures>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadPicture {
    pub kind: &'static str,
    pub name: Option<String>,
    /// Context window of the thread's main model, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<f64>,
    #[serde(serialize_with = "rounded")]
    pub fixed_tokens: f64,
    /// What was sent, context after context; messages that a context shares with the previous one have cells in both.
    pub cells: Vec<Cell>,
    pub requests: Vec<RequestPicture>,
    pub costs: Vec<PricedCosts>,
}

/// One message, or one kind of content in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    pub message: u32,
    pub part: Option<usize>,
    /// Index into [`KINDS`].
    pub kind: usize,
    /// Index into the session's tools.
    pub tool: Option<usize>,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    /// Tokens if a view sends it with references to lines that the prompt already holds.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "rounded_option")]
    pub tokens_short: Option<f64>,
    #[serde(serialize_with = "rounded_option")]
    pub tokens_replaced: Option<f64>,
    /// Request from which on the agent itself cleared part of it, inferred from the provider's count; the cell is a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleared_from: Option<usize>,
    /// Tokens that the agent cleared.
    #[serde(skip_serializing_if = "is_nothing", serialize_with = "rounded")]
    pub tokens_cleared: f64,
    pub stale_from: Option<usize>,
    pub replaced_from: Option<usize>,
    pub rule: Option<String>,
    pub placeholder: Option<String>,
    pub label: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPicture {
    pub time_ms: Option<i64>,
    pub model: Option<String>,
    /// Ranges of cells.
    pub prompt: Vec<(usize, usize)>,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    #[serde(serialize_with = "all_rounded")]
    pub tokens_by_kind: [f64; KINDS.len()],
    #[serde(serialize_with = "rounded")]
    pub tokens_view: f64,
    pub cached_cells: usize,
    #[serde(serialize_with = "rounded")]
    pub cached_tokens: f64,
    pub usage: Option<UsagePicture>,
    pub bust: Option<BustPicture>,
    pub is_compaction: bool,
    pub begins: Option<&'static str>,
}

/// Usage reported by the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsagePicture {
    pub prompt: u64,
    pub cache_read: u64,
    /// `None` if usage doesn't separate writes from other input.
    pub cache_write: Option<u64>,
    pub output: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BustPicture {
    pub cause: Cause,
    /// What happened, if the file doesn't tell the cause.
    pub surprise: Option<Surprise>,
    pub pause_ms: f64,
    #[serde(serialize_with = "rounded")]
    pub tokens: f64,
    #[serde(serialize_with = "rounded")]
    pub cost: f64,
}

/// Cost of each request of a thread under one price list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PricedCosts {
    pub prices: String,
    #[serde(serialize_with = "rounded_option")]
    pub usd_per_million: Option<f64>,
    pub policies: PolicyCosts,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyCosts {
    #[serde(serialize_with = "all_rounded")]
    pub left_alone: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub every_request: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub batches_20k: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub batches_30k: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub clear_above_100k: Vec<f64>,
    #[serde(serialize_with = "all_rounded")]
    pub view: Vec<f64>,
    pub paid: Option<Vec<Option<f64>>>,
}

impl PolicyCosts {
    /// Costs of 0 for `requests` requests.
    fn none(requests: usize) -> Self {
        let none = vec![0.0; requests];
        Self {
            left_alone: none.clone(),
            every_request: none.clone(),
            batches_20k: none.clone(),
            batches_30k: none.clone(),
            clear_above_100k: none.clone(),
            view: none,
            paid: None,
        }
    }

    fn of_mut(&mut self, policy: &str) -> Option<&mut Vec<f64>> {
        match policy {
            "leave-alone" => Some(&mut self.left_alone),
            "every-request" => Some(&mut self.every_request),
            "batches-20k" => Some(&mut self.batches_20k),
            "batches-30k" => Some(&mut self.batches_30k),
            "clear-above-100k" => Some(&mut self.clear_above_100k),
            "view" => Some(&mut self.view),
            _ => None,
        }
    }
}

/// Converts units of one model's costs to units of the session's main model.
#[derive(Debug, Clone, Copy)]
struct ModelUnits<'a> {
    list: &'a PriceList,
    /// US dollars per input token of the main model; `None` if a model's price isn't known.
    usd: Option<f64>,
}

impl<'a> ModelUnits<'a> {
    fn of(session: &Session, list: &'a PriceList) -> Self {
        let usd_of = |model: Option<&str>| list.rates(model).input_usd;
        let mains = session.threads.iter().map(|thread| usd_of(main_model(thread)));
        let requests = session.requests().map(|request| usd_of(request.model.as_deref()));
        let is_known = mains.chain(requests).all(|usd| usd.is_some());
        let main = session.threads.first().and_then(|thread| usd_of(main_model(thread)));
        Self { list, usd: main.filter(|_| is_known) }
    }

    fn units_of(&self, model: Option<&str>) -> f64 {
        self.units(self.list.rates(model).input_usd)
    }

    /// Main-model units per unit of a model whose input token costs `usd` dollars.
    fn units(&self, usd: Option<f64>) -> f64 {
        usd.zip(self.usd).map_or(1.0, |(own, main)| own / main)
    }
}

impl SessionPicture {
    /// The session's own prices come first, then `options.lists`. O(texts), and for each list O(messages) per request.
    #[must_use]
    pub fn of(session: &Session, options: &AccountSettings) -> Self {
        let rows = CountedRows::of(session);
        let pieces = Pieces::of(session, &rows);
        let rules = Rules::of(session, &rows, Ages::default());
        let span = session.span_ms();
        let currency = ModelUnits::of(session, &options.prices);
        let mut billed = Bill::default();
        let threads = session.threads.iter().enumerate().map(|(number, thread)| {
            let prompts = Prompts::of(thread, &rows);
            billed.add(session, thread, &prompts, &rows, &options.prices);
            let rates = options.prices.rates(main_model(thread));
            let own = ("own".to_owned(), bill::own_prices(&rates, thread));
            let lists: Vec<_> = std::iter::once(own).chain(options.lists.iter().cloned()).collect();
            let charges = billed.charges.last().map(Vec::as_slice).unwrap_or_default();
            let told = ThreadInTokens { session, thread, number, rows: &rows, prompts: &prompts, charges };
            thread::Painter { told, pieces: &pieces, rules: &rules, lists, currency }.paint(&billed)
        });
        let threads: Vec<ThreadPicture> = threads.collect();
        billed.finish();
        let money = billed.waterfall.as_ref().map_or(Currency::Units, |bill| bill.currency);
        let each = threads.iter().zip(&billed.charges);
        let carried: Vec<CarriedThread> =
            each.map(|(thread, charges)| CarriedThread::of(thread, charges, money, 0)).collect();
        let adviser = Adviser {
            session,
            threads: &threads,
            carried: &carried,
            bill: &billed,
            currency: money,
            list: &options.prices,
        };
        let is_billed = billed.requests > 0;
        let only = SessionOnly::of(&session.totals, &[], &options.prices);
        let told = only.map(|only| only.bill).filter(|_| !is_billed);
        let predicted = if money == Currency::Usd { billed.predicted_usd } else { Some(billed.predicted) };
        Self {
            version: VERSION,
            agent: session.agent.key(),
            agent_name: session.agent.name(),
            id: session.id.clone(),
            project: session.project.clone(),
            models: models_of(session),
            first_ms: span.map(|span| span.0),
            last_ms: span.map(|span| span.1),
            messages: session.messages.len(),
            kinds: KINDS,
            items: items_of(&threads, &carried),
            advice: if is_billed { adviser.advice() } else { Vec::new() },
            threads,
            tools: rows.tools,
            is_recorded: told.as_ref().unwrap_or(&billed).is_recorded,
            predicted: predicted.filter(|_| is_billed),
            bill: if is_billed { billed.waterfall } else { told.and_then(|told| told.waterfall) },
            prices_date: options.prices.date.clone(),
            notes: notes_of(session),
        }
    }

    /// JSON text with camelCase names; tokens are rounded to a hundredth.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Can't fail: all map keys are strings.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn place_of_kind(kind: &str) -> usize {
    KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len())
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
fn is_nothing(tokens: &f64) -> bool {
    *tokens <= 0.0
}

fn kind_of_thread(kind: ThreadKind) -> &'static str {
    match kind {
        ThreadKind::Main => "main",
        ThreadKind::Branch => "branch",
        ThreadKind::SubAgent => "sub-agent",
    }
}

/// Rounds to a hundredth of a token; more digits would make up a third of the JSON.
fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(hundredth(*value))
}

#[allow(clippy::ref_option)] // serde calls it so
fn rounded_option<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(hundredth).serialize(serializer)
}

fn all_rounded<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| hundredth(*value)))
}
