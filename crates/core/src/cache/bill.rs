//! Decides what a conversation's requests cost, as sent and with unmodified history, corrected by the provider's reports. Reports
//! correct only the bill: a late, repeated or wrong report changes no request.

use std::collections::VecDeque;

pub use crate::cache::count_ratio::{CountRatio, RequestReport};
use crate::cache::fold::Fold;
use crate::cache::guarantee::ComparedCosts;
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;
use crate::cache::request_cost::RequestCost;

/// Maximum number of requests by which a report may be late.
const REPORTS_AWAITED: usize = 16;
/// A prefix counts as read from this share on: providers read whole entries or blocks, and 90 % of our estimates are off by less.
const SHARE_OF_A_READ_PREFIX: f64 = 0.9;
/// A short prefix, whose estimate may be further off, counts as read if at most this many tokens are missing.
const TOKENS_OF_A_READ_PREFIX: f64 = 512.0;
/// A report is assigned to the second newest request if its prompt is this many times closer to it.
const CLEARLY_NEARER: f64 = 3.0;
/// A report that is off by less than this share belongs to the newest request: a removal makes estimates this inexact.
const NEAR_ENOUGH: f64 = 0.03;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Costs {
    pub requests: f64,
    pub cost: ComparedCosts,
    /// Requests without a report: their extra cost without a cache.
    pub unsure: ComparedCosts,
}

/// A request that may still be reported; `index` among the fold's requests, `None` if it is not part of the current conversation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct AwaitedReport {
    number: f64,
    index: Option<usize>,
    cost: RequestCost,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct RequestState {
    /// True if this object sent it, or another process before this object loaded the conversation.
    is_sent: bool,
    /// Its number, if this object sent it.
    number: Option<f64>,
    report: Option<RequestReport>,
    /// Its cost after an interrupted request, whose prompt is in the cache, too.
    continuing: Option<RequestCost>,
}

/// A sent request that is not part of the current conversation; `index`: its former index among the fold's requests.
#[derive(Debug, Clone, Copy, PartialEq)]
struct OtherRequest {
    cost: RequestCost,
    index: Option<usize>,
    state: RequestState,
}

/// Reports of one conversation, and the cost of its requests outside the fold: titles, and requests before a rewind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bill {
    awaited: VecDeque<AwaitedReport>,
    /// For each request of the fold.
    states: Vec<RequestState>,
    others: Vec<OtherRequest>,
    /// True after the fold restarted: it may then derive requests that were never sent.
    is_restarted: bool,
    summaries_cost: f64,
}

impl Bill {
    /// Adds the fold's new requests as sent; after a restart, only those that were sent before count as sent.
    pub fn add_requests(&mut self, requests: &[RequestCost]) {
        for (index, cost) in requests.iter().enumerate().skip(self.states.len()) {
            let was_sent = |other: &OtherRequest| other.index == Some(index) && other.cost == *cost;
            let known = self.others.iter().position(was_sent).map(|at| self.others.remove(at).state);
            let state =
                known.unwrap_or(RequestState { is_sent: !self.is_restarted, ..RequestState::default() });
            for awaited in self.awaited.iter_mut().filter(|awaited| state.number == Some(awaited.number)) {
                awaited.index = Some(index);
            }
            self.states.push(state);
        }
        self.is_restarted = false;
    }

    /// Like [`Bill::register`], for request `index` of the fold. It may continue an interrupted request, which had this index before and
    /// whose prompt it begins with.
    pub fn register_next(&mut self, number: f64, index: usize, fold: &Fold, prices: &Prices) {
        let Some(&cost) = fold.requests().get(index) else { return };
        let interrupted = self.others.iter().rev().find(|other| other.index == Some(index));
        let continuing = interrupted.and_then(|other| cost.continuing(&other.cost, fold.prompt(), prices));
        self.register(number, Some(index), cost);
        if let Some(state) = self.states.get_mut(index).filter(|state| state.number == Some(number)) {
            state.continuing = continuing;
        }
    }

    /// Registers a sent request; its report will name `number`. `index`: its index in the fold, `None` for a title.
    pub fn register(&mut self, number: f64, index: Option<usize>, cost: RequestCost) {
        let own = index.and_then(|index| self.states.get_mut(index)).filter(|own| own.number.is_none());
        let index = index.filter(|_| own.is_some());
        let state = RequestState { is_sent: true, number: Some(number), ..RequestState::default() };
        match own {
            Some(own) => *own = state,
            None => self.others.push(OtherRequest { cost, index: None, state }),
        }
        self.awaited.push_back(AwaitedReport { number, index, cost });
        if self.awaited.len() > REPORTS_AWAITED {
            self.awaited.pop_front();
        }
    }

    /// The conversation continues from its first `kept` requests; later requests that were sent stay on the bill.
    pub fn rewind(&mut self, kept: usize, requests: &[RequestCost]) {
        self.add_requests(requests);
        let undone = self.states.split_off(kept.min(self.states.len()));
        for (index, (state, cost)) in (kept..).zip(undone.into_iter().zip(requests.iter().skip(kept))) {
            if state.is_sent {
                self.others.push(OtherRequest { cost: *cost, index: Some(index), state });
            }
        }
        for awaited in self.awaited.iter_mut().filter(|awaited| awaited.index.is_some_and(|at| at >= kept)) {
            awaited.index = None;
        }
        self.is_restarted = !requests.is_empty();
    }

    pub fn add_summary(&mut self, cost: f64) {
        self.summaries_cost += cost;
    }

