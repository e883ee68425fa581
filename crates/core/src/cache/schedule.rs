//! When outdated results are replaced: a state machine over the token columns of one conversation. It knows no clock;
//! times come with the calls.

use crate::cache::cuts::{Cut, Request};
use crate::cache::guarantee::{Accounts, may_be_first};
use crate::cache::ledger::{Entry, Ledger, Reason};
use crate::cache::observation::{Observations, Report};
use crate::cache::pending::{Pending, PendingResults};
use crate::cache::prices::Prices;
use crate::cache::prompt::{Extent, Prompt};
use crate::cache::rule::{Choice, choose};

/// How much a session may cost beyond the same session with its history left alone, as a share.
pub const MAX_EXTRA_COST: f64 = 0.02;

/// What a schedule goes by. Costs nothing to copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    pub prices: Prices,
    pub max_extra_cost: f64,
    /// Above it whatever is pending goes, at any cost: the promise is about sessions without a budget.
    pub budget_tokens: Option<f64>,
    /// How many requests the session will have in all, where that is known.
    pub expected_requests: Option<f64>,
}

impl Options {
    #[must_use]
    pub fn new(prices: Prices) -> Self {
        Self { prices, max_extra_cost: MAX_EXTRA_COST, budget_tokens: None, expected_requests: None }
    }
}

/// What is done before one request, and why. Costs are in tokens at the base price of input.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Messages to replace now, in order, with their tokens afterwards; all that are pending from the first of them on.
    pub positions: Vec<(usize, f64)>,
    pub reason: Reason,
    /// Tokens of the prompt as it is sent, fixed ones included.
    pub total_tokens: f64,
    /// How many of them should come from the cache.
    pub cached_tokens: f64,
    /// What this request costs.
    pub cost: f64,
    /// What this request would cost with the history left alone since the session began.
    pub cost_left_alone: f64,
    /// Tokens that the prompt loses.
    pub tokens_saved: f64,
    /// What the change costs now; negative where it saves at once, 0 without a change.
    pub extra_cost: f64,
    /// What each further request with a warm cache costs less.
    pub gain_per_request: f64,
    /// Requests after which the change has paid; 0 where it costs nothing, infinite where it never pays.
    pub pays_after_requests: f64,
    /// Results that stay pending, and the tokens that they could save.
    pub left_pending: usize,
    pub tokens_left_pending: f64,
}

/// One conversation. `push`, `truncate`, `changed` and `mark_pending` keep it up to date; `decide` is called once before
/// each request. A request costs O(pending results), a new message O(1), a change the messages behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub(in crate::cache) options: Options,
    pub(in crate::cache) prompt: Prompt,
    pub(in crate::cache) pending: PendingResults,
    /// Messages at the start that are sent as in the last request.
    pub(in crate::cache) unchanged: usize,
    /// Nothing of the last request is in the cache: fixed tokens changed, or the provider said so.
    pub(in crate::cache) is_lost: bool,
    pub(in crate::cache) requests: f64,
    pub(in crate::cache) last_request_ms: Option<f64>,
    /// What the last request was believed to read from the cache, in both accounts.
    pub(in crate::cache) last_cached: Accounts,
    pub(in crate::cache) accounts: Accounts,
    pub(in crate::cache) observations: Observations,
    pub(in crate::cache) ledger: Ledger,
}

