//! When outdated results are replaced: a state machine over the token columns of one conversation. It knows no clock;
//! times come with the calls.

use crate::cache::decision::Decision;
use crate::cache::guarantee::Accounts;
use crate::cache::ledger::{Entry, Ledger};
use crate::cache::observation::{Observations, Report};
use crate::cache::pending::{Pending, PendingResults};
use crate::cache::prices::Prices;
use crate::cache::prompt::Prompt;

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

/// One conversation. `push`, `truncate`, `changed` and `mark_pending` keep it up to date; `decide` is called once before
/// each request. A request costs O(pending results), a new message O(1), a change the messages behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub(in crate::cache) options: Options,
    pub(in crate::cache) prompt: Prompt,
    pub(in crate::cache) pending: PendingResults,
    /// Messages at the start that are stored as at the last request.
    pub(in crate::cache) unchanged: usize,
    /// Of them, those that are sent as in it; never more.
    pub(in crate::cache) unchanged_as_sent: usize,
    /// Replaced messages that no rule condemns any more, ascending.
    pub(in crate::cache) unfounded: Vec<usize>,
    /// The provider has reported that it didn't have what the last request began with.
    pub(in crate::cache) is_lost: bool,
    pub(in crate::cache) requests: f64,
    pub(in crate::cache) last_request_ms: Option<f64>,
    /// What the last request was believed to read from the cache, in both accounts.
    pub(in crate::cache) last_cached: Accounts,
    /// What of the last request a provider that caches as its list says had, whatever reports have said.
    pub(in crate::cache) last_listed: f64,
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
            unchanged_as_sent: 0,
            unfounded: Vec::new(),
            is_lost: false,
            requests: 0.0,
            last_request_ms: None,
            last_cached: Accounts::default(),
            last_listed: 0.0,
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
            self.last_request_ms = None;
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
        self.unfounded.retain(|&position| position < len);
        self.changes_from(len);
    }

    /// The host put other messages at these positions, in order, with their tokens. They are sent as they are, and neither
    /// replaced nor pending.
    pub fn changed(&mut self, edits: &[(usize, f64)]) {
        self.prompt.edit(edits);
        for &(position, _) in edits {
            self.pending.remove(position);
            self.changes_from(position);
        }
    }

    fn changes_from(&mut self, position: usize) {
        self.unchanged = self.unchanged.min(position);
        self.unchanged_as_sent = self.unchanged_as_sent.min(position);
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
            self.changes_from(position);
        }
    }

    /// Decides about the request that is sent now, and takes it as sent.
    pub fn decide(&mut self, now_ms: f64) -> Decision {
        let restored = self.restorations(now_ms);
        self.restore_at(&restored, now_ms);
        let cached_left_alone = self.request(now_ms).cached_if_left_alone();
        let decision = Decision { restored, ..self.plan_cut(now_ms) };
        self.last_listed = self.cached_as_listed(now_ms, &decision);
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
        self.unchanged_as_sent = self.len();
        self.is_lost = false;
        self.requests += 1.0;
        self.last_request_ms = Some(now_ms);
        decision
    }

    /// The provider's report of the last request: `cached_tokens` is none where it has no such figure. A prefix that should
    /// have been cached and wasn't is cold for the next request, too, until a report says otherwise. Whoever leaves the
    /// history alone has the same provider: both accounts are corrected.
    pub fn observe(&mut self, cached_tokens: Option<f64>) {
        let Accounts { actual, left_alone } = self.last_cached;
        if self.observations.learn(cached_tokens, self.last_listed) == Report::Cold {
            let premium = self.options.prices.premium();
            self.accounts =
                self.accounts.with(Accounts { actual: premium * actual, left_alone: premium * left_alone });
            self.last_cached = Accounts::default();
            self.is_lost = true;
        }
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
