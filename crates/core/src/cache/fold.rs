//! Decides when *pending* results, which are outdated and still sent, are removed from a prompt whose prefix is cached: all of them when the
//! cache is cold, otherwise the suffix that saves most over the next [`PAYBACK_REQUESTS`] requests, if this request then costs no more or if
//! the promise of [`guarantee`](crate::cache::guarantee) holds. A fold over token counts, the requests from which results are outdated, and
//! the pauses between requests: two processes that fold the same conversation remove the same results with the same request.

mod breakpoints;
mod input;

pub use input::{ConversationHead, FoldOptions, LARGEST_EXTRA_COST, MAX_EXTRA_COST, Request};

use crate::cache::cuts::{Cut, CutInputs, Pending};
use crate::cache::guarantee::{may_be_first_replaced, may_shorten_at_first_send};
use crate::cache::ledger::{ChangeReason, Ledger, LedgerEntry};
use crate::cache::prompt::{Compared, PromptTokens};
use crate::cache::request_tokens::RequestTokens;

/// Requests within which a removal must pay. Values from 12 to 40 change the bill of the measured sessions by less than a percentage point.
pub const PAYBACK_REQUESTS: f64 = 20.0;
/// A removal from a prompt above its budget is small if it saves less than this share of the budget: the next message would exceed the
/// budget again, and each removal breaks the cache.
const SMALL_SHARE_OF_BUDGET: f64 = 0.1;
/// A small removal waits for this many requests since the last removal.
const REQUESTS_BEFORE_SMALL_REMOVAL: usize = 16;

/// The previous request. Its prefixes are message counts, ascending.
#[derive(Debug, Clone, PartialEq)]
struct PreviousRequest {
    len: usize,
    /// Prefixes with a breakpoint, the application's own included.
    cached_prefixes: Vec<usize>,
    /// Prefixes with a breakpoint of [`Fold::breakpoints`].
    breakpoints: Vec<usize>,
}

/// Removals of one request, and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub rows: Vec<u32>,
    pub reason: ChangeReason,
    pub tokens: RequestTokens,
    pub tokens_saved: f64,
    /// Immediate cost of the removal; negative if it saves at once, 0 without a removal.
    pub extra_cost: f64,
    /// Number of results that stay pending, and the tokens that their removal would save.
    pub left_pending: usize,
    pub tokens_left_pending: f64,
    cut: Cut,
    promised: Compared,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fold {
    options: FoldOptions,
    head: ConversationHead,
    prompt: PromptTokens,
    /// Sorted by message.
    pending: Vec<Pending>,
    promised_sum: Compared,
    previous: Option<PreviousRequest>,
    requests: Vec<RequestTokens>,
    last_removal: Option<usize>,
    ledger: Ledger,
}

impl Fold {
    pub fn new(options: FoldOptions, head: ConversationHead) -> Self {
        Self {
            options,
            head,
            prompt: PromptTokens::new(head.fixed_tokens),
            pending: Vec::new(),
            promised_sum: Compared::default(),
            previous: None,
            requests: Vec::new(),
            last_removal: None,
            ledger: Ledger::default(),
        }
    }

    /// Adds a message that is new with the next request and has `blocks` content blocks.
    pub fn push(&mut self, tokens: f64, blocks: f64) {
        self.prompt.push(tokens, blocks);
    }

    /// Sends the newest message with references, which save `saved` tokens, from its first request on. False if the promise forbids it.
    pub fn shorten_newest(&mut self, saved: f64) -> bool {
        let FoldOptions { prices, max_extra_cost, .. } = self.options;
        let total = self.prompt.total();
        let price = if self.previous.is_none() { prices.write } else { prices.read };
        let cost_so_far = self.promised_sum.unmodified + price * total.unmodified;
        let is_allowed = may_shorten_at_first_send(&prices, total.sent - saved, cost_so_far, max_extra_cost);
        if is_allowed {
            self.prompt.shorten_newest(saved);
        }
        is_allowed
    }

    /// Makes a result outdated from the next request on; ignored if its placeholder saves nothing.
    pub fn outdate(&mut self, result: Pending) {
        if result.saved <= 0.0 || result.position >= self.prompt.len() {
            return;
        }
        let order = |pending: &Pending| (pending.position, pending.row);
        let index = self.pending.partition_point(|pending| order(pending) < order(&result));
        self.pending.insert(index, result);
    }

    /// Decides the next request and records it as sent. O(pending results), and for a removal O(messages after it).
    pub fn add_request(&mut self, request: Request) -> Decision {
        let decision = self.plan(request);
        let removed = self.pending.split_off(decision.cut.first.min(self.pending.len()));
        self.prompt.replace_results(removed.iter().map(|result| (result.position, result.saved)));
        if !removed.is_empty() {
            self.last_removal = Some(self.requests.len());
            self.ledger.add(LedgerEntry {
                time_ms: request.time_ms,
                request: self.requests.len() as f64,
                reason: decision.reason,
                position: decision.cut.position,
                results: removed.len(),
                tokens_saved: decision.tokens_saved,
                extra_cost: decision.extra_cost,
                gain_per_request: self.options.prices.read * decision.tokens_saved,
            });
        }
        self.promised_sum = self.promised_sum.plus(decision.promised);
        self.requests.push(decision.tokens);
        self.previous = Some(self.with_breakpoints(&decision));
        decision
    }

