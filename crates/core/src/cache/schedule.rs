//! Decides when outdated results are replaced: a state machine over one conversation's token columns, which depends on the messages,
//! its options, and the times that it is told. [`Schedule::plan`] is in `planning.rs`, [`Schedule::take`] in `sent.rs`, the rest of
//! what the provider is asked in `beside.rs`.

use crate::cache::bill::ViewBill;
use crate::cache::guarantee::ComparedCosts;
use crate::cache::ledger::Ledger;
use crate::cache::marks::{HostMarks, WantedMarks, marks};
use crate::cache::observation::Observations;
use crate::cache::path::Path;
use crate::cache::pending::{Pending, PendingResults};
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;

/// The share that a session may cost more than left alone.
pub const MAX_EXTRA_COST: f64 = 0.02;
/// A larger share is a mistake: a percentage, or the promise's factor.
pub const LARGEST_EXTRA_COST: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScheduleOptions {
    pub prices: Prices,
    pub max_extra_cost: f64,
    /// A prompt above it is cut at any cost: the promise is about sessions without a budget.
    pub budget_tokens: Option<f64>,
    /// Of the whole session, where that is known.
    pub expected_requests: Option<f64>,
    /// The provider reads only marked prefixes.
    pub has_marks: bool,
    /// Whether times of requests count: a later process knows them only from a carried state.
    pub is_carried: bool,
    /// Whether reports may show that a provider has no cache. They come after the state is stored, and a later process lacks them.
    pub goes_by_reports: bool,
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
            goes_by_reports: true,
        }
    }
}

/// One conversation: `push`, `truncate`, `changed` and `mark_pending` follow it, and `decide` is called before each request. A request
/// costs O(pending results), a new message O(1), a change the messages behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub(in crate::cache) options: ScheduleOptions,
    pub(in crate::cache) prompt: PromptTokens,
    pub(in crate::cache) pending: PendingResults,
    /// Messages at the start that are stored as in the last request.
    pub(in crate::cache) unchanged: usize,
    /// Messages at the start that are also sent as in the last request.
    pub(in crate::cache) unchanged_as_sent: usize,
    pub(in crate::cache) path: Path,
    /// Of the last request with this prefix, in any conversation.
    pub(in crate::cache) last_sent_ms: Option<f64>,
    pub(in crate::cache) host: HostMarks,
    pub(in crate::cache) observations: Observations,
    pub(in crate::cache) bill: ViewBill,
    pub(in crate::cache) ledger: Ledger,
    /// Tokens of the last request that any cache has; 0 once they are reported.
    pub(in crate::cache) last_listed: f64,
    /// Of the last side request: shared messages, and tokens of the others.
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

    /// Requests are marked from now on as [`Decision::marks`](crate::cache::decision::Decision::marks) says.
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

    /// The last request's marks, worked out now where nobody had asked for them.
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

    /// Outdated results that are still sent, and riding ones, by position.
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

    /// The promise's two accounts on this path.
    #[must_use]
    pub fn accounts(&self) -> ComparedCosts {
        self.path.last().map_or_else(ComparedCosts::default, |last| last.accounts)
    }

    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a count of requests
    pub fn requests(&self) -> f64 {
        self.path.requests().len() as f64
    }

    /// System prompt and tool definitions, where they are no messages. Another number of tokens means that nothing is cached.
    pub fn set_fixed_tokens(&mut self, tokens: f64) {
        if self.prompt.fixed().to_bits() != tokens.to_bits() {
            self.prompt.set_fixed(tokens);
            self.go_back(0);
        }
    }

    pub fn set_host(&mut self, host: HostMarks) {
        self.host = host;
    }

    /// `blocks` count for a provider whose marks look back over blocks.
    pub fn push(&mut self, tokens: f64, blocks: f64) {
        self.prompt.push(tokens, blocks);
    }

    pub fn truncate(&mut self, len: usize) {
        self.go_back(len);
        self.prompt.truncate(len);
        self.pending.take_from(len);
    }

    /// Takes decisions back that were made beyond the first `shared` messages.
    fn go_back(&mut self, shared: usize) {
        let is_carried = self.options.is_carried;
        for change in self.path.go_back(shared, is_carried) {
            self.prompt.take_back(&change.before);
            change.replaced.into_iter().for_each(|entry| self.pending.put_back(entry));
        }
        let requests = self.requests();
        self.pending.forget_since(requests);
        // The provider has the prefix that all paths share; what another path changed may still be cached.
        let sent = if is_carried { shared } else { self.path.last().map_or(0, |last| last.len) };
        self.unchanged = self.unchanged.min(sent);
        self.unchanged_as_sent = self.unchanged;
    }

    /// Changes stored messages, also for the history left alone, as when an interrupted call gets its answer. They are neither replaced
    /// nor pending then. `edits` are in order.
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

    /// Marks a result as outdated, whose message has `tokens_after` with a placeholder; another result of it may be replaced already.
    /// False, without effect, where that is no shorter or there is no such message.
    pub fn mark_pending(&mut self, position: usize, tokens_after: f64) -> bool {
        self.mark(position, tokens_after, false)
    }

    /// Marks a result that isn't outdated: it goes behind another, or where the prompt is written anew anyway.
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

    /// Unmarks a result; a replaced one stays so.
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

    /// Prefixes that the provider keeps with these marks and the host's.
    pub(in crate::cache) fn entries_of(&self, own: &[usize]) -> Vec<usize> {
        let mut entries = self.host.entries(self.len());
        entries.extend(own);
        entries.sort_unstable();
        entries.dedup();
        entries
    }

    /// Whether the prompt has a prefix that was sent before.
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
