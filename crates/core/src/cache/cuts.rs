//! Decides what it costs now, and saves with each further request, to replace all pending results from a position on. The cache loses
//! everything behind the first change, so the later ones cost nothing more.

use crate::cache::guarantee::surely_cached;
use crate::cache::pending::Pending;
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;

/// The request that is planned.
#[derive(Debug, Clone, Copy)]
pub struct NextRequest<'a> {
    pub prices: Prices,
    pub prompt: &'a PromptTokens,
    /// Messages at the start that are stored as in the last request.
    pub unchanged: usize,
    /// Messages at the start that are also sent as in the last request.
    pub unchanged_as_sent: usize,
    /// Lengths in messages, ascending, of the prefixes that the last request marked and the provider reads. `None`: it reads any.
    /// that reads any prefix.
    pub entries: Option<&'a [usize]>,
    /// Prefixes that would be marked with the history left alone: the system prompt and the end.
    pub entries_left_alone: [usize; 2],
    /// Whether the last request is in the cache, as far as anybody can tell.
    pub is_warm: bool,
    /// For the promise a cache is warm unless its lifetime is known to have passed.
    pub is_warm_for_promise: bool,
    /// Earlier requests.
    pub number: f64,
}

/// A change of the prompt: all pending results from `position` on are replaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    pub position: usize,
    /// The cut begins with a result that isn't outdated, and takes something from the cache, so it isn't made.
    pub rides: bool,
    pub results: usize,
    pub saved: f64,
    /// Tokens of `saved` that are outdated; riding ones don't bring a cut about.
    pub due_saved: f64,
    /// The cost of the saved tokens since they became outdated.
    pub carried: f64,
    /// The cost of this request beyond that without the cut; negative where the cut saves at once.
    pub extra: f64,
    /// `extra` if riding results stayed.
    pub due_extra: f64,
    /// Tokens that still come from the cache.
    pub cached: f64,
    /// The cost of this request with the cut.
    pub cost: f64,
    /// `cost` as the promise counts it.
    pub promised_cost: f64,
}

impl Cut {
    /// What each further request with a warm cache saves.
    #[must_use]
    pub fn gain(&self, prices: &Prices) -> f64 {
        prices.read * self.due_saved
    }
}

impl<'a> NextRequest<'a> {
    /// Tokens from the cache if `position` is the first message that changes.
    #[must_use]
    pub fn cached_up_to(&self, position: usize) -> f64 {
        if self.is_warm { self.prices.in_blocks(self.readable_up_to(position)) } else { 0.0 }
    }

    /// Tokens from the cache with the history left alone.
    #[must_use]
    pub fn cached_if_left_alone(&self) -> f64 {
        if self.is_warm { self.prices.in_blocks(self.readable_if_left_alone()) } else { 0.0 }
    }

    /// The longest prefix ahead of `position` that a warm cache can have, in tokens.
    #[must_use]
    pub fn readable_up_to(&self, position: usize) -> f64 {
        let unchanged = position.min(self.unchanged_as_sent);
        let Some(entries) = self.entries else { return self.prompt.up_to(unchanged).sent };
        let entry = entries.iter().rev().find(|&&entry| entry <= unchanged);
        entry.map_or(0.0, |&entry| self.prompt.up_to(entry).sent)
    }

    /// The longest such prefix of the stored messages.
    #[must_use]
    pub fn readable_if_left_alone(&self) -> f64 {
        if self.entries.is_none() {
            return self.prompt.up_to(self.unchanged).stored;
        }
        let entry = self.entries_left_alone.iter().rev().find(|&&entry| entry <= self.unchanged);
        entry.map_or(0.0, |&entry| self.prompt.up_to(entry).stored)
    }

    /// This request's cost left alone, as the promise counts it: entries older than the last request's may live, too.
    #[must_use]
    pub fn promised_left_alone(&self) -> f64 {
        let readable = self.prompt.up_to(self.unchanged).stored;
        let total = self.prompt.total().stored;
        self.prices.cost(if self.is_warm_for_promise { readable } else { self.kept_by_others(total) }, total)
    }

    /// This request's cost without a further change, as the promise counts it.
    #[must_use]
    pub fn promised_as_it_is(&self) -> f64 {
        if self.prompt.has_replaced_before(usize::MAX) {
            return self.promised(self.prompt.up_to(self.unchanged_as_sent).sent, self.prompt.total().sent);
        }
        self.promised_left_alone()
    }

    fn promised(&self, readable: f64, total: f64) -> f64 {
        let cached = if self.is_warm_for_promise {
            surely_cached(&self.prices, readable)
        } else {
            self.kept_by_others(total)
        };
        self.prices.cost(cached, total)
    }

    /// Other conversations may keep the system prompt cached. Both prompts begin with it; counting it makes the promise stricter, since
    /// the less both cost, the less they may differ.
    fn kept_by_others(&self, total: f64) -> f64 {
        self.prompt.up_to(self.entries_left_alone[0]).stored.min(total)
    }

    /// All cuts, the shortest first. O(1) for each, and O(entries) with marks.
    pub fn cuts(self, pending: &'a [Pending]) -> impl Iterator<Item = Cut> + Clone + 'a {
        let total = self.prompt.total().sent;
        let cached_as_it_is = self.cached_up_to(usize::MAX);
        let as_it_is = self.prices.cost(cached_as_it_is, total);
        let (mut saved, mut due_saved, mut carried, mut results) = (0.0, 0.0, 0.0, 0);
        pending.iter().rev().map(move |entry| {
            let tokens = self.prompt.sent_at(entry.position).unwrap_or_default() - entry.tokens_after;
            saved += tokens;
            if !entry.rides {
                carried += self.prices.read * tokens * (self.number - entry.since_request);
            }
            results += 1;
            let cached = self.cached_up_to(entry.position);
            let rides = entry.rides && cached < cached_as_it_is;
            due_saved += if rides { 0.0 } else { tokens };
            let cost = self.prices.cost(cached, total - saved);
            let due_extra = self.prices.cost(cached, total - due_saved) - as_it_is;
            let promised_cost = self.promised(self.readable_up_to(entry.position), total - saved);
            let extra = cost - as_it_is;
            let position = entry.position;
            Cut {
                position,
                rides,
                results,
                saved,
                due_saved,
                carried,
                extra,
                due_extra,
                cached,
                cost,
                promised_cost,
            }
        })
    }
}
