//! The binding of a view: its fold, which decides request after request when outdated results are removed, and its bill.

use napi::bindgen_prelude::{Float64ArraySlice, Result};
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::cache::bill::{Bill, Costs};
use palimpsest_core::cache::fold::{
    ConversationHead, Fold, FoldOptions, LARGEST_EXTRA_COST, MAX_EXTRA_COST, Request,
};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::request_tokens::{RequestReport, RequestTokens};
use palimpsest_core::conversation::times::in_ms;
use palimpsest_core::provider::usage::Usage;
use palimpsest_core::text::hash::fingerprint;
use palimpsest_core::tokens::weights;

use crate::cache::read_prices;
use crate::option_values::GivenOptions;
use crate::units::{Utf16, write_numbers};
use crate::usage::figure_in;
use crate::wire::{self, to_f64};

/// What precedes the messages of a conversation, and the application's own cache breakpoints.
#[napi(object)]
pub struct PromptHead {
    pub fixed_tokens: f64,
    /// How many messages the system prompt has.
    pub system: u32,
    /// Breakpoints on the system prompt and the tools.
    pub marks_before: u32,
    /// Breakpoints on messages.
    pub marks: u32,
}

#[napi(object, object_from_js = false)]
pub struct ViewCosts {
    pub requests: f64,
    pub cost: f64,
    pub cost_left_alone: f64,
    /// How much more the requests without a report would have cost without a cache.
    pub unsure: f64,
    pub unsure_left_alone: f64,
}

/// What one further request would do.
#[napi(object, object_from_js = false)]
pub struct PlannedRequest {
    /// Results that would be removed.
    pub rows: Vec<u32>,
    pub reason: &'static str,
    pub total_tokens: f64,
    pub cached_tokens: f64,
    pub cost: f64,
    pub cost_left_alone: f64,
    pub tokens_saved: f64,
    pub extra_cost: f64,
    pub gain_per_request: f64,
    pub pays_after_requests: f64,
    pub left_pending: f64,
    pub tokens_left_pending: f64,
}

/// The fold of one conversation, and its bill.
#[napi(js_name = "PromptFold")]
pub struct JsPromptFold {
    options: FoldOptions,
    fold: Fold,
    bill: Bill,
}

