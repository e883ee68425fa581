//! Decides when an outdated result is removed from a prompt whose prefix is cached, by a fold over the requests of one conversation.
//!
//! The rule: *all outdated results are removed when the cache is cold. Otherwise the suffix that saves most over the next [`PAYBACK_REQUESTS`]
//! requests is removed, if all requests so far, including this one, then cost at most `1 + max_extra_cost` times their cost with
//! unmodified history.*
//!
//! The state after a request depends only on the messages' token counts, the request from which each result is outdated, and the pauses
//! between requests. Two processes that fold the same conversation remove the same results with the same request.

mod input;
mod request_breakpoints;

pub use input::{ConversationHead, FoldOptions, LARGEST_EXTRA_COST, MAX_EXTRA_COST, Request};

use crate::cache::cuts::{Cut, CutInputs, Pending};
use crate::cache::guarantee::{ComparedCosts, may_be_first_replaced, may_shorten_at_first_send};
use crate::cache::ledger::{ChangeReason, Ledger, LedgerEntry};
use crate::cache::prompt::{PromptTokens, TokenSum};
use crate::cache::request_cost::RequestCost;

/// Requests within which a removal must pay. From 12 to 40 the bill changes by less than a percentage point, on recorded sessions and others.
pub const PAYBACK_REQUESTS: f64 = 20.0;
/// A prompt above its budget loses at least this share at once. A prompt just below its budget would exceed it with the next message, and
/// each removal breaks the cache.
const MIN_SHARE_OF_BUDGET: f64 = 0.1;
const REQUESTS_BETWEEN_SMALL_REMOVALS: usize = 16;

/// The last request.
#[derive(Debug, Clone, PartialEq)]
struct Sent {
    len: usize,
    /// Prefixes with a breakpoint, as message counts, ascending.
    entries: Vec<usize>,
    breakpoints: Vec<usize>,
}

