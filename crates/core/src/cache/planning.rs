//! What a schedule would do before a request, and what that costs; planning changes nothing.

use crate::cache::cuts::{Cut, Request};
use crate::cache::decision::Decision;
use crate::cache::guarantee::{Accounts, may_be_first};
use crate::cache::ledger::Reason;
use crate::cache::pending::Pending;
use crate::cache::prices::Prices;
use crate::cache::prompt::Extent;
use crate::cache::rule::{Choice, choose};
use crate::cache::schedule::Schedule;

impl Schedule {
    /// What `decide` would do now.
    #[must_use]
    pub fn plan(&self, now_ms: f64) -> Decision {
        let restored = self.restorations(now_ms);
        if restored.is_empty() {
            return self.plan_cut(now_ms);
        }
        let mut after = self.clone();
        after.restore(&restored);
        Decision { restored, ..after.plan_cut(now_ms) }
    }

    pub(in crate::cache) fn plan_cut(&self, now_ms: f64) -> Decision {
        let request = self.request(now_ms);
        let choice = self.choose(&request);
        let total = self.prompt.total();
        let left_alone = request.prices.cost(request.cached_if_left_alone(), total.stored);
        let (cached, cost) = choice.cut.map_or_else(
            || {
                let cached = request.cached_up_to(usize::MAX);
                (cached, request.prices.cost(cached, total.sent))
            },
            |cut| (cut.cached, cut.cost),
        );
        let saved = choice.cut.map_or(0.0, |cut| cut.saved);
        let extra = choice.cut.map_or(0.0, |cut| cut.extra);
        let gain = request.prices.read * saved;
        let from = choice.cut.map_or(usize::MAX, |cut| cut.position);
        let (left, gone) =
            self.pending().split_at(self.pending().partition_point(|entry| entry.position < from));
        Decision {
            restored: Vec::new(),
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

    pub(in crate::cache) fn request(&self, now_ms: f64) -> Request<'_> {
        Request {
            prices: self.prices(),
            prompt: &self.prompt,
            unchanged: self.unchanged,
            unchanged_as_sent: self.unchanged_as_sent,
            is_warm: self.is_kept(now_ms) && !self.is_lost && !self.has_no_cache(),
            number: self.requests,
        }
    }

    /// Whether the request before is younger than what the provider keeps.
    fn is_kept(&self, now_ms: f64) -> bool {
        let elapsed = self.last_request_ms.map(|last| now_ms - last);
        elapsed.is_some_and(|elapsed| elapsed <= self.options.prices.ttl_ms)
    }

    /// What of a request that is sent as decided comes from a cache that works as its list says.
    pub(in crate::cache) fn cached_as_listed(&self, now_ms: f64, decision: &Decision) -> f64 {
        let listed =
            Request { prices: self.options.prices, is_warm: self.is_kept(now_ms), ..self.request(now_ms) };
        listed.cached_up_to(decision.positions.first().map_or(usize::MAX, |&(position, _)| position))
    }

    /// What the provider charges, as far as its reports have shown.
    pub(in crate::cache) fn prices(&self) -> Prices {
        let listed = self.options.prices;
        if self.observations.has_no_cache() { listed.without_cache() } else { listed }
    }

    fn has_no_cache(&self) -> bool {
        self.prices().premium() <= 0.0
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
        let left_alone = request.prices.cost(request.cached_if_left_alone(), request.prompt.total().stored);
        let is_allowed = |cut: &Cut| {
            let accounts = self.accounts.with(Accounts { actual: cut.cost, left_alone });
            (cut.extra <= 0.0 || accounts.hold(self.options.max_extra_cost)) && self.has_footing(cut)
        };
        choose(&request.cuts(self.pending()), &request.prices, self.horizon(), is_allowed)
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
        may_be_first(&self.prices(), up_to, self.options.max_extra_cost)
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
