//! Decides what each possible removal costs with one request. Removing one result breaks the cache from there on, so removing all
//! pending results after it costs nothing more: the alternatives are the suffixes of the pending results.

use crate::cache::guarantee::cached_at_least;
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;

/// An outdated result that is still sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    /// The application's row number of the result.
    pub row: u32,
    /// Index of the message that holds it.
    pub position: usize,
    /// Tokens that its placeholder saves.
    pub saved: f64,
}

/// Inputs of one request's cost.
#[derive(Debug, Clone, Copy)]
pub struct CutInputs<'a> {
    pub prices: Prices,
    pub prompt: &'a PromptTokens,
    /// Message count of the previous request.
    pub unchanged: usize,
    /// Prefixes with a breakpoint in the previous request, as message counts, ascending. `None`: the provider reads any prefix.
    pub entries: Option<&'a [usize]>,
    /// Message count of the system prompt.
    pub system: usize,
    /// True if the previous request had a breakpoint at its end.
    pub has_breakpoint_at_end: bool,
    pub is_warm: bool,
}

/// Removal of all pending results from index `first` on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    pub first: usize,
    pub position: usize,
    pub saved: f64,
    /// Tokens that are still read from the cache.
    pub cached: f64,
    /// Cost of this request with the cut.
    pub cost: f64,
    /// `cost` as the promise counts it.
    pub promised_cost: f64,
}

impl<'a> CutInputs<'a> {
    /// Tokens read from the cache if `position` is the first changed message.
    pub fn cached_up_to(&self, position: usize) -> f64 {
        if self.is_warm { self.prices.in_blocks(self.readable_up_to(position)) } else { 0.0 }
    }

    /// Tokens read from the cache with unmodified history.
    pub fn cached_if_unmodified(&self) -> f64 {
        if self.is_warm { self.prices.in_blocks(self.readable_if_unmodified()) } else { 0.0 }
    }

    /// Tokens of the longest prefix before `position` that a warm cache holds.
    pub fn readable_up_to(&self, position: usize) -> f64 {
        let unchanged = position.min(self.unchanged);
        let Some(entries) = self.entries else { return self.prompt.up_to(unchanged).sent };
        let entry = entries.iter().rev().find(|&&entry| entry <= unchanged);
        entry.map_or(0.0, |&entry| self.prompt.up_to(entry).sent)
    }

    /// The same for unmodified history, which has breakpoints at its end and after the system prompt.
    pub fn readable_if_unmodified(&self) -> f64 {
        let is_any_read = self.entries.is_none() || self.has_breakpoint_at_end;
        let len = if is_any_read { self.unchanged } else { self.system.min(self.unchanged) };
        self.prompt.up_to(len).stored
    }

    /// Cost with unmodified history, as the promise counts it: the previous prompt is fully cached, with or without breakpoint.
    pub fn promised_if_unmodified(&self) -> f64 {
        let total = self.prompt.total().stored;
        let cached = if self.is_warm {
            self.prompt.up_to(self.unchanged).stored
        } else {
            self.cached_by_others(total)
        };
        self.prices.cost(cached, total)
    }

    /// Cost of this request without a further removal, as the promise counts it.
    pub fn promised_without_cut(&self) -> f64 {
        if self.prompt.has_replaced_before(usize::MAX) {
            return self.promised(self.prompt.up_to(self.unchanged).sent, self.prompt.total().sent);
        }
        self.promised_if_unmodified()
    }

    fn promised(&self, readable: f64, total: f64) -> f64 {
        let cached =
            if self.is_warm { cached_at_least(&self.prices, readable) } else { self.cached_by_others(total) };
        self.prices.cost(cached, total)
    }

    /// Other conversations may keep the system prompt cached. Both prompts begin with it. Counting it makes the promise stricter: the less
    /// both cost, the less they may differ.
    fn cached_by_others(&self, total: f64) -> f64 {
        self.prompt.up_to(self.system).stored.min(total)
    }

    /// Cost of this request without a further removal.
    pub fn cost_without_cut(&self) -> f64 {
        self.prices.cost(self.cached_up_to(usize::MAX), self.prompt.total().sent)
    }

    /// All cuts, shortest suffix first. O(1) each, O(entries) with breakpoints.
    pub fn cuts(self, pending: &'a [Pending]) -> impl Iterator<Item = Cut> + 'a {
        let total = self.prompt.total().sent;
        let mut saved = 0.0;
        pending.iter().enumerate().rev().map(move |(first, entry)| {
            saved += entry.saved;
            let position = entry.position;
            let cached = self.cached_up_to(position);
            Cut {
                first,
                position,
                saved,
                cached,
                cost: self.prices.cost(cached, total - saved),
                promised_cost: self.promised(self.readable_up_to(position), total - saved),
            }
        })
    }
}
