//! Decides when outdated results are replaced: a state machine over the token columns of one conversation, which depends on
//! the messages, its options, and the times that it is told. [`Schedule::plan`] is in `planning.rs`, [`Schedule::take`] in
//! `sent.rs`, and what comes beside the conversation's own requests in `beside.rs`.

use crate::cache::bill::ViewBill;
use crate::cache::guarantee::ComparedCosts;
use crate::cache::ledger::Ledger;
use crate::cache::marks::{HostMarks, WantedMarks, marks};
use crate::cache::observation::Observations;
use crate::cache::path::Path;
use crate::cache::pending::{Pending, PendingResults};
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;

/// A session costs at most this share more than with its history left alone.
pub const MAX_EXTRA_COST: f64 = 0.02;
/// A larger share is a mistake: a percentage, or the factor that the promise is worded with.
pub const LARGEST_EXTRA_COST: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScheduleOptions {
    pub prices: Prices,
    pub max_extra_cost: f64,
    /// Above the budget so much goes at once that it lasts, at any cost: the promise is about sessions without one.
    pub budget_tokens: Option<f64>,
    /// All requests of the session, where their number is known.
    pub expected_requests: Option<f64>,
    /// The provider reads only prefixes that were marked.
    pub has_marks: bool,
    /// Whether the times at which requests were sent count, and that a provider was seen to have no cache: a later process
    /// knows neither unless the state is carried on.
    pub is_carried: bool,
}

impl ScheduleOptions {
    #[must_use]
    pub fn new(prices: Prices) -> Self {
        Self {
            prices,
            max_extra_cost: MAX_EXTRA_COST,
            budget_tokens: None,
            expected_requests: None,
            has_marks: false,
            is_carried: true,
        }
    }
}

/// One conversation. `push`, `truncate`, `changed` and `mark_pending` keep it up to date; `decide` is called once before
/// each request. A request costs O(pending results), a new message O(1), a change the messages behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub(in crate::cache) options: ScheduleOptions,
    pub(in crate::cache) prompt: PromptTokens,
    pub(in crate::cache) pending: PendingResults,
    /// Messages at the start that are stored as at the last request.
    pub(in crate::cache) unchanged: usize,
    /// Messages at the start that are also sent as at the last request.
    pub(in crate::cache) unchanged_as_sent: usize,
    pub(in crate::cache) path: Path,
    /// The last request that begins like this conversation, of whatever conversation.
    pub(in crate::cache) last_sent_ms: Option<f64>,
    pub(in crate::cache) host: HostMarks,
    pub(in crate::cache) observations: Observations,
    pub(in crate::cache) bill: ViewBill,
    pub(in crate::cache) ledger: Ledger,
    /// Tokens of the last request that any cache must have had; 0 once they are reported.
    pub(in crate::cache) last_listed: f64,
    /// The last side request: how many messages it shares, and the tokens of its others.
    pub(in crate::cache) last_beside: (usize, f64),
}

impl Schedule {
    #[must_use]
    pub fn new(options: ScheduleOptions) -> Self {
        Self {
            options,
            prompt: PromptTokens::default(),
            pending: PendingResults::default(),
            unchanged: 0,
            unchanged_as_sent: 0,
            path: Path::default(),
            last_sent_ms: None,
            host: HostMarks::default(),
            observations: Observations::default(),
            bill: ViewBill::default(),
            ledger: Ledger::default(),
            last_listed: 0.0,
            last_beside: (0, 0.0),
        }
    }

    #[must_use]
    pub fn options(&self) -> &ScheduleOptions {
        &self.options
    }

