//! Side requests, summaries and reports: what a schedule hears of the provider beside the conversation's own requests.

use crate::cache::bill::{BilledRequest, RequestReport};
use crate::cache::path::Checkpoint;
use crate::cache::prompt::Extent;
use crate::cache::schedule::Schedule;

impl Schedule {
    /// Bills a request that follows the first `shared` messages with others of `tokens` and changes nothing, such as a title or a
    /// retry. Returns its number on the bill.
    pub fn side_request(&mut self, shared: usize, tokens: f64, sent_ms: f64) -> f64 {
        let unsaved = self.saved_since(self.changes_shown(shared, tokens, sent_ms), shared);
        let up_to = |position: usize| {
            let Extent { stored, sent } = self.prompt.up_to(position);
            Extent { stored, sent: sent + unsaved }
        };
        let prefix = up_to(shared);
        let is_warm = self.last_sent_ms.is_some_and(|last| sent_ms - last <= self.options.prices.ttl_ms);
        let within = self.path.last().map_or(0, |last| last.len).min(shared);
        // A title request repeats the last one with another question, so those tokens are cached, too.
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
            BilledRequest {
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

    /// The changes that a side request shows: all that were made, since the provider has that prefix. With marks, an earlier part of
    /// the conversation whose entry still lives is sent as it was then.
    pub fn changes_shown(&self, shared: usize, tokens: f64, sent_ms: f64) -> usize {
        let all = self.path.changes().len();
        let was_sent = |one: &&Checkpoint| {
            one.len == shared && tokens <= 0.0 && sent_ms - one.now_ms <= self.options.prices.ttl_ms
        };
        let then = self.path.requests().iter().rev().find(was_sent).filter(|_| self.reads_entries());
        then.map_or(all, |then| then.changes)
    }

    /// Tokens that the changes after the first `changes` have saved in the first `shared` messages.
    fn saved_since(&self, changes: usize, shared: usize) -> f64 {
        let later = self.path.changes().iter().skip(changes);
        let within = later.flat_map(|change| change.before.iter().zip(&change.replaced));
        let saved = within.filter(|(before, _)| before.position < shared);
        saved.map(|(before, after)| before.sent - after.tokens_after).sum()
    }

    /// A request of another conversation keeps the common prefix in the provider's cache.
    pub fn touch(&mut self, sent_ms: f64) {
        if self.last_sent_ms.is_some_and(|last| last < sent_ms) {
            self.last_sent_ms = Some(sent_ms);
        }
    }

    /// Bills a summary on both accounts: with its history left alone the conversation would be summarised, too.
    pub fn add_summary(&mut self, tokens: f64, cached: f64) {
        self.bill.add_beside(self.options.prices.cost(cached, tokens));
    }

    /// Takes the report of request `number`, or of the newest.
    pub fn observe(&mut self, number: Option<f64>, report: RequestReport) {
        if number.is_none_or(|number| number.to_bits() == (self.bill.requests - 1.0).to_bits()) {
            // A doubled report must not count twice.
            let listed = std::mem::take(&mut self.last_listed);
            self.observations.learn(report.cached_tokens, listed);
        }
        let unreported = self.observations.has_no_cache().then_some(0.0);
        let report = RequestReport { cached_tokens: report.cached_tokens.or(unreported), ..report };
        self.bill.correct(number, report, &self.prompt, &self.options.prices);
    }
}
