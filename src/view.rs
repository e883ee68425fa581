//! A view's share of the core: the schedule of its replacements, and the figures that it goes by.

use napi::bindgen_prelude::{Float64ArraySlice, Result};
use napi::{Env, Unknown, ValueType};
use napi_derive::napi;
use palimpsest_core::cache::bill::{RequestReport, ViewBill};
use palimpsest_core::cache::delta::Told;
use palimpsest_core::cache::ledger::ChangeReason;
use palimpsest_core::cache::moment::REQUEST_PACE_MS;
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::schedule::{LARGEST_EXTRA_COST, MAX_EXTRA_COST, Schedule, ScheduleOptions};
use palimpsest_core::cache::state::ScheduleState;
use palimpsest_core::conversation::times::in_ms;
use palimpsest_core::provider::usage::Usage;
use palimpsest_core::text::fingerprint::fingerprint;
use palimpsest_core::tokens::weights;

use crate::cache::read_prices;
use crate::cursor::float;
use crate::options::GivenOptions;
use crate::units::{Utf16, write_numbers};
use crate::usage::figure_in;
use crate::view_wire;

/// The last request of those that a conversation went back to: its messages, and the changes made with it.
#[napi(object, object_from_js = false)]
pub struct Reached {
    /// How many messages it had.
    pub reached: f64,
    /// How many changes had been made with it.
    pub changes: f64,
}

#[napi(object, object_from_js = false)]
pub struct ViewCosts {
    pub requests: f64,
    pub cost: f64,
    pub cost_left_alone: f64,
    /// By how much requests without a report may have cost more.
    pub unsure: f64,
    pub unsure_left_alone: f64,
}

#[napi(js_name = "CacheSchedule")]
pub struct JsCacheSchedule {
    schedule: Schedule,
    /// The state that the next delta goes on from.
    told: Option<Told>,
}

#[napi]
impl JsCacheSchedule {
    /// `options`: `{price, maxExtraCost?, budgetTokens?, expectedRequests?, marks?, memory?}`.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: Unknown<'_>) -> Result<Self> {
        Ok(Self { schedule: Schedule::new(read_options(&env, options)?), told: None })
    }

    /// Goes on where `exported` was written, and with `is_told` deltas do; false when it can't be what `export` gave.
    #[napi(catch_unwind)]
    pub fn restore(&mut self, exported: String, is_told: bool) -> bool {
        let restored = Schedule::from_json(*self.schedule.options(), &exported);
        let is_possible = restored.is_some();
        self.schedule = restored.unwrap_or_else(|| self.schedule.clone());
        self.told = is_told.then(|| self.schedule.tell());
        is_possible
    }

    /// Goes back to the last request that had no other messages than the first `shared`.
    #[napi(catch_unwind)]
    pub fn truncate(&mut self, shared: u32) -> Reached {
        self.schedule.truncate(shared as usize);
        let path = self.schedule.path();
        let reached = path.last().map_or(0, |last| last.len);
        Reached { reached: float(reached), changes: float(path.changes().len()) }
    }

    /// The messages of the last request that had no other messages than the first `shared`.
    #[napi(catch_unwind)]
    pub fn reached_with(&self, shared: u32) -> f64 {
        float(self.schedule.path().reached_with(shared as usize))
    }

    /// By change, how many messages the request had that was the first without what it replaced.
    #[napi(catch_unwind)]
    pub fn changed_at(&self) -> Vec<f64> {
        let path = self.schedule.path();
        let requests = path.changes().iter().map(|change| path.requests().get(change.request));
        requests.map(|request| float(request.map_or(usize::MAX, |request| request.len))).collect()
    }

    /// The clock that the last request went by.
    #[napi(catch_unwind)]
    pub fn last_now(&self) -> Option<f64> {
        self.schedule.path().last().map(|last| last.now_ms)
    }

    /// Takes news from `inbox`, decides on the next request, and writes the decision to `outbox`, both in the forms of `layouts`.
    /// Returns how many numbers that takes.
    #[napi(catch_unwind, ts_args_type = "inbox: Float64Array, outbox: Float64Array")]
    #[allow(clippy::cast_precision_loss)] // a length
    pub fn advance(&mut self, inbox: Float64ArraySlice<'_>, outbox: Unknown<'_>) -> Result<f64> {
        let decision = view_wire::advance(&inbox, &mut self.schedule)?;
        Ok(write_numbers(&outbox, |slots| view_wire::write_decision(&decision, slots)) as f64)
    }

    /// Returns the request's number on the bill.
    #[napi(catch_unwind)]
    pub fn side_request(&mut self, shared: u32, tokens: f64, sent_ms: f64) -> f64 {
        self.schedule.side_request(shared as usize, tokens, sent_ms)
    }

    #[napi(catch_unwind)]
    pub fn changes_shown(&self, shared: u32, tokens: f64, sent_ms: f64) -> f64 {
        float(self.schedule.changes_shown(shared as usize, tokens, sent_ms))
    }

    /// Another conversation that begins like this one was sent.
    #[napi(catch_unwind)]
    pub fn touch(&mut self, sent_ms: f64) {
        self.schedule.touch(sent_ms);
    }

    #[napi(catch_unwind)]
    pub fn set_marks(&mut self) {
        self.schedule.set_marks();
    }

    /// How many messages each marked prefix of the last request has.
    #[napi(catch_unwind)]
    pub fn marks(&self) -> Vec<f64> {
        self.schedule.last_marks().into_iter().map(float).collect()
    }

    /// A request for a summary, with `cached` of its tokens from the cache.
    #[napi(catch_unwind)]
    pub fn add_summary(&mut self, tokens: f64, cached: f64) {
        self.schedule.add_summary(tokens, cached);
    }

    /// Takes the provider's report of request `number` on the bill, null for the newest: the figure under each of `usageNames`, or
    /// null. False, and nothing is learnt, when it doesn't say how long the prompt was.
    #[napi(catch_unwind, ts_args_type = "number: number | null, figures: (number | null)[]")]
    pub fn observe(&mut self, number: Option<f64>, figures: Vec<Option<f64>>) -> bool {
        let usage = Usage::read(figure_in(&figures));
        let report =
            RequestReport { prompt_tokens: usage.prompt_tokens(), cached_tokens: usage.cached_tokens() };
        if report.prompt_tokens.is_some() {
            self.schedule.observe(number, report);
        }
        report.prompt_tokens.is_some()
    }

    /// Every change so far, as JSON.
    #[napi(catch_unwind)]
    pub fn ledger(&self) -> String {
        self.schedule.ledger().to_json()
    }

    #[napi(catch_unwind)]
    pub fn costs(&self) -> ViewCosts {
        let &ViewBill { requests, ref cost, ref unsure, .. } = self.schedule.bill();
        ViewCosts {
            requests,
            cost: cost.actual,
            cost_left_alone: cost.left_alone,
            unsure: unsure.actual,
            unsure_left_alone: unsure.left_alone,
        }
    }

    /// JSON with everything that `restore` needs.
    #[napi(catch_unwind)]
    pub fn export(&self) -> String {
        self.schedule.to_json()
    }

    /// The same, from which deltas go on.
    #[napi(catch_unwind)]
    pub fn export_whole(&mut self) -> String {
        self.told = Some(self.schedule.tell());
        self.schedule.to_json()
    }

    /// What is new since this was asked before, as JSON.
    #[napi(catch_unwind)]
    pub fn export_delta(&mut self) -> String {
        let delta = self.told.as_mut().map(|told| self.schedule.delta_since(told));
        delta.unwrap_or_default().to_json()
    }
}