impl Schedule {
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            prompt: Prompt::default(),
            pending: PendingResults::default(),
            unchanged: 0,
            is_lost: false,
            requests: 0.0,
            last_request_ms: None,
            last_cached: Accounts::default(),
            accounts: Accounts::default(),
            observations: Observations::default(),
            ledger: Ledger::default(),
        }
    }

    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.prompt.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.prompt.is_empty()
    }

    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// Results that are outdated and still sent, in the order of their positions.
    #[must_use]
    pub fn pending(&self) -> &[Pending] {
        self.pending.entries()
    }

    #[must_use]
    pub fn is_replaced(&self, position: usize) -> bool {
        self.prompt.is_replaced(position)
    }

    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What the session has cost by the model of R10.3, and what it would have cost left alone.
    #[must_use]
    pub fn accounts(&self) -> Accounts {
        self.accounts
    }

    /// Requests so far.
    #[must_use]
    pub fn requests(&self) -> f64 {
        self.requests
    }

    /// Tokens of the system prompt and the tool definitions, where these aren't messages. Another number is another
    /// prompt: nothing of the last one is cached.
    pub fn set_fixed_tokens(&mut self, tokens: f64) {
        let known = self.prompt.fixed();
        if known.to_bits() != tokens.to_bits() {
            self.prompt.set_fixed(tokens);
            self.is_lost = true;
        }
    }

    /// A message at the end.
    pub fn push(&mut self, tokens: f64) {
        self.prompt.push(tokens);
    }

    /// The conversation was rewound to its first `len` messages.
    pub fn truncate(&mut self, len: usize) {
        self.prompt.truncate(len);
        self.pending.truncate(len);
        self.unchanged = self.unchanged.min(len);
    }

    /// The host put another message at `position`. It is sent as it is, and neither replaced nor pending.
    pub fn changed(&mut self, position: usize, tokens: f64) {
        self.prompt.edit(position, tokens);
        self.pending.remove(position);
        self.unchanged = self.unchanged.min(position);
    }

    /// A result of the message at `position` is outdated; with a placeholder its message has `tokens_after`. Of a message
    /// with several results one may be replaced already. False when that is no shorter than what is sent, or when there
    /// is no such message: then nothing is pending.
    pub fn mark_pending(&mut self, position: usize, tokens_after: f64) -> bool {
        if self.prompt.sent_at(position).is_none_or(|sent| tokens_after >= sent) {
            return false;
        }
        self.pending.insert(Pending { position, tokens_after, since_request: self.requests });
        true
    }

    /// The result at `position` isn't outdated any more, as after a rewind. What is replaced stays so.
    pub fn unmark_pending(&mut self, position: usize) {
        self.pending.remove(position);
    }

    /// The message at `position` was replaced earlier, in a conversation that this one goes on with, and stays so.
    pub fn keep_replaced(&mut self, position: usize, tokens_after: f64) {
        if self.prompt.stored_at(position).is_some() {
            self.pending.remove(position);
            self.prompt.replace(&[(position, tokens_after)]);
            self.unchanged = self.unchanged.min(position);
        }
    }

    /// The messages of the last request are not those of the next, as after a compression: all that is pending goes with
    /// the change. What is sent ahead of the messages stays cached.
    pub fn new_prefix(&mut self) {
        self.unchanged = 0;
    }

    /// What `decide` would do now.
    #[must_use]
    pub fn plan(&self, now_ms: f64) -> Decision {
        let request = self.request(now_ms);
        let choice = self.choose(&request);
        let total = self.prompt.total();
        let left_alone = self.options.prices.cost(request.cached_if_left_alone(), total.stored);
        let (cached, cost) = choice.cut.map_or_else(
            || {
                let cached = request.cached_up_to(usize::MAX);
                (cached, self.options.prices.cost(cached, total.sent))
            },
            |cut| (cut.cached, cut.cost),
        );
        let saved = choice.cut.map_or(0.0, |cut| cut.saved);
        let extra = choice.cut.map_or(0.0, |cut| cut.extra);
        let gain = self.options.prices.read * saved;
        let from = choice.cut.map_or(usize::MAX, |cut| cut.position);
        let (left, gone) =
            self.pending().split_at(self.pending().partition_point(|entry| entry.position < from));
        Decision {
            positions: gone.iter().map(|entry| (entry.position, entry.tokens_after)).collect(),
            reason: self.reason(&request, &choice),
            total_tokens: total.sent - saved,
            cached_tokens: cached,
            cost,
            cost_left_alone: left_alone,
            tokens_saved: saved,
            extra_cost: extra,
            gain_per_request: gain,
            pays_after_requests: if extra <= 0.0 { 0.0 } else { extra / gain },
            left_pending: left.len(),
            tokens_left_pending: left.iter().map(|entry| self.saving(entry)).sum(),
        }
    }

    /// Decides about the request that is sent now, and takes it as sent.
    pub fn decide(&mut self, now_ms: f64) -> Decision {
        let request = self.request(now_ms);
        let cached_left_alone = request.cached_if_left_alone();
        let decision = self.plan(now_ms);
        if let Some(&(position, _)) = decision.positions.first() {
            self.prompt.replace(&decision.positions);
            self.pending.truncate(position);
            self.ledger.note(Entry {
                time_ms: now_ms,
                request: self.requests,
                reason: decision.reason,
                position,
                results: decision.positions.len(),
                tokens_saved: decision.tokens_saved,
                extra_cost: decision.extra_cost,
                gain_per_request: decision.gain_per_request,
            });
        }
        self.accounts =
            self.accounts.with(Accounts { actual: decision.cost, left_alone: decision.cost_left_alone });
        self.last_cached = Accounts { actual: decision.cached_tokens, left_alone: cached_left_alone };
        self.unchanged = self.len();
        self.is_lost = false;
        self.requests += 1.0;
        self.last_request_ms = Some(now_ms);
        decision
    }

    /// The provider's report of the last request: `cached_tokens` is none where it has no such figure. A prefix that was
    /// believed to be cached and wasn't is cold for the next request, too, until a report says otherwise.
    pub fn observe(&mut self, cached_tokens: Option<f64>) {
        let Accounts { actual, left_alone } = self.last_cached;
        if self.observations.learn(cached_tokens, actual) == Report::Cold {
            let premium = self.options.prices.premium();
            self.accounts =
                self.accounts.with(Accounts { actual: premium * actual, left_alone: premium * left_alone });
            self.last_cached = Accounts::default();
            self.is_lost = true;
        }
    }

    fn request(&self, now_ms: f64) -> Request<'_> {
        let elapsed = self.last_request_ms.map(|last| now_ms - last);
        let is_kept = elapsed.is_some_and(|elapsed| elapsed <= self.options.prices.ttl_ms);
        Request {
            prices: &self.options.prices,
            prompt: &self.prompt,
            unchanged: self.unchanged,
            is_warm: is_kept && !self.is_lost && !self.has_no_cache(),
            number: self.requests,
        }
    }

    fn has_no_cache(&self) -> bool {
        self.options.prices.premium() <= 0.0 || self.observations.has_no_cache()
    }

    fn choose(&self, request: &Request<'_>) -> Choice {
        if self.pending().is_empty() {
            return Choice::default();
        }
        let total = request.prompt.total().sent;
        if self.options.budget_tokens.is_some_and(|budget| total > budget) {
            // The whole: a budget that was met by a little is exceeded again by the next message.
            let cut = request.cuts(self.pending()).last();
            return Choice { cut, was_forbidden: false };
        }
        let left_alone =
            self.options.prices.cost(request.cached_if_left_alone(), request.prompt.total().stored);
        let is_allowed = |cut: &Cut| {
            let accounts = self.accounts.with(Accounts { actual: cut.cost, left_alone });
            (cut.extra <= 0.0 || accounts.hold(self.options.max_extra_cost)) && self.has_footing(cut)
        };
        choose(request.cuts(self.pending()), &self.options.prices, self.horizon(), is_allowed)
    }

    /// Whether a replaced message stands ahead of the cut, or its first one may be the first of all.
    fn has_footing(&self, cut: &Cut) -> bool {
        if self.prompt.has_replaced_before(cut.position) {
            return true;
        }
        let Some(stored) = self.prompt.stored_at(cut.position) else { return false };
        let before = self.prompt.up_to(cut.position);
        let pending = self.pending();
        let first = pending.partition_point(|entry| entry.position < cut.position);
        let after = pending.get(first).map_or(stored, |entry| entry.tokens_after);
        let up_to = Extent { stored: before.stored + stored, sent: before.sent + after };
        may_be_first(&self.options.prices, up_to, self.options.max_extra_cost)
    }

    /// Further requests to reckon with. Of a session of which nothing else is known as many are to come as were: half of
    /// all sessions that get so far go on for longer than that.
    fn horizon(&self) -> f64 {
        let expected = self.options.expected_requests.map(|expected| expected - self.requests);
        expected.filter(|&rest| rest > 0.0).unwrap_or(self.requests)
    }

    fn saving(&self, entry: &Pending) -> f64 {
        self.prompt.sent_at(entry.position).unwrap_or_default() - entry.tokens_after
    }

    fn reason(&self, request: &Request<'_>, choice: &Choice) -> Reason {
        let Some(cut) = choice.cut else {
            return match (self.pending().is_empty(), choice.was_forbidden) {
                (true, _) => Reason::NothingPending,
                (_, true) => Reason::Guarantee,
                _ => Reason::Waiting,
            };
        };
        if self.has_no_cache() {
            return Reason::NoCache;
        }
        if !request.is_warm {
            return Reason::Cold;
        }
        if cut.extra <= 0.0 {
            return Reason::PrefixChanged;
        }
        let total = request.prompt.total().sent;
        if self.options.budget_tokens.is_some_and(|budget| total > budget) {
            Reason::Budget
        } else {
            Reason::Pays
        }
    }
}
