//! Plans what a schedule does before a request, and what that costs; planning changes nothing.

use crate::cache::cuts::{Cut, NextRequest};
use crate::cache::decision::Decision;
use crate::cache::guarantee::{ComparedCosts, may_be_first};
use crate::cache::ledger::ChangeReason;
use crate::cache::moment::Moment;
use crate::cache::pending::Pending;
use crate::cache::prices::Prices;
use crate::cache::prompt::Extent;
use crate::cache::rule::{Choice, choose, worth};
use crate::cache::schedule::Schedule;

/// A prompt above its budget loses at least this share at once: each change costs the prefix, and the next message would exceed a budget
/// that was met by a little.
const LEAST_SHARE_OF_BUDGET: f64 = 0.1;
const REQUESTS_BETWEEN_SMALL_CHANGES: usize = 16;

impl Schedule {
    /// The decision that [`Schedule::decide`] would take.
    #[must_use]
    pub fn plan(&self, moment: Moment) -> Decision {
        let request = self.request(moment);
        let choice = self.choose(&request);
        let total = self.prompt.total();
        let left_alone = request.prices.cost(request.cached_if_left_alone(), total.stored);
        let (cached, cost, promised) = choice.cut.map_or_else(
            || {
                let cached = request.cached_up_to(usize::MAX);
                (cached, request.prices.cost(cached, total.sent), request.promised_as_it_is())
            },
            |cut| (cut.cached, cut.cost, cut.promised_cost),
        );
        let saved = choice.cut.map_or(0.0, |cut| cut.saved);
        let extra = choice.cut.map_or(0.0, |cut| cut.extra);
        let gain = request.prices.read * saved;
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
            left_pending: left.iter().filter(|entry| !entry.rides).count(),
            tokens_left_pending: left
                .iter()
                .filter(|entry| !entry.rides)
                .map(|entry| self.saving(entry))
                .sum(),
            promised: ComparedCosts { actual: promised, left_alone: request.promised_left_alone() },
            changes: self.path.changes().len(),
            marks: Vec::new(),
            number: -1.0,
        }
    }

    pub(in crate::cache) fn request(&self, moment: Moment) -> NextRequest<'_> {
        let last = self.path.last();
        let is_cached = self.is_sent_before() && !self.has_no_cache();
        let ttl_ms = self.options.prices.ttl_ms;
        let known_ms = self.known_elapsed_ms(moment);
        // The last mark may have been on a message that the host doesn't store: nobody finds that end again.
        let end = last.filter(|last| !self.options.has_marks || last.entries.contains(&last.len));
        let elapsed_ms = known_ms.or(moment.elapsed_ms).or(last.map(|last| moment.now_ms - last.now_ms));
        NextRequest {
            prices: self.prices(),
            prompt: &self.prompt,
            unchanged: self.unchanged,
            unchanged_as_sent: self.unchanged_as_sent,
            entries: self.reads_entries().then(|| last.map_or(&[][..], |last| last.entries.as_slice())),
            entries_left_alone: [self.host.system, end.map_or(self.host.system, |last| last.len)],
            is_warm: is_cached && elapsed_ms.is_none_or(|elapsed| elapsed <= ttl_ms),
            is_warm_for_promise: is_cached && known_ms.is_none_or(|elapsed| elapsed <= ttl_ms),
            number: self.requests(),
        }
    }

    /// Since the provider was last asked; `None` where only messages tell it.
    fn known_elapsed_ms(&self, moment: Moment) -> Option<f64> {
        let last_sent_ms = self.last_sent_ms.filter(|_| self.options.is_carried)?;
        moment.sent_ms.map(|sent_ms| sent_ms - last_sent_ms)
    }

    /// The price list, corrected by observations.
    pub(in crate::cache) fn prices(&self) -> Prices {
        let listed = self.options.prices;
        let is_seen = self.options.goes_by_reports && self.observations.has_no_cache();
        if is_seen { listed.without_cache() } else { listed }
    }

    fn has_no_cache(&self) -> bool {
        self.prices().premium() <= 0.0
    }

    fn choose(&self, request: &NextRequest<'_>) -> Choice {
        if self.pending().is_empty() {
            return Choice::default();
        }
        if self.is_above_budget(request) {
            let cut = request
                .cuts(self.pending())
                .filter(|cut| !cut.rides)
                .last()
                .filter(|cut| self.is_enough_for_budget(cut));
            if cut.is_some() {
                return Choice { cut, was_forbidden: false };
            }
        }
        choose(&request.cuts(self.pending()), &request.prices, self.horizon(), |cut| {
            self.is_allowed(request, cut)
        })
    }

    fn is_allowed(&self, request: &NextRequest<'_>, cut: &Cut) -> bool {
        let added = ComparedCosts { actual: cut.promised_cost, left_alone: request.promised_left_alone() };
        let is_free = cut.promised_cost <= request.promised_as_it_is();
        (is_free || self.accounts().with(added).hold(self.options.max_extra_cost)) && self.has_footing(cut)
    }

    fn is_above_budget(&self, request: &NextRequest<'_>) -> bool {
        self.options.budget_tokens.is_some_and(|budget| request.prompt.total().sent > budget)
    }

    fn is_enough_for_budget(&self, cut: &Cut) -> bool {
        let budget = self.options.budget_tokens.unwrap_or_default();
        let last = self.path.changes().last().map(|change| change.request);
        let is_long_ago = last.is_none_or(|last| {
            self.path.requests().len().saturating_sub(last) >= REQUESTS_BETWEEN_SMALL_CHANGES
        });
        is_long_ago || cut.saved >= LEAST_SHARE_OF_BUDGET * budget
    }

    /// The cut that would be worth most with the next request, among those that the promise allows, or among all where it allows none.
    pub(in crate::cache) fn next_cut(&self) -> Option<usize> {
        let len = self.len();
        let request = NextRequest {
            entries: None,
            unchanged: len,
            unchanged_as_sent: len,
            is_warm: true,
            is_warm_for_promise: true,
            ..self.request(Moment::replayed(0.0, Some(0.0)))
        };
        let best = |accepts: &dyn Fn(&Cut) -> bool| {
            let cuts = request.cuts(self.pending()).filter(|cut| !cut.rides && accepts(cut));
            let value = |cut: &Cut| worth(cut, &request.prices, self.horizon());
            cuts.max_by(|one, other| value(one).total_cmp(&value(other)))
        };
        best(&|cut| self.is_allowed(&request, cut)).or_else(|| best(&|_| true)).map(|cut| cut.position)
    }

    /// Whether a replaced message stands ahead of the cut, or the cut's first one may be the first of all.
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
        may_be_first(&self.prices(), up_to, self.options.max_extra_cost)
    }

    /// As many requests are expected as there were: half of the sessions that get so far go on for longer.
    fn horizon(&self) -> f64 {
        let expected = self.options.expected_requests.map(|expected| expected - self.requests());
        expected.filter(|&rest| rest > 0.0).unwrap_or(self.requests())
    }

    fn saving(&self, entry: &Pending) -> f64 {
        self.prompt.sent_at(entry.position).unwrap_or_default() - entry.tokens_after
    }

    fn reason(&self, request: &NextRequest<'_>, choice: &Choice) -> ChangeReason {
        let Some(cut) = choice.cut else {
            return match (self.pending.has_outdated(), choice.was_forbidden) {
                (false, _) => ChangeReason::NothingPending,
                (_, true) => ChangeReason::Guarantee,
                _ => ChangeReason::Waiting,
            };
        };
        if self.has_no_cache() {
            return ChangeReason::NoCache;
        }
        if !request.is_warm {
            return ChangeReason::Cold;
        }
        if cut.extra <= 0.0 {
            return ChangeReason::PrefixChanged;
        }
        if self.is_above_budget(request) && self.is_enough_for_budget(&cut) {
            ChangeReason::Budget
        } else {
            ChangeReason::Pays
        }
    }
}
