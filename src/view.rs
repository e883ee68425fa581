//! The binding of a view: its fold, which decides request after request when outdated results are removed, and its bill.

use napi::bindgen_prelude::{Float64ArraySlice, Result};
use napi::{Env, Unknown};
use napi_derive::napi;
use palimpsest_core::cache::bill::{Bill, Costs};
use palimpsest_core::cache::fold::{
    ConversationHead, Decision, Fold, FoldOptions, LARGEST_EXTRA_COST, MAX_EXTRA_COST, Request,
};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::request_tokens::{RequestReport, RequestTokens};
use palimpsest_core::conversation::in_ms;
use palimpsest_core::provider::usage::Usage;
use palimpsest_core::text::hash::fingerprint;
use palimpsest_core::tokens::weights;

use crate::cache::read_prices;
use crate::option_values::GivenOptions;
use crate::units::{Utf16, write_numbers};
use crate::usage::figure_in;
use crate::wire;

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

to_js! {
    ViewCosts from costs: Costs {
        requests: f64 = costs.requests,
        cost: f64 = costs.cost.sent,
        cost_left_alone: f64 = costs.cost.unmodified,
        #[doc = "How much more the requests without a report would have cost without a cache."]
        unsure: f64 = costs.unsure.sent,
        unsure_left_alone: f64 = costs.unsure.unmodified,
    }

    #[doc = "What one further request would do."]
    PlannedRequest from (plan, prices): (Decision, Prices) {
        #[doc = "Results that would be removed."]
        rows: Vec<u32> = plan.rows,
        reason: &'static str = plan.reason.name(),
        total_tokens: f64 = plan.tokens.total.sent,
        cached_tokens: f64 = plan.tokens.cached.sent,
        cost: f64 = prices.cost(plan.tokens.cached.sent, plan.tokens.total.sent),
        cost_left_alone: f64 = prices.cost(plan.tokens.cached.unmodified, plan.tokens.total.unmodified),
        tokens_saved: f64 = plan.tokens_saved,
        extra_cost: f64 = plan.extra_cost,
        gain_per_request: f64 = prices.read * plan.tokens_saved,
        pays_after_requests: f64 = match plan.extra_cost {
            extra_cost if extra_cost <= 0.0 => 0.0,
            extra_cost => extra_cost / (prices.read * plan.tokens_saved),
        },
        left_pending: f64 = plan.left_pending as f64,
        tokens_left_pending: f64 = plan.tokens_left_pending,
    }
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
        let request = Request { elapsed_ms, least_elapsed_ms: elapsed_ms, ..Request::default() };
        (self.fold.plan(request), self.options.prices).into()
    }

    /// For each cache breakpoint wanted in the newest request, how many messages its prefix has.
    #[napi(catch_unwind)]
    pub fn marks(&self) -> Vec<f64> {
        self.fold.breakpoints().into_iter().map(|messages| messages as f64).collect()
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

    /// The newest removals and the sums of all, as JSON.
    #[napi(catch_unwind)]
    pub fn ledger(&self) -> String {
        self.fold.ledger().to_json()
    }

    /// The costs of request `first`, of those after it, and of all side requests.
    #[napi(catch_unwind)]
    pub fn costs(&mut self, first: u32) -> ViewCosts {
        self.bill.costs(&self.fold, first as usize, &self.options.prices).into()
    }
}

fn read_options(env: &Env, options: Unknown<'_>) -> Result<FoldOptions> {
    let options = GivenOptions::new(env, options, "options")?;
    let prices = if options.is_given("price")? {
        read_prices(env, options.get("price")?, &options.name("price"))?.1
    } else {
        Prices::USUAL
    };
    let share = options.amount("maxExtraCost", "a share of the cost, not negative")?.unwrap_or(MAX_EXTRA_COST);
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