    /// The decision of [`Fold::add_request`], without recording it.
    pub fn plan(&self, request: Request) -> Decision {
        let inputs = self.cut_inputs(request.decision_pause_ms(self.options.prices.ttl_ms));
        let bill_inputs = self.cut_inputs(request.elapsed_ms);
        let (cut, reason) = self.choose(&inputs, request.is_side);
        let cut = cut.unwrap_or_else(|| inputs.no_cut(self.pending.len()));
        let total = self.prompt.total();
        let readable = bill_inputs.readable(cut.position);
        let (left, removed) = self.pending.split_at(cut.first.min(self.pending.len()));
        Decision {
            rows: removed.iter().map(|result| result.row).collect(),
            reason,
            tokens: RequestTokens {
                total: Compared { unmodified: total.unmodified, sent: total.sent - cut.saved },
                readable,
                cached: readable.map(|tokens| bill_inputs.cached(tokens)),
            },
            tokens_saved: cut.saved,
            extra_cost: cut.cost - inputs.cost_without_cut(),
            left_pending: left.len(),
            // `sum` of nothing is -0.
            tokens_left_pending: left.iter().fold(0.0, |total, result| total + result.saved),
            cut,
            promised: inputs.compared_promised(&cut),
        }
    }

    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    pub fn prompt(&self) -> &PromptTokens {
        &self.prompt
    }

    pub fn requests(&self) -> &[RequestTokens] {
        &self.requests
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub fn promised_sum(&self) -> Compared {
        self.promised_sum
    }

    fn cut_inputs(&self, elapsed_ms: Option<f64>) -> CutInputs<'_> {
        let prices = self.options.prices;
        let previous = self.previous.as_ref();
        let reads_breakpoints =
            self.options.uses_breakpoints || self.head.head_breakpoints + self.head.message_breakpoints > 0;
        CutInputs {
            prices,
            prompt: &self.prompt,
            previous_len: previous.map_or(0, |previous| previous.len),
            cached_prefixes: reads_breakpoints
                .then(|| previous.map_or(&[][..], |previous| previous.cached_prefixes.as_slice())),
            system_len: self.head.system_len,
            is_warm: previous.is_some()
                && prices.has_cache()
                && elapsed_ms.is_none_or(|elapsed| elapsed <= prices.ttl_ms),
        }
    }

    /// Applies the rule: the most valuable cut among those that the promise allows.
    fn choose(&self, inputs: &CutInputs<'_>, is_side: bool) -> (Option<Cut>, ChangeReason) {
        if self.pending.is_empty() {
            return (None, ChangeReason::NothingPending);
        }
        if is_side {
            return (None, ChangeReason::Waiting);
        }
        if let Some(cut) = self.cut_by_budget(inputs) {
            return (Some(cut), ChangeReason::Budget);
        }
        let without_cut = inputs.cost_without_cut();
        let mut best: Option<Cut> = None;
        let (mut best_gain, mut would_pay) = (0.0, false);
        for cut in inputs.cuts(&self.pending) {
            let gain = cut.gain(PAYBACK_REQUESTS, inputs.prices.read, without_cut);
            would_pay |= gain > 0.0;
            if gain > best_gain && self.is_allowed(inputs, &cut) {
                (best, best_gain) = (Some(cut), gain);
            }
        }
        let Some(cut) = best else {
            return (None, if would_pay { ChangeReason::Guarantee } else { ChangeReason::Waiting });
        };
        let reason = match (inputs.prices.has_cache(), inputs.is_warm) {
            (false, _) => ChangeReason::NoCache,
            (_, false) => ChangeReason::Cold,
            _ if cut.cost <= without_cut => ChangeReason::PrefixChanged,
            _ => ChangeReason::Pays,
        };
        (Some(cut), reason)
    }

    fn is_allowed(&self, inputs: &CutInputs<'_>, cut: &Cut) -> bool {
        let is_free = cut.promised_cost <= inputs.promised_without_cut();
        let costs = self.promised_sum.plus(inputs.compared_promised(cut));
        let keeps_promise = costs.sent <= (1.0 + self.options.max_extra_cost) * costs.unmodified;
        (is_free || keeps_promise) && self.keeps_later_requests_cheap(cut)
    }

    /// True if a removed result precedes the cut, or the cut may be the first removal of the conversation.
    fn keeps_later_requests_cheap(&self, cut: &Cut) -> bool {
        if self.prompt.has_replaced_before(cut.position) {
            return true;
        }
        let Some(message) = self.prompt.message_tokens(cut.position) else { return false };
        let before = self.prompt.up_to(cut.position);
        let removed = self.pending.iter().skip(cut.first);
        let removed_of_message = removed.take_while(|result| result.position == cut.position);
        let saved: f64 = removed_of_message.map(|result| result.saved).sum();
        let unreplaced = before.plus(message);
        let through_message = Compared { sent: unreplaced.sent - saved, ..unreplaced };
        may_be_first_replaced(&self.options.prices, through_message, self.options.max_extra_cost)
    }

    /// The removal of all pending results if the prompt exceeds its budget, unless it is small and another one was recent.
    fn cut_by_budget(&self, inputs: &CutInputs<'_>) -> Option<Cut> {
        let budget = self.options.budget_tokens?;
        if inputs.prompt.total().sent <= budget {
            return None;
        }
        let cut_of_all = inputs.cuts(&self.pending).last()?;
        let is_small = cut_of_all.saved < SMALL_SHARE_OF_BUDGET * budget;
        let is_soon = self.last_removal.is_some_and(|last| self.requests.len() - last < REQUESTS_BEFORE_SMALL_REMOVAL);
        (!is_small || !is_soon).then_some(cut_of_all)
    }
}

#[cfg(test)]
mod tests;
