//! When outdated results are replaced: a state machine over the token columns of one conversation. It knows no clock;
//! times come with the calls. What it decides depends on the messages, its options, and the times that it was told.

use crate::cache::bill::{Asked, Bill, Report};
use crate::cache::cuts::Request;
use crate::cache::decision::Decision;
use crate::cache::guarantee::{Accounts, surely_cached};
use crate::cache::ledger::{Entry, Ledger};
use crate::cache::marks::{Host, Wanted, marks};
use crate::cache::moment::Moment;
use crate::cache::observation::Observations;
use crate::cache::path::{Change, Checkpoint, Path};
use crate::cache::pending::{Pending, PendingResults};
use crate::cache::prices::Prices;
use crate::cache::prompt::{Extent, Prompt};

/// How much a session may cost beyond the same session with its history left alone, as a share.
pub const MAX_EXTRA_COST: f64 = 0.02;
/// A larger share is a mistake: a percentage, or the factor that the promise is worded with.
pub const LARGEST_EXTRA_COST: f64 = 1.0;

/// What a schedule goes by. Costs nothing to copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    pub prices: Prices,
    pub max_extra_cost: f64,
    /// Above it so much goes at once that it lasts, at any cost: the promise is about sessions without a budget.
    pub budget_tokens: Option<f64>,
    /// How many requests the session will have in all, where that is known.
    pub expected_requests: Option<f64>,
    /// The provider reads only prefixes that were marked.
    pub has_marks: bool,
    /// Whether the times at which requests were sent count, and that a provider was seen to have no cache: a later process
    /// knows of neither unless the state is carried on.
    pub is_carried: bool,
}

