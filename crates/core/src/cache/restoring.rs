//! Decides which replaced messages are sent in full again: those whose placeholder speaks of what a rewind or an edit has
//! taken away, once the promise bears it, and those that a host's edit has left without a footing.

use crate::cache::cuts::Request;
use crate::cache::guarantee::{Accounts, may_be_first};
use crate::cache::ledger::{Entry, Reason};
use crate::cache::prompt::Extent;
use crate::cache::schedule::Schedule;

/// What it would cost to send some messages in full again.
struct Restoration {
    positions: Vec<usize>,
    /// Tokens that the prompt gains.
    added: f64,
    cost: f64,
}

impl Schedule {
    /// The replaced messages that no rule condemns any more, ascending; those named before and not now are condemned
    /// again. They stay as they are until the promise bears that they are sent in full.
    pub fn set_unfounded(&mut self, positions: Vec<usize>) {
        self.unfounded = positions;
    }

    /// Sends these messages in full from now on. Whoever leaves the history alone has the prefix in the cache all the same.
    pub fn restore(&mut self, positions: &[usize]) {
        let in_full: Vec<(usize, f64)> = positions
            .iter()
            .filter(|&&position| self.is_replaced(position))
            .filter_map(|&position| Some((position, self.prompt.stored_at(position)?)))
            .collect();
        self.prompt.edit(&in_full);
        for &(position, _) in &in_full {
            self.pending.remove(position);
            self.unchanged_as_sent = self.unchanged_as_sent.min(position);
        }
        self.unfounded.retain(|position| !positions.contains(position));
    }

    /// [`Self::restore`], with what it costs in the ledger.
    pub fn restore_at(&mut self, positions: &[usize], now_ms: f64) {
        let Some(&first) = positions.first() else { return };
        let request = self.request(now_ms);
        let restoration = self.restoration(&request, positions.to_vec());
        let as_it_is = request.prices.cost(request.cached_up_to(usize::MAX), self.prompt.total().sent);
        self.ledger.note(Entry {
            time_ms: now_ms,
            request: self.requests,
            reason: Reason::Restored,
            position: first,
            results: positions.len(),
            tokens_saved: -restoration.added,
            extra_cost: restoration.cost - as_it_is,
            gain_per_request: -request.prices.read * restoration.added,
        });
        self.restore(positions);
    }

    /// What is sent in full again with the request at `now_ms`, ascending: of the unfounded messages as many from the end as
    /// the promise bears.
    pub(in crate::cache) fn restorations(&self, now_ms: f64) -> Vec<usize> {
        if self.unfounded.is_empty() && self.has_footing_without(&[]) {
            return Vec::new();
        }
        let request = self.request(now_ms);
        let unfounded: Vec<usize> =
            self.unfounded.iter().copied().filter(|&position| self.is_replaced(position)).collect();
        (0..=unfounded.len())
            .filter_map(|start| unfounded.get(start..))
            .map(|wanted| self.restoration(&request, self.with_those_left_without_footing(wanted)))
            .find(|restoration| self.may_restore(&request, restoration))
            .map(|restoration| restoration.positions)
            .unwrap_or_default()
    }

    fn restoration(&self, request: &Request<'_>, positions: Vec<usize>) -> Restoration {
        let added = positions
            .iter()
            .filter_map(|&position| Some(self.prompt.stored_at(position)? - self.prompt.sent_at(position)?))
            .sum();
        let cached = request.cached_up_to(positions.first().copied().unwrap_or(usize::MAX));
        let cost = request.prices.cost(cached, self.prompt.total().sent + added);
        Restoration { positions, added, cost }
    }

    /// Behind what changes anyway nothing is read from the cache: whoever leaves the history alone writes as many tokens.
    /// Ahead of it the accounts decide.
    fn may_restore(&self, request: &Request<'_>, restoration: &Restoration) -> bool {
        let total = request.prompt.total();
        let fits = self.options.budget_tokens.is_none_or(|budget| total.sent + restoration.added <= budget);
        let first = restoration.positions.first().copied().unwrap_or(usize::MAX);
        let is_free = !request.is_warm || first >= request.unchanged_as_sent;
        let left_alone = request.prices.cost(request.cached_if_left_alone(), total.stored);
        let accounts = self.accounts.with(Accounts { actual: restoration.cost, left_alone });
        fits && (is_free || accounts.hold(self.options.max_extra_cost))
    }

    /// `wanted`, and the replaced messages that could not be the first of all once those are sent in full.
    fn with_those_left_without_footing(&self, wanted: &[usize]) -> Vec<usize> {
        let mut positions = wanted.to_vec();
        while !self.has_footing_without(&positions) {
            let Some(first) = self.first_replaced_without(&positions) else { break };
            positions.insert(positions.partition_point(|&position| position < first), first);
        }
        positions
    }

    fn first_replaced_without(&self, restored: &[usize]) -> Option<usize> {
        self.prompt
            .replaced()
            .map(|(position, _)| position)
            .find(|position| restored.binary_search(position).is_err())
    }

    /// Whether the first replaced message may be that, once `restored` are sent in full.
    fn has_footing_without(&self, restored: &[usize]) -> bool {
        let Some(first) = self.first_replaced_without(restored) else { return true };
        let before = self.prompt.up_to(first).stored;
        let (Some(stored), Some(sent)) = (self.prompt.stored_at(first), self.prompt.sent_at(first)) else {
            return true;
        };
        let up_to = Extent { stored: before + stored, sent: before + sent };
        may_be_first(&self.prices(), up_to, self.options.max_extra_cost)
    }
}
