//! What it would cost now, and save with every further request, to replace the pending results from some position on.
//!
//! Whatever is pending behind a replaced result goes with it: the cache loses everything behind the first change, so the
//! rest costs nothing more.

use crate::cache::pending::Pending;
use crate::cache::prices::Prices;
use crate::cache::prompt::Prompt;

/// A request that is about to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub prices: Prices,
    pub prompt: &'a Prompt,
    /// Messages at the start that are stored as at the request before.
    pub unchanged: usize,
    /// Of them, those that are sent as in the request before.
    pub unchanged_as_sent: usize,
    /// Whether the request before is in the cache.
    pub is_warm: bool,
    /// Requests that were sent before this one.
    pub number: f64,
}

/// One way to change the prompt: all pending results from a position on are replaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    pub position: usize,
    pub results: usize,
    /// Tokens that the prompt loses.
    pub saved: f64,
    /// What these tokens have cost since they became outdated.
    pub carried: f64,
    /// What this request costs with the cut beyond what it costs without; negative where the cut saves at once.
    pub extra: f64,
    /// Tokens that come from the cache all the same.
    pub cached: f64,
    /// What this request costs with the cut.
    pub cost: f64,
}

impl Cut {
    /// What each further request with a warm cache costs less.
    #[must_use]
    pub fn gain(&self, prices: &Prices) -> f64 {
        prices.read * self.saved
    }
}

impl<'a> Request<'a> {
    /// Tokens from the cache if the message at `position` is the first that changes now.
    #[must_use]
    pub fn cached_up_to(&self, position: usize) -> f64 {
        self.cached(self.prompt.up_to(position.min(self.unchanged_as_sent)).sent)
    }

    /// The same for the stored messages, as they would have been sent by whoever leaves them alone.
    #[must_use]
    pub fn cached_if_left_alone(&self) -> f64 {
        self.cached(self.prompt.up_to(self.unchanged).stored)
    }

    /// Every cut there is, the shortest first. O(1) for each.
    pub fn cuts(self, pending: &'a [Pending]) -> impl Iterator<Item = Cut> + Clone + 'a {
        let total = self.prompt.total().sent;
        let as_it_is = self.prices.cost(self.cached_up_to(usize::MAX), total);
        let (mut saved, mut carried, mut results) = (0.0, 0.0, 0);
        pending.iter().rev().map(move |entry| {
            let tokens = self.prompt.sent_at(entry.position).unwrap_or_default() - entry.tokens_after;
            saved += tokens;
            carried += self.prices.read * tokens * (self.number - entry.since_request);
            results += 1;
            let cached = self.cached_up_to(entry.position);
            let cost = self.prices.cost(cached, total - saved);
            Cut { position: entry.position, results, saved, carried, extra: cost - as_it_is, cached, cost }
        })
    }

    fn cached(&self, prefix: f64) -> f64 {
        if self.is_warm { self.prices.in_blocks(prefix) } else { 0.0 }
    }
}