impl Options {
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
    pub(in crate::cache) options: Options,
    pub(in crate::cache) prompt: Prompt,
    pub(in crate::cache) pending: PendingResults,
    /// Messages at the start that are stored as at the last request.
    pub(in crate::cache) unchanged: usize,
    /// How many of those are also sent as at the last request.
    pub(in crate::cache) unchanged_as_sent: usize,
    pub(in crate::cache) path: Path,
    /// When the provider was last asked for anything that begins like this conversation.
    pub(in crate::cache) last_sent_ms: Option<f64>,
    pub(in crate::cache) host: Host,
    pub(in crate::cache) observations: Observations,
    pub(in crate::cache) bill: Bill,
    pub(in crate::cache) ledger: Ledger,
    /// What the provider must have read of the last request, however it counts, if it has a cache; 0 once it is reported.
    pub(in crate::cache) last_listed: f64,
    /// The last request beside the conversation: how many messages they share, and the tokens of its others.
    pub(in crate::cache) last_beside: (usize, f64),
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
            path: Path::default(),
            last_sent_ms: None,
            host: Host::default(),
            observations: Observations::default(),
            bill: Bill::default(),
            ledger: Ledger::default(),
            last_listed: 0.0,
            last_beside: (0, 0.0),
        }
    }

    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// From now on requests are marked as `marks` of each decision says.
    pub fn set_marks(&mut self) {
        if !self.options.has_marks {
            self.path.set_entries(self.entries_of(&self.last_marks()));
            self.options.has_marks = true;
        }
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

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The prefixes that the last request is to mark, as [`Decision::marks`]; worked out now where it was decided before
    /// anybody asked for marks.
    #[must_use]
    pub fn last_marks(&self) -> Vec<usize> {
        match self.path.last() {
            Some(last) if self.options.has_marks => {
                let others = self.host.entries(self.len());
                let is_own = |entry: &usize| !others.contains(entry) || self.host.marked.contains(entry);
                last.entries.iter().copied().filter(is_own).collect()
            }
            _ => marks(&self.prompt, &self.host, Wanted { next: self.next_cut(), ..Wanted::default() }),
        }
    }

    /// Results that are outdated and still sent, and those that ride with them, in the order of their positions.
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
    pub fn bill(&self) -> &Bill {
        &self.bill
    }

    /// The two accounts of the promise on this path, as it counts them.
    #[must_use]
    pub fn accounts(&self) -> Accounts {
        self.path.last().map_or_else(Accounts::default, |last| last.accounts)
    }

    /// Requests on this path.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a count of requests
    pub fn requests(&self) -> f64 {
        self.path.requests().len() as f64
    }

    /// Tokens of the system prompt and the tool definitions, where these aren't messages. Another number is another
    /// prompt: nothing of the last one is cached.
    pub fn set_fixed_tokens(&mut self, tokens: f64) {
        if self.prompt.fixed().to_bits() != tokens.to_bits() {
            self.prompt.set_fixed(tokens);
            self.go_back(0);
        }
    }

    /// What the host has marked, and which messages are the system prompt.
    pub fn set_host(&mut self, host: Host) {
        self.host = host;
    }

    /// A message at the end, with the blocks that it is to a provider whose marks look back over blocks.
    pub fn push(&mut self, tokens: f64, blocks: f64) {
        self.prompt.push(tokens, blocks);
    }

    /// The conversation was rewound to its first `len` messages.
    pub fn truncate(&mut self, len: usize) {
        self.go_back(len);
        self.prompt.truncate(len);
        self.pending.truncate(len);
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
        // Whoever has seen what was sent on other paths knows that the provider has their common beginning; what a change there
        // has made other since may still be cached as it was.
        let sent = if is_carried { shared } else { self.path.last().map_or(0, |last| last.len) };
        self.unchanged = self.unchanged.min(sent);
        self.unchanged_as_sent = self.unchanged;
    }

    /// Messages at these positions are sent with other tokens from now on, in order, whoever leaves the history alone: an
    /// interrupted call got its answer. They are neither replaced nor pending.
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

    /// A result of the message at `position` is outdated; with a placeholder its message has `tokens_after`. Of a message
    /// with several results one may be replaced already. False when that is no shorter than what is sent, or when there
    /// is no such message: then nothing is pending.
    pub fn mark_pending(&mut self, position: usize, tokens_after: f64) -> bool {
        self.mark(position, tokens_after, false)
    }

    /// The same of a result that isn't outdated yet, and goes with one ahead of it or where the prompt is written anew anyway.
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

    /// The message at `position`, which was edited, still is sent with placeholders.
    pub fn keep_replaced(&mut self, position: usize, tokens_after: f64) {
        if let Some(tokens) = self.prompt.stored_at(position) {
            self.path.keep(position, tokens, tokens_after);
            self.pending.remove(position);
            self.prompt.replace(&[(position, tokens_after)]);
            self.changes_from(position);
        }
    }

    /// Decides about the request that is sent at `moment`, and takes it as sent.
    pub fn decide(&mut self, moment: Moment) -> Decision {
        let decision = self.plan(moment);
        self.take(moment, decision)
    }

    /// Takes the request that is sent at `moment` as sent with what was just planned for it.
    pub fn take(&mut self, moment: Moment, mut decision: Decision) -> Decision {
        let asked = self.asked(moment, &decision);
        let read = self.entry_read(&decision);
        self.apply(moment, &decision);
        let len = self.len();
        (self.unchanged, self.unchanged_as_sent) = (len, len);
        let accounts = self.accounts().with(decision.promised);
        decision.changes = self.path.changes().len();
        self.path.note_request(Checkpoint {
            len,
            accounts,
            changes: decision.changes,
            now_ms: moment.now_ms,
            entries: Vec::new(),
        });
        if self.options.has_marks {
            let changed = decision.positions.first().map(|&(position, _)| position);
            let next = self.next_cut();
            decision.marks = marks(&self.prompt, &self.host, Wanted { read, changed, next });
        }
        self.path.set_entries(self.entries_of(&decision.marks));
        if let Some(sent_ms) = moment.sent_ms {
            self.last_listed = surely_cached(&self.options.prices, asked.cached);
            decision.number = self.bill.add(asked, &self.options.prices);
            self.last_sent_ms = Some(self.last_sent_ms.map_or(sent_ms, |last| last.max(sent_ms)));
        }
        decision
    }

    /// The prefixes that the provider has of a request with these marks, and the host's.
    fn entries_of(&self, own: &[usize]) -> Vec<usize> {
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

    fn apply(&mut self, moment: Moment, decision: &Decision) {
        let Some(&(position, _)) = decision.positions.first() else { return };
        let before = self.prompt.replace(&decision.positions);
        let request = self.path.requests().len();
        let replaced = self.pending.take_from(position);
        self.path.note_change(Change { request, replaced, before });
        self.ledger.note(Entry {
            time_ms: moment.now_ms,
            request: self.requests(),
            reason: decision.reason,
            position,
            results: decision.positions.len(),
            tokens_saved: decision.tokens_saved,
            extra_cost: decision.extra_cost,
            gain_per_request: decision.gain_per_request,
        });
    }

    /// The entry of the request before that a request reads which is sent as decided.
    fn entry_read(&self, decision: &Decision) -> Option<usize> {
        let first = decision.positions.first().map_or(usize::MAX, |&(position, _)| position);
        let limit = first.min(self.unchanged_as_sent);
        self.path.last()?.entries.iter().copied().rev().find(|&entry| entry <= limit)
    }

    /// A request that goes on from the first `shared` messages with others of `tokens`, and changes nothing: a title, a retry,
    /// an earlier part of the conversation. Returns its number on the bill.
    pub fn side_request(&mut self, shared: usize, tokens: f64, sent_ms: f64) -> f64 {
        let unsaved = self.saved_since(self.changes_shown(shared, tokens, sent_ms), shared);
        let up_to = |position: usize| {
            let Extent { stored, sent } = self.prompt.up_to(position);
            Extent { stored, sent: sent + unsaved }
        };
        let prefix = up_to(shared);
        let is_warm = self.last_sent_ms.is_some_and(|last| sent_ms - last <= self.options.prices.ttl_ms);
        let within = self.path.last().map_or(0, |last| last.len).min(shared);
        // A title request repeats the one before with another question.
        let (beside, others) = std::mem::replace(&mut self.last_beside, (shared, tokens));
        let is_next = beside == shared && within == shared && !self.reads_entries();
        let again = if is_next { others.min(tokens) } else { 0.0 };
        let known = up_to(within);
        let known = Extent { stored: known.stored + again, sent: known.sent + again };
        let prices = self.options.prices;
        let has_cache = is_warm && !self.observations.has_no_cache();
        let cached = |tokens: f64| if has_cache { prices.in_blocks(tokens) } else { 0.0 };
        self.last_sent_ms = Some(self.last_sent_ms.map_or(sent_ms, |last| last.max(sent_ms)));
        self.bill.add(
            Asked {
                sent: prefix.sent + tokens,
                stored: prefix.stored + tokens,
                readable: known.sent,
                readable_left_alone: known.stored,
                cached: cached(known.sent),
                cached_left_alone: cached(known.stored),
            },
            &prices,
        )
    }

    /// How many changes a request shows that is the first `shared` messages and others of `tokens`: all that were made, since the
    /// provider has that in its cache. Where it has only what was marked, and not yet forgotten, an earlier part of the
    /// conversation is sent as it was then.
    #[must_use]
    pub fn changes_shown(&self, shared: usize, tokens: f64, sent_ms: f64) -> usize {
        let all = self.path.changes().len();
        let was_sent = |one: &&Checkpoint| {
            one.len == shared && tokens <= 0.0 && sent_ms - one.now_ms <= self.options.prices.ttl_ms
        };
        let then = self.path.requests().iter().rev().find(was_sent).filter(|_| self.reads_entries());
        then.map_or(all, |then| then.changes)
    }

    /// Tokens that later changes than the first `changes` have saved in the first `shared` messages.
    fn saved_since(&self, changes: usize, shared: usize) -> f64 {
        let later = self.path.changes().iter().skip(changes);
        let within = later.flat_map(|change| change.before.iter().zip(&change.replaced));
        let saved = within.filter(|(before, _)| before.position < shared);
        saved.map(|(before, after)| before.sent - after.tokens_after).sum()
    }

    /// Other requests that begin like this conversation keep its prefix in the provider's cache.
    pub fn touch(&mut self, sent_ms: f64) {
        if self.last_sent_ms.is_some_and(|last| last < sent_ms) {
            self.last_sent_ms = Some(sent_ms);
        }
    }

    /// A request for a summary, with `cached` of its tokens from the cache. Whoever leaves what is sent alone has it summarised,
    /// too.
    pub fn add_summary(&mut self, tokens: f64, cached: f64) {
        self.bill.add_beside(self.options.prices.cost(cached, tokens));
    }

    /// The provider's report of request `number` on the bill, of the newest where none is named.
    pub fn observe(&mut self, number: Option<f64>, report: Report) {
        if number.is_none_or(|number| number.to_bits() == (self.bill.requests - 1.0).to_bits()) {
            // A report that comes twice says no more than once.
            let listed = std::mem::take(&mut self.last_listed);
            self.observations.learn(report.cached_tokens, listed);
        }
        let unreported = self.observations.has_no_cache().then_some(0.0);
        let report = Report { cached_tokens: report.cached_tokens.or(unreported), ..report };
        self.bill.correct(number, report, &self.prompt, &self.options.prices);
    }

    /// What the bill says of a request that is sent as decided: times count even where no decision goes by them.
    fn asked(&self, moment: Moment, decision: &Decision) -> Asked {
        let request = self.request(moment);
        let is_warm = match (moment.sent_ms, self.last_sent_ms) {
            (Some(now), Some(last)) => now - last <= self.options.prices.ttl_ms && self.is_sent_before(),
            _ => request.is_warm,
        };
        let is_warm = is_warm && !self.observations.has_no_cache();
        let request = Request { is_warm, ..request };
        let first = decision.positions.first().map_or(usize::MAX, |&(position, _)| position);
        Asked {
            sent: decision.total_tokens,
            stored: request.prompt.total().stored,
            readable: request.readable_up_to(first),
            readable_left_alone: request.readable_if_left_alone(),
            cached: request.cached_up_to(first),
            cached_left_alone: request.cached_if_left_alone(),
        }
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