/// Removals of one request, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Rows to remove now.
    pub rows: Vec<u32>,
    pub reason: ChangeReason,
    pub cost: RequestCost,
    pub tokens_saved: f64,
    /// Immediate cost of the removal; negative if it saves at once, 0 without a removal.
    pub extra_cost: f64,
    /// Results that stay pending, and the tokens they would save.
    pub left_pending: usize,
    pub tokens_left_pending: f64,
    first: usize,
    position: usize,
    promised: ComparedCosts,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fold {
    options: FoldOptions,
    head: ConversationHead,
    prompt: PromptTokens,
    /// Sorted by message.
    pending: Vec<Pending>,
    /// Cost sums, as the promise counts them: actual, and with unmodified history.
    accounts: ComparedCosts,
    sent: Option<Sent>,
    requests: Vec<RequestCost>,
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
            accounts: ComparedCosts::default(),
            sent: None,
            requests: Vec::new(),
            last_removal: None,
            ledger: Ledger::default(),
        }
    }

    /// Adds a message that is new with the next request. `blocks`: its content blocks, which Anthropic's look-back counts.
    pub fn push(&mut self, tokens: f64, blocks: f64) {
        self.prompt.push(tokens, blocks);
    }

    /// Sends the newest message with `saved` fewer tokens from its first request on, as it refers to lines of others. False if not allowed.
    pub fn shorten_newest(&mut self, saved: f64) -> bool {
        let prices = self.options.prices;
        let total = self.prompt.total();
        let price = if self.sent.is_none() { prices.write } else { prices.read };
        let cost = self.accounts.unmodified + price * total.stored;
        let may = may_shorten_at_first_send(&prices, total.sent - saved, cost, self.options.max_extra_cost);
        if may {
            self.prompt.shorten_newest(saved);
        }
        may
    }

    /// Makes a result outdated from the next request on; ignored if its placeholder saves nothing.
    pub fn outdate(&mut self, result: Pending) {
        if result.saved <= 0.0 || result.position >= self.prompt.len() {
            return;
        }
        let key = |entry: &Pending| (entry.position, entry.row);
        let at = self.pending.partition_point(|entry| key(entry) < key(&result));
        self.pending.insert(at, result);
    }

    /// Decides the next request and records it as sent. O(pending results), and for a removal O(messages after it).
    pub fn request(&mut self, request: Request) -> Decision {
        let decision = self.plan(request);
        let removed = self.pending.split_off(decision.first.min(self.pending.len()));
        self.prompt.shorten(removed.iter().map(|entry| (entry.position, entry.saved)));
        if !removed.is_empty() {
            self.last_removal = Some(self.requests.len());
            self.ledger.note(self.entry(request, &decision, removed.len()));
        }
        self.accounts = self.accounts.with(decision.promised);
        self.requests.push(decision.cost);
        self.sent = Some(self.sent_with_breakpoints(&decision));
        decision
    }

    /// The decision of [`Fold::request`], without recording it.
    pub fn plan(&self, request: Request) -> Decision {
        let inputs = self.inputs(self.decision_pause(&request));
        let billed = self.inputs(request.elapsed_ms);
        let (cut, reason) = self.choose(&inputs, request.is_side);
        let total = self.prompt.total();
        let without_cut = inputs.cost_without_cut();
        let first = cut.map_or(self.pending.len(), |cut| cut.first);
        let position = cut.map_or(usize::MAX, |cut| cut.position);
        let saved = cut.map_or(0.0, |cut| cut.saved);
        let (left, removed) = self.pending.split_at(first.min(self.pending.len()));
        Decision {
            rows: removed.iter().map(|entry| entry.row).collect(),
            reason,
            cost: RequestCost {
                sent: total.sent - saved,
                stored: total.stored,
                readable: billed.readable_up_to(position),
                readable_unmodified: billed.readable_if_unmodified(),
                cached: billed.cached_up_to(position),
                cached_unmodified: billed.cached_if_unmodified(),
            },
            tokens_saved: saved,
            extra_cost: cut.map_or(0.0, |cut| cut.cost - without_cut),
            left_pending: left.len(),
            // `sum` of nothing is -0.
            tokens_left_pending: left.iter().fold(0.0, |total, entry| total + entry.saved),
            first,
            position,
            promised: ComparedCosts {
                actual: cut.map_or_else(|| inputs.promised_without_cut(), |cut| cut.promised_cost),
                unmodified: inputs.promised_if_unmodified(),
            },
        }
    }

    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    pub fn prompt(&self) -> &PromptTokens {
        &self.prompt
    }

    /// Cost of each request.
    pub fn requests(&self) -> &[RequestCost] {
        &self.requests
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub fn accounts(&self) -> ComparedCosts {
        self.accounts
    }

    /// The pause that decides. A request that was perhaps interrupted has kept the cache warm. If that request itself found a cold cache, it
    /// removed what is outdated, and this one removes the same.
    fn decision_pause(&self, request: &Request) -> Option<f64> {
        let (Some(elapsed), Some(least)) = (request.elapsed_ms, request.least_elapsed_ms) else {
            return request.least_elapsed_ms;
        };
        Some(if elapsed - least > self.options.prices.ttl_ms { elapsed } else { least })
    }

    fn inputs(&self, elapsed_ms: Option<f64>) -> CutInputs<'_> {
        let prices = self.options.prices;
        let sent = self.sent.as_ref();
        let reads_breakpoints =
            self.options.uses_breakpoints || self.head.head_breakpoints + self.head.message_breakpoints > 0;
        CutInputs {
            prices,
            prompt: &self.prompt,
            unchanged: sent.map_or(0, |sent| sent.len),
            entries: reads_breakpoints.then(|| sent.map_or(&[][..], |sent| sent.entries.as_slice())),
            system: self.head.system,
            has_breakpoint_at_end: sent.is_some_and(|sent| sent.entries.contains(&sent.len)),
            is_warm: sent.is_some()
                && !self.has_no_cache()
                && elapsed_ms.is_none_or(|elapsed| elapsed <= prices.ttl_ms),
        }
    }

    fn has_no_cache(&self) -> bool {
        self.options.prices.premium() <= 0.0
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
        let mut best: Option<(f64, Cut)> = None;
        let mut best_of_all = 0.0;
        for cut in inputs.cuts(&self.pending) {
            let worth = PAYBACK_REQUESTS * inputs.prices.read * cut.saved - (cut.cost - without_cut);
            best_of_all = worth.max(best_of_all);
            if worth > best.map_or(0.0, |(worth, _)| worth) && self.is_allowed(inputs, &cut) {
                best = Some((worth, cut));
            }
        }
        let Some((_, cut)) = best else {
            let reason = if best_of_all > 0.0 { ChangeReason::Guarantee } else { ChangeReason::Waiting };
            return (None, reason);
        };
        let reason = match (self.has_no_cache(), inputs.is_warm) {
            (true, _) => ChangeReason::NoCache,
            (_, false) => ChangeReason::Cold,
            _ if cut.cost <= without_cut => ChangeReason::PrefixChanged,
            _ => ChangeReason::Pays,
        };
        (Some(cut), reason)
    }

    fn is_allowed(&self, inputs: &CutInputs<'_>, cut: &Cut) -> bool {
        let added = ComparedCosts { actual: cut.promised_cost, unmodified: inputs.promised_if_unmodified() };
        let is_free = cut.promised_cost <= inputs.promised_without_cut();
        (is_free || self.accounts.with(added).hold(self.options.max_extra_cost)) && self.has_footing(cut)
    }

    /// True if a removed result precedes the cut, or the cut may be the first removal of the conversation.
    fn has_footing(&self, cut: &Cut) -> bool {
        if self.prompt.has_replaced_before(cut.position) {
            return true;
        }
        let Some(own) = self.prompt.at(cut.position) else { return false };
        let before = self.prompt.up_to(cut.position);
        let within = self.pending.iter().skip(cut.first).take_while(|entry| entry.position == cut.position);
        let saved: f64 = within.map(|entry| entry.saved).sum();
        let up_to = TokenSum { stored: before.stored + own.stored, sent: before.sent + own.sent - saved };
        may_be_first_replaced(&self.options.prices, up_to, self.options.max_extra_cost)
    }

    fn cut_by_budget(&self, inputs: &CutInputs<'_>) -> Option<Cut> {
        let budget = self.options.budget_tokens?;
        if inputs.prompt.total().sent <= budget {
            return None;
        }
        let all = inputs.cuts(&self.pending).last()?;
        let is_long_ago = self
            .last_removal
            .is_none_or(|last| self.requests.len() - last >= REQUESTS_BETWEEN_SMALL_REMOVALS);
        (is_long_ago || all.saved >= MIN_SHARE_OF_BUDGET * budget).then_some(all)
    }

    #[allow(clippy::cast_precision_loss)] // counts
    fn entry(&self, request: Request, decision: &Decision, results: usize) -> LedgerEntry {
        LedgerEntry {
            time_ms: request.time_ms,
            request: self.requests.len() as f64,
            reason: decision.reason,
            position: decision.position,
            results,
            tokens_saved: decision.tokens_saved,
            extra_cost: decision.extra_cost,
            gain_per_request: self.options.prices.read * decision.tokens_saved,
        }
    }
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