    /// From now on requests are marked as [`Decision::marks`](crate::cache::decision::Decision::marks) says.
    pub fn set_marks(&mut self) {
        if !self.options.has_marks {
            self.path.set_entries(self.entries_of(&self.last_marks()));
            self.options.has_marks = true;
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.prompt.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.prompt.is_empty()
    }

    #[must_use]
    pub fn prompt(&self) -> &PromptTokens {
        &self.prompt
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The marks of the last request, worked out now where it was decided before anybody asked for marks.
    #[must_use]
    pub fn last_marks(&self) -> Vec<usize> {
        match self.path.last() {
            Some(last) if self.options.has_marks => {
                let others = self.host.entries(self.len());
                let is_own = |entry: &usize| !others.contains(entry) || self.host.marked.contains(entry);
                last.entries.iter().copied().filter(is_own).collect()
            }
            _ => marks(
                &self.prompt,
                &self.host,
                WantedMarks { next: self.next_cut(), ..WantedMarks::default() },
            ),
        }
    }

    /// Results that are outdated and still sent, and those that ride with them, by position.
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

    #[must_use]
    pub fn bill(&self) -> &ViewBill {
        &self.bill
    }

    /// The two accounts of the promise on this path, as it counts them.
    #[must_use]
    pub fn accounts(&self) -> ComparedCosts {
        self.path.last().map_or_else(ComparedCosts::default, |last| last.accounts)
    }

    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a count of requests
    pub fn requests(&self) -> f64 {
        self.path.requests().len() as f64
    }

    /// The system prompt and the tool definitions, where these aren't messages. With another number of tokens nothing of the
    /// last prompt is cached.
    pub fn set_fixed_tokens(&mut self, tokens: f64) {
        if self.prompt.fixed().to_bits() != tokens.to_bits() {
            self.prompt.set_fixed(tokens);
            self.go_back(0);
        }
    }

    pub fn set_host(&mut self, host: HostMarks) {
        self.host = host;
    }

    /// Appends a message; `blocks` counts for a provider whose marks look back over blocks.
    pub fn push(&mut self, tokens: f64, blocks: f64) {
        self.prompt.push(tokens, blocks);
    }

    /// Rewinds the conversation to its first `len` messages.
    pub fn truncate(&mut self, len: usize) {
        self.go_back(len);
        self.prompt.truncate(len);
        self.pending.take_from(len);
    }

    /// Takes back what was decided on requests that had other messages than the first `shared`.
    fn go_back(&mut self, shared: usize) {
        let is_carried = self.options.is_carried;
        for change in self.path.go_back(shared, is_carried) {
            self.prompt.take_back(&change.before);
            change.replaced.into_iter().for_each(|entry| self.pending.put_back(entry));
        }
        let requests = self.requests();
        self.pending.forget_since(requests);
        // The provider has the common beginning of all paths; what a change on another path has made other may still be cached.
        let sent = if is_carried { shared } else { self.path.last().map_or(0, |last| last.len) };
        self.unchanged = self.unchanged.min(sent);
        self.unchanged_as_sent = self.unchanged;
    }

    /// Gives the messages at these positions, in order, other tokens, also for whoever leaves the history alone: an interrupted
    /// call got its answer. They are neither replaced nor pending.
    pub fn changed(&mut self, edits: &[(usize, f64)]) {
        self.prompt.edit(edits);
        for &(position, _) in edits {
            self.path.forget(position);
            self.pending.remove(position);
            self.changes_from(position);
        }
    }

    fn changes_from(&mut self, position: usize) {
        self.unchanged = self.unchanged.min(position);
        self.unchanged_as_sent = self.unchanged_as_sent.min(position);
    }

    /// Marks a result as outdated; with a placeholder its message has `tokens_after`. Another result of the message may be
    /// replaced already. False, and nothing is pending, where that is no shorter than what is sent or there is no such message.
    pub fn mark_pending(&mut self, position: usize, tokens_after: f64) -> bool {
        self.mark(position, tokens_after, false)
    }

    /// Marks a result that isn't outdated yet, and goes with one ahead of it or where the prompt is written anew anyway.
    pub fn mark_riding(&mut self, position: usize, tokens_after: f64) -> bool {
        self.mark(position, tokens_after, true)
    }

    fn mark(&mut self, position: usize, tokens_after: f64, rides: bool) -> bool {
        if self.prompt.sent_at(position).is_none_or(|sent| tokens_after >= sent) {
            return false;
        }
        self.pending.insert(Pending { position, tokens_after, since_request: self.requests(), rides });
        true
    }

    /// The result at `position` isn't outdated any more. What is replaced stays so.
    pub fn unmark_pending(&mut self, position: usize) {
        self.pending.remove(position);
    }

    /// Keeps the placeholders of a message that was edited.
    pub fn keep_replaced(&mut self, position: usize, tokens_after: f64) {
        if let Some(tokens) = self.prompt.stored_at(position) {
            self.path.keep(position, tokens, tokens_after);
            self.pending.remove(position);
            self.prompt.replace(&[(position, tokens_after)]);
            self.changes_from(position);
        }
    }

    /// The prefixes that the provider has of a request with these marks, and the host's.
    pub(in crate::cache) fn entries_of(&self, own: &[usize]) -> Vec<usize> {
        let mut entries = self.host.entries(self.len());
        entries.extend(own);
        entries.sort_unstable();
        entries.dedup();
        entries
    }

    /// Whether the prompt begins with anything that was sent before.
    pub(in crate::cache) fn is_sent_before(&self) -> bool {
        self.unchanged > 0 || self.path.last().is_some()
    }

    /// Whether the provider reads only what was marked.
    pub(in crate::cache) fn reads_entries(&self) -> bool {
        self.options.has_marks || self.host.has_marks()
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
