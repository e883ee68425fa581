//! Computes what each possible removal costs with one request. Removing one result breaks the cache from there on, so removing all
//! pending results after it costs nothing more: the possible *cuts* are the suffixes of the pending results. Each cost has two forms: a
//! best estimate, and a cautious one for the promise of [`guarantee`](crate::cache::guarantee).

use crate::cache::guarantee::cached_at_least;
use crate::cache::prices::Prices;
use crate::cache::prompt::{Compared, PromptTokens};

/// An outdated result that is still sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    /// The application's row number of the result.
    pub row: u32,
    /// Index of the message that holds it.
    pub position: usize,
    pub saved: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct CutInputs<'a> {
    pub prices: Prices,
    pub prompt: &'a PromptTokens,
    pub previous_len: usize,
    /// Prefixes with a breakpoint in the previous request, as message counts, ascending. `None`: the provider reads any prefix.
    pub cached_prefixes: Option<&'a [usize]>,
    pub system_len: usize,
    pub is_warm: bool,
}

/// Removal of all pending results from one on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// Index of the first removed result among the pending ones.
    pub first: usize,
    pub position: usize,
    pub saved: f64,
    pub cost: f64,
    /// `cost` as the promise counts it.
    pub promised_cost: f64,
}

impl Cut {
    /// What the cut saves by the cheaper reads of the next `requests`, less what it costs with this one.
    pub fn gain(&self, requests: f64, read_price: f64, cost_without_cut: f64) -> f64 {
        requests * read_price * self.saved - (self.cost - cost_without_cut)
    }
}

impl<'a> CutInputs<'a> {
    /// Best estimate of the tokens read from the cache if a warm one holds a prefix of `readable` tokens.
    pub fn cached(&self, readable: f64) -> f64 {
        if self.is_warm { self.prices.cacheable_tokens(readable) } else { 0.0 }
    }

    /// Tokens that a warm cache holds: as sent with `position` as the first changed message, and with unmodified history. The latter are the
    /// previous prompt, or the system prompt if the previous one had no breakpoint at its end.
    pub fn readable(&self, position: usize) -> Compared {
        let is_previous_read = self.cached_prefixes.is_none_or(|prefixes| prefixes.contains(&self.previous_len));
        let len = if is_previous_read { self.previous_len } else { self.system_len.min(self.previous_len) };
        Compared { sent: self.readable_up_to(position), unmodified: self.prompt.up_to(len).unmodified }
    }

    /// Tokens of the longest prefix before `position` that a warm cache holds.
    fn readable_up_to(&self, position: usize) -> f64 {
        let unchanged = position.min(self.previous_len);
        let Some(prefixes) = self.cached_prefixes else { return self.prompt.up_to(unchanged).sent };
        let longest = prefixes.iter().rev().find(|&&len| len <= unchanged);
        longest.map_or(0.0, |&len| self.prompt.up_to(len).sent)
    }

    pub fn compared_promised(&self, cut: &Cut) -> Compared {
        Compared { sent: cut.promised_cost, unmodified: self.promised_if_unmodified() }
    }

    /// Cost with unmodified history, as the promise counts it: the previous prompt is fully cached, with or without breakpoint.
    fn promised_if_unmodified(&self) -> f64 {
        let (total, previous) = (self.prompt.total().unmodified, self.prompt.up_to(self.previous_len).unmodified);
        self.prices.cost(if self.is_warm { previous } else { self.cached_by_others(total) }, total)
    }

    pub fn promised_without_cut(&self) -> f64 {
        if self.prompt.has_replaced_before(usize::MAX) {
            return self.promised_cost(self.prompt.up_to(self.previous_len).sent, self.prompt.total().sent);
        }
        self.promised_if_unmodified()
    }

    /// Cost of a prompt of `total` tokens with replaced results, as the promise counts it.
    fn promised_cost(&self, readable: f64, total: f64) -> f64 {
        let cached = if self.is_warm { cached_at_least(&self.prices, readable) } else { self.cached_by_others(total) };
        self.prices.cost(cached, total)
    }

    /// Tokens of the system prompt, which other conversations may keep cached. The sent and the unmodified prompt both begin with it.
    /// Counting it makes the promise stricter: the less both cost, the less they may differ.
    fn cached_by_others(&self, total: f64) -> f64 {
        self.prompt.up_to(self.system_len).unmodified.min(total)
    }

    pub fn cost_without_cut(&self) -> f64 {
        self.prices.cost(self.cached(self.readable_up_to(usize::MAX)), self.prompt.total().sent)
    }

    /// All cuts, shortest suffix first. O(1) each, O(breakpoints) if the provider reads only prefixes with a breakpoint.
    pub fn cuts(self, pending: &'a [Pending]) -> impl Iterator<Item = Cut> + 'a {
        let total = self.prompt.total().sent;
        let mut saved = 0.0;
        pending.iter().enumerate().rev().map(move |(first, &Pending { position, saved: also_saved, .. })| {
            saved += also_saved;
            let readable = self.readable_up_to(position);
            let cost = self.prices.cost(self.cached(readable), total - saved);
            let promised_cost = self.promised_cost(readable, total - saved);
            Cut { first, position, saved, cost, promised_cost }
        })
    }

    /// A request without a further removal, as the cut that removes none of `pending_count` results.
    pub fn no_cut(&self, pending_count: usize) -> Cut {
        let (cost, promised_cost) = (self.cost_without_cut(), self.promised_without_cut());
        Cut { first: pending_count, position: usize::MAX, saved: 0.0, cost, promised_cost }
    }
}
