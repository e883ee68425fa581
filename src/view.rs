//! A view's share of the core: when what is outdated is replaced, and what a view goes by.

use napi::bindgen_prelude::{Float64ArraySlice, Result};
use napi::{Env, Unknown, ValueType};
use napi_derive::napi;
use palimpsest_core::cache::ledger::Reason;
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::schedule::{MAX_EXTRA_COST, Options as ScheduleOptions, Schedule};
use palimpsest_core::provider::usage;
use palimpsest_core::view::breakpoints::{Layout, breakpoints};
use palimpsest_core::view::fingerprint::fingerprint;
use palimpsest_core::view::weights;

use crate::cache::read_prices;
use crate::options::Options;
use crate::units::{Utf16, write_numbers};
use crate::view_wire;

/// When a view's outdated results are replaced.
#[napi(js_name = "CacheSchedule")]
pub struct JsCacheSchedule {
    schedule: Schedule,
}

#[napi]
impl JsCacheSchedule {
    /// `options`: `{price, maxExtraCost?, budgetTokens?, expectedRequests?}`.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: Unknown<'_>) -> Result<Self> {
        Ok(Self { schedule: Schedule::new(read_options(&env, options)?) })
    }

    /// Goes on where `exported` was written; false when it can't be what `export` gave.
    #[napi(catch_unwind)]
    pub fn restore(&mut self, exported: String) -> bool {
        let restored = Schedule::from_json(*self.schedule.options(), &exported);
        let is_possible = restored.is_some();
        self.schedule = restored.unwrap_or_else(|| self.schedule.clone());
        is_possible
    }

    /// Takes news from `inbox`, decides on the next request, and writes the decision to `outbox`: see
    /// `src/view_wire.rs`. Returns how many numbers that takes.
    #[napi(catch_unwind, ts_args_type = "inbox: Float64Array, outbox: Float64Array")]
    #[allow(clippy::cast_precision_loss)] // a length
    pub fn advance(&mut self, inbox: Float64ArraySlice<'_>, outbox: Unknown<'_>) -> Result<f64> {
        let decision = view_wire::advance(&inbox, &mut self.schedule)?;
        Ok(write_numbers(&outbox, |slots| view_wire::write_decision(&decision, slots)) as f64)
    }

    /// The provider's report of the last request: what stands in it under each of `cachedFieldNames`, null for nothing.
    #[napi(catch_unwind, ts_args_type = "figures: (number | null)[]")]
    pub fn observe(&mut self, figures: Vec<Option<f64>>) {
        self.schedule.observe(usage::cached_tokens(&figures));
    }

    /// Every decision so far, as JSON.
    #[napi(catch_unwind)]
    pub fn ledger(&self) -> String {
        self.schedule.ledger().to_json()
    }

    /// What the session has cost, and what it would have cost left alone.
    #[napi(catch_unwind)]
    pub fn costs(&self) -> Vec<f64> {
        let accounts = self.schedule.accounts();
        vec![accounts.actual, accounts.left_alone, self.schedule.requests()]
    }

    /// Everything that `restore` needs, as JSON.
    #[napi(catch_unwind)]
    pub fn export(&self) -> String {
        self.schedule.to_json()
    }
}

fn read_options(env: &Env, options: Unknown<'_>) -> Result<ScheduleOptions> {
    let options = Options::new(env, options, "options".to_owned())?;
    let price = options.get("price")?;
    let prices = match price.get_type()? {
        ValueType::Undefined | ValueType::Null => Prices::USUAL,
        _ => read_prices(env, price, &options.name("price"))?.1,
    };
    let share =
        options.amount("maxExtraCost", "a share of the cost, not negative")?.unwrap_or(MAX_EXTRA_COST);
    Ok(ScheduleOptions {
        max_extra_cost: share * (1.0 - weights::ESTIMATE_MARGIN),
        budget_tokens: options.amount("budgetTokens", "a number of tokens, not negative")?,
        expected_requests: options.amount("expectedRequests", "a number of requests, not negative")?,
        ..ScheduleOptions::new(prices)
    })
}

/// The words for the reasons of decisions, by their number.
#[napi(catch_unwind)]
pub fn schedule_reasons() -> Vec<&'static str> {
    Reason::ALL.iter().map(|reason| reason.as_str()).collect()
}

/// Where in a request Anthropic is told to cache: `blocks` by message, how many messages are the system prompt, the
/// first that may still change, and where the last mark stood before, −1 for nowhere.
#[napi(catch_unwind)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // places in an array
pub fn cache_breakpoints(
    blocks: Float64ArraySlice<'_>,
    system: u32,
    first_open: u32,
    last_end: i32,
) -> Vec<u32> {
    let layout = Layout {
        blocks: &blocks,
        system: system as usize,
        first_open: first_open as usize,
        last_end: usize::try_from(last_end).ok(),
    };
    breakpoints(layout).into_iter().map(|mark| mark as u32).collect()
}

/// A number that tells texts apart.
#[napi(catch_unwind)]
pub fn text_fingerprint(#[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
    fingerprint(&text.0)
}

/// How a view finds out what a message weighs: see `palimpsest_core::view::weights`.
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
}

/// How a view finds out what a message weighs.
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
    }
}

/// The names to look up in a report of usage for what came from the cache, a dot before a nested one.
#[napi(catch_unwind)]
pub fn cached_field_names() -> Vec<&'static str> {
    usage::CACHED_FIELDS.to_vec()
}