#[napi]
impl JsPromptFold {
    /// `options`: `{price?, maxExtraCost?, budgetTokens?, marks?}`.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, options: Unknown<'_>) -> Result<Self> {
        let options = read_options(&env, options)?;
        Ok(Self { options, fold: Fold::new(options, ConversationHead::default()), bill: Bill::default() })
    }

    /// Folds again from the first request. The first `kept` requests are unchanged; the others stay on the bill.
    #[napi(catch_unwind)]
    pub fn begin(&mut self, head: PromptHead, kept: u32) {
        self.bill.rewind(kept as usize, self.fold.requests());
        let head = ConversationHead {
            fixed_tokens: head.fixed_tokens,
            system_len: head.system as usize,
            head_breakpoints: head.marks_before as usize,
            message_breakpoints: head.marks as usize,
        };
        self.fold = Fold::new(self.options, head);
    }

    /// Reads requests from `inbox`, and writes the removals of each to `outbox`, both in the forms of `layouts`.
    /// Returns the length of the output in numbers.
    #[napi(catch_unwind, ts_args_type = "inbox: Float64Array, outbox: Float64Array")]
    #[allow(clippy::cast_precision_loss)] // a length
    pub fn advance(&mut self, inbox: Float64ArraySlice<'_>, outbox: Unknown<'_>) -> Result<f64> {
        let removals = wire::fold_requests(&inbox, &mut self.fold)?;
        Ok(write_numbers(&outbox, |slots| wire::write_removals(&removals, slots)) as f64)
    }

    /// Request `place` of the fold was sent; its report will name `number`.
    #[napi(catch_unwind)]
    pub fn ask(&mut self, number: f64, place: u32) {
        self.bill.add_requests(self.fold.requests());
        self.bill.register_next(number, place as usize, &self.fold, &self.options.prices);
    }

    /// A side request was sent, such as one for a title; `other` has folded it.
    #[napi(catch_unwind)]
    pub fn ask_other(&mut self, number: f64, other: &JsPromptFold) {
        if let Some(&asked) = other.fold.requests().last() {
            self.bill.register(number, None, asked);
        }
    }

    /// The newest request was sent again.
    #[napi(catch_unwind)]
    pub fn ask_again(&mut self, number: f64) {
        let total = self.fold.prompt().total();
        self.bill.register(number, None, RequestTokens::repeated(total, &self.options.prices));
    }

    /// What a request without new messages would do `elapsed_ms` after the last one; null if the pause is unknown.
    #[napi(catch_unwind)]
    pub fn plan(&self, elapsed_ms: Option<f64>) -> PlannedRequest {
        let prices = self.options.prices;
        let planned =
            self.fold.plan(Request { elapsed_ms, least_elapsed_ms: elapsed_ms, ..Request::default() });
        let gain = prices.read * planned.tokens_saved;
        let extra_cost = planned.extra_cost;
        PlannedRequest {
            rows: planned.rows,
            reason: planned.reason.as_str(),
            total_tokens: planned.tokens.total.sent,
            cached_tokens: planned.tokens.cached.sent,
            cost: prices.cost(planned.tokens.cached.sent, planned.tokens.total.sent),
            cost_left_alone: prices.cost(planned.tokens.cached.stored, planned.tokens.total.stored),
            tokens_saved: planned.tokens_saved,
            extra_cost,
            gain_per_request: gain,
            pays_after_requests: if extra_cost <= 0.0 { 0.0 } else { extra_cost / gain },
            left_pending: to_f64(planned.left_pending),
            tokens_left_pending: planned.tokens_left_pending,
        }
    }

    /// For each cache breakpoint wanted in the newest request, how many messages its prefix has.
    #[napi(catch_unwind)]
    pub fn marks(&self) -> Vec<f64> {
        self.fold.breakpoints().into_iter().map(to_f64).collect()
    }

    /// Adds a request for a summary, with `cached` of its tokens from the cache.
    #[napi(catch_unwind)]
    pub fn add_summary(&mut self, tokens: f64, cached: f64) {
        self.bill.add_summary(self.options.prices.cost(cached, tokens));
    }

    /// Takes the provider's report of request `number`, null for the newest: for each of `usageNames`, the figure or
    /// null. False if it is no report of that request.
    #[napi(catch_unwind, ts_args_type = "number: number | null, figures: (number | null)[]")]
    pub fn observe(&mut self, number: Option<f64>, figures: Vec<Option<f64>>) -> bool {
        let usage = Usage::read(figure_in(&figures));
        let Some(prompt_tokens) = usage.prompt_tokens() else { return false };
        self.bill.add_requests(self.fold.requests());
        // Without figures of the cache, a report says nothing about costs.
        let Some(cached_tokens) = usage.cached_tokens().filter(|tokens| !tokens.is_nan()) else {
            return true;
        };
        let ratio = self.bill.count_ratio(self.fold.requests());
        self.bill.report(number, RequestReport { prompt_tokens, cached_tokens }, ratio)
    }

    /// Every removal so far, as JSON.
    #[napi(catch_unwind)]
    pub fn ledger(&self) -> String {
        self.fold.ledger().to_json()
    }

    /// The costs of request `first`, of those after it, and of all side requests.
    #[napi(catch_unwind)]
    pub fn costs(&mut self, first: u32) -> ViewCosts {
        let Costs { requests, cost, unsure } =
            self.bill.costs(&self.fold, first as usize, &self.options.prices);
        ViewCosts {
            requests,
            cost: cost.actual,
            cost_left_alone: cost.unmodified,
            unsure: unsure.actual,
            unsure_left_alone: unsure.unmodified,
        }
    }
}

fn read_options(env: &Env, options: Unknown<'_>) -> Result<FoldOptions> {
    let options = GivenOptions::new(env, options, "options")?;
    let prices = if options.is_given("price")? {
        read_prices(env, options.get("price")?, &options.name("price"))?.1
    } else {
        Prices::USUAL
    };
    let share =
        options.amount("maxExtraCost", "a share of the cost, not negative")?.unwrap_or(MAX_EXTRA_COST);
    if share > LARGEST_EXTRA_COST {
        let expected = format!("a share of the cost, at most {LARGEST_EXTRA_COST}");
        return Err(options.refuse("maxExtraCost", &expected, &share.to_string()));
    }
    Ok(FoldOptions {
        max_extra_cost: share * (1.0 - weights::ESTIMATE_MARGIN),
        budget_tokens: options.amount("budgetTokens", "a number of tokens, not negative")?,
        uses_breakpoints: options.flag("marks")?.unwrap_or(false),
        ..FoldOptions::new(prices)
    })
}

#[napi(catch_unwind)]
pub fn time_in_ms(time: f64) -> f64 {
    in_ms(time)
}

/// In milliseconds, whatever the unit of each time; NaN if there is none.
#[napi(catch_unwind, ts_args_type = "times: Float64Array")]
pub fn newest_time(times: Float64ArraySlice<'_>) -> f64 {
    times.iter().copied().map(in_ms).fold(f64::NAN, f64::max)
}

#[napi(catch_unwind)]
pub fn text_fingerprint(#[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
    fingerprint(&text.0)
}

/// Parameters of a view's token estimate: see `palimpsest_core::tokens::weights`.
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
        fewest_windows: weights::MIN_WINDOWS,
        most_windows: weights::MAX_WINDOWS,
        units_per_window: weights::UNITS_PER_WINDOW,
        cut_tokens: weights::CUT_TOKENS,
        message: weights::MESSAGE_TOKENS,
        call: weights::CALL_TOKENS,
        media: weights::MEDIA_TOKENS,
        bytes_per_token: weights::BYTES_PER_TOKEN,
    }
}