/// The text of `restore` that a text and all deltas since lead to; null where they don't fit together.
#[napi(catch_unwind)]
pub fn merged_schedule(exported: String, deltas: Vec<String>) -> Option<String> {
    ScheduleState::merged_json(&exported, deltas.iter().map(String::as_str))
}

/// A view decides by the messages alone, by what its object has seen of them as well, or by what a store says of that.
const MEMORIES: [&str; 3] = ["messages", "object", "store"];

fn read_options(env: &Env, options: Unknown<'_>) -> Result<ScheduleOptions> {
    let options = GivenOptions::new(env, options, "options".to_owned())?;
    let price = options.get("price")?;
    let prices = match price.get_type()? {
        ValueType::Undefined | ValueType::Null => Prices::USUAL,
        _ => read_prices(env, price, &options.name("price"))?.1,
    };
    let share =
        options.amount("maxExtraCost", "a share of the cost, not negative")?.unwrap_or(MAX_EXTRA_COST);
    if share > LARGEST_EXTRA_COST {
        let expected = format!("a share of the cost, at most {LARGEST_EXTRA_COST}");
        return Err(options.refuse("maxExtraCost", &expected, &share.to_string()));
    }
    let memory =
        options.choice("memory", &MEMORIES)?.and_then(|nth| MEMORIES.get(nth)).copied().unwrap_or("object");
    Ok(ScheduleOptions {
        max_extra_cost: share * (1.0 - weights::ESTIMATE_MARGIN),
        budget_tokens: options.amount("budgetTokens", "a number of tokens, not negative")?,
        expected_requests: options.amount("expectedRequests", "a number of requests, not negative")?,
        has_marks: options.flag("marks")?.unwrap_or(false),
        is_carried: memory != "messages",
        goes_by_reports: memory == "object",
        ..ScheduleOptions::new(prices)
    })
}

#[napi(catch_unwind)]
pub fn schedule_reasons() -> Vec<&'static str> {
    ChangeReason::ALL.iter().map(|reason| reason.as_str()).collect()
}

#[napi(catch_unwind)]
pub fn request_pace_ms() -> f64 {
    REQUEST_PACE_MS
}

/// In milliseconds, whichever unit each time came in; NaN where there is none.
#[napi(catch_unwind, ts_args_type = "times: Float64Array")]
pub fn newest_time(times: Float64ArraySlice<'_>) -> f64 {
    times.iter().copied().map(in_ms).fold(f64::NAN, f64::max)
}

#[napi(catch_unwind)]
pub fn text_fingerprint(#[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
    fingerprint(&text.0)
}

/// How a view weighs messages: see `palimpsest_core::tokens::weights`.
#[napi(object)]
pub struct JsWeights {
    pub window_units: u32,
    pub fewest_windows: u32,
    pub most_windows: u32,
    pub units_per_window: u32,
    pub cut_tokens: f64,
    pub message: f64,
    pub call: f64,
    pub media: f64,
    pub bytes_per_token: f64,
}

#[napi(catch_unwind)]
pub fn view_weights() -> JsWeights {
    JsWeights {
        window_units: weights::WINDOW_UNITS,
        fewest_windows: weights::FEWEST_WINDOWS,
        most_windows: weights::MOST_WINDOWS,
        units_per_window: weights::UNITS_PER_WINDOW,
        cut_tokens: weights::CUT_TOKENS,
        message: weights::MESSAGE_TOKENS,
        call: weights::CALL_TOKENS,
        media: weights::MEDIA_TOKENS,
        bytes_per_token: weights::BYTES_PER_TOKEN,
    }
}