    /// Assigns the report to request `number`, or else to the request of matching length. False if it matches none.
    pub fn report(&mut self, number: Option<f64>, report: RequestReport, count: CountRatio) -> bool {
        let at = match number {
            Some(wanted) => self.awaited.iter().position(|open| open.number.to_bits() == wanted.to_bits()),
            None => self.nearest(report.prompt_tokens, count),
        };
        let Some((at, awaited)) = at.and_then(|at| Some((at, *self.awaited.get(at)?))) else { return false };
        if !count.is_believable(&awaited.cost, report) {
            return false;
        }
        self.awaited.remove(at);
        let is_it = |state: &RequestState| state.number == Some(awaited.number);
        let own = awaited.index.and_then(|at| self.states.get_mut(at)).filter(|state| is_it(state));
        let other = self.others.iter_mut().map(|other| &mut other.state).find(|state| is_it(state));
        if let Some(state) = own.or(other) {
            state.report = Some(report);
        }
        true
    }

    /// The newest request, unless the report fits the one before it clearly better.
    fn nearest(&self, total: f64, count: CountRatio) -> Option<usize> {
        let newest = self.awaited.len().checked_sub(1)?;
        let off = |at: usize| self.awaited.get(at).map(|open| (count.total(open.cost.sent) - total).abs());
        let (Some(off_newest), Some(before)) = (off(newest), newest.checked_sub(1)) else {
            return Some(newest);
        };
        let is_late = off_newest > NEAR_ENOUGH * total
            && off(before).is_some_and(|off_before| CLEARLY_NEARER * off_before < off_newest);
        Some(if is_late { before } else { newest })
    }

    /// Sums over the fold's requests from index `first` on, and all others. O(requests).
    pub fn costs(&mut self, fold: &Fold, first: usize, prices: &Prices) -> Costs {
        self.add_requests(fold.requests());
        let in_fold = fold.requests().iter().zip(&self.states).enumerate();
        let in_fold = in_fold.map(|(at, (cost, state))| (at >= first && state.is_sent, cost, state));
        let others = self.others.iter().map(|other| (true, &other.cost, &other.state));
        let summaries = ComparedCosts { actual: self.summaries_cost, unmodified: self.summaries_cost };
        let mut sum = Costs { cost: summaries, ..Costs::default() };
        let mut count = CountRatio::default();
        for (is_billed, cost, state) in in_fold.chain(others) {
            if let Some(report) = state.report {
                count.learn(cost.sent, report.prompt_tokens);
            }
            if is_billed {
                let cost = state.continuing.as_ref().unwrap_or(cost);
                match state.report {
                    Some(report) => sum.add(corrected(cost, report, count, fold.prompt(), prices)),
                    None => sum.add_estimate(cost, count, prices),
                }
            }
        }
        sum
    }

    /// The ratio of the provider's count to ours, learned from all reports.
    pub fn count(&self, requests: &[RequestCost]) -> CountRatio {
        let mut count = CountRatio::default();
        for (cost, state) in requests.iter().zip(&self.states) {
            if let Some(report) = state.report {
                count.learn(cost.sent, report.prompt_tokens);
            }
        }
        count
    }
}

impl Costs {
    fn add(&mut self, cost: ComparedCosts) {
        self.requests += 1.0;
        self.cost = self.cost.with(cost);
    }

    fn add_estimate(&mut self, request: &RequestCost, count: CountRatio, prices: &Prices) {
        let (cached, cached_unmodified) =
            (count.prefix(request.cached), count.prefix(request.cached_unmodified));
        self.add(ComparedCosts {
            actual: prices.cost(cached, count.total(request.sent)),
            unmodified: prices.cost(cached_unmodified, count.total(request.stored)),
        });
        let premium = prices.premium();
        self.unsure = self
            .unsure
            .with(ComparedCosts { actual: premium * cached, unmodified: premium * cached_unmodified });
    }
}

/// The request's cost by its report. If the provider read all of a warm prefix, the unmodified history's would have been read, too.
/// Otherwise both are read up to the same message: an evicted cache affects both, our own removal only the sent prompt.
fn corrected(
    request: &RequestCost,
    RequestReport { prompt_tokens: total, cached_tokens: read }: RequestReport,
    count: CountRatio,
    prompt: &PromptTokens,
    prices: &Prices,
) -> ComparedCosts {
    let stored = total + count.per_token * (request.stored - request.sent);
    let (warm, warm_unmodified) = (count.prefix(request.readable), count.prefix(request.readable_unmodified));
    let readable = prices.in_blocks(warm);
    let least = (SHARE_OF_A_READ_PREFIX * readable).min(readable - TOKENS_OF_A_READ_PREFIX);
    let is_whole = read >= least - prices.block_tokens;
    let more = if readable <= 0.0 {
        // Our own removal comes before everything readable, so the report does not show what was evicted.
        count.prefix(request.cached_unmodified) - read
    } else if is_whole {
        warm_unmodified - warm.max(read)
    } else {
        let up_to = prompt.up_to(prompt.reached_by(count.ours(read)));
        (count.per_token * (up_to.stored - up_to.sent)).min(warm_unmodified - read)
    };
    // Equal prompts have equal reads, whatever the price list says of blocks and minimums.
    let read_unmodified =
        if more > 0.0 { prices.in_blocks((read + more).min(stored)).max(read) } else { read };
    ComparedCosts { actual: prices.cost(read, total), unmodified: prices.cost(read_unmodified, stored) }
}

#[cfg(test)]
#[path = "bill_tests.rs"]
mod tests;
