//! Computes what a conversation's requests cost, as sent and with unmodified history, corrected by the provider's usage reports. Reports
//! correct only the bill: a late, repeated or wrong report changes no request. The caller numbers the requests that it sends; a report names
//! the number, or is assigned by its length. An *index* is a request's place in the [`Fold`] of the current conversation.

use std::collections::VecDeque;

use crate::cache::fold::Fold;
use crate::cache::prices::Prices;
use crate::cache::prompt::{Compared, PromptTokens};
use crate::cache::request_tokens::{CountRatio, RequestReport, RequestTokens};

/// Maximum number of requests by which a report may be late.
const REPORTS_AWAITED: usize = 16;
/// A prefix counts as read from this share on: providers read whole entries or blocks, and 90 % of our estimates are off by less.
const SHARE_OF_A_READ_PREFIX: f64 = 0.9;
/// A short prefix, whose estimate may be further off, counts as read if at most this many tokens are missing.
const MISSING_OF_A_READ_PREFIX: f64 = 512.0;
/// A report is assigned to the second newest request if its prompt length is this many times closer to that one's.
const CLEARLY_NEARER: f64 = 3.0;
/// A report whose prompt length is off by less than this share belongs to the newest request: a removal makes estimates this inexact.
const NEAR_ENOUGH: f64 = 0.03;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Costs {
    pub requests: f64,
    pub cost: Compared,
    /// How much more the requests without a report would have cost without a cache.
    pub unsure: Compared,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct RequestState {
    /// True if it was registered, or sent by another process before this object loaded the conversation.
    is_sent: bool,
    /// `None` unless it was registered.
    number: Option<f64>,
    report: Option<RequestReport>,
    /// Its tokens if it follows an interrupted request, whose prompt is also cached.
    continuing: Option<RequestTokens>,
}

/// A sent request that is not part of the current conversation: for a title, sent again, or before a rewind.
#[derive(Debug, Clone, Copy, PartialEq)]
struct OtherRequest {
    tokens: RequestTokens,
    former_index: Option<usize>,
    state: RequestState,
}

/// Reports of one conversation, and the cost of its requests outside the fold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bill {
    /// The number and tokens of each request that may still be reported.
    awaited: VecDeque<(f64, RequestTokens)>,
    /// For each request of the fold.
    states: Vec<RequestState>,
    others: Vec<OtherRequest>,
    /// True after the fold restarted: it may then derive requests that were never sent.
    is_restarted: bool,
    summaries_cost: f64,
}

impl Bill {
    /// Adds the fold's new requests as sent; after a restart, only those that were sent before count as sent.
    pub fn add_requests(&mut self, requests: &[RequestTokens]) {
        for (index, tokens) in requests.iter().enumerate().skip(self.states.len()) {
            let is_same = |other: &OtherRequest| other.former_index == Some(index) && other.tokens == *tokens;
            let sent_before = self.others.iter().position(is_same).map(|position| self.others.remove(position).state);
            let new = RequestState { is_sent: !self.is_restarted, ..RequestState::default() };
            self.states.push(sent_before.unwrap_or(new));
        }
        self.is_restarted = false;
    }

    /// Like [`Bill::register`], for request `index`. It may continue an interrupted request: one that had this index before, and whose prompt
    /// is a prefix of this one.
    pub fn register_next(&mut self, number: f64, index: usize, fold: &Fold, prices: &Prices) {
        let Some(&tokens) = fold.requests().get(index) else { return };
        let interrupted = self.others.iter().rev().find(|other| other.former_index == Some(index));
        let continuing = interrupted.and_then(|other| tokens.continuing(&other.tokens, fold.prompt(), prices));
        self.register(number, Some(index), tokens);
        if let Some(state) = self.states.get_mut(index).filter(|state| state.number == Some(number)) {
            state.continuing = continuing;
        }
    }

    /// Registers a sent request; its report will name `number`. `index` is `None` for a side request such as a title.
    pub fn register(&mut self, number: f64, index: Option<usize>, tokens: RequestTokens) {
        let in_fold = index.and_then(|index| self.states.get_mut(index));
        let state = RequestState { is_sent: true, number: Some(number), ..RequestState::default() };
        match in_fold.filter(|state| state.number.is_none()) {
            Some(unregistered) => *unregistered = state,
            None => self.others.push(OtherRequest { tokens, former_index: None, state }),
        }
        self.awaited.push_back((number, tokens));
        if self.awaited.len() > REPORTS_AWAITED {
            self.awaited.pop_front();
        }
    }

    /// The conversation continues from its first `kept` requests; later requests that were sent stay on the bill.
    pub fn rewind(&mut self, kept: usize, requests: &[RequestTokens]) {
        self.add_requests(requests);
        let undone = self.states.split_off(kept.min(self.states.len()));
        for (index, (state, &tokens)) in (kept..).zip(undone.into_iter().zip(requests.iter().skip(kept))) {
            if state.is_sent {
                self.others.push(OtherRequest { tokens, former_index: Some(index), state });
            }
        }
        self.is_restarted = !requests.is_empty();
    }

    pub fn add_summary(&mut self, cost: f64) {
        self.summaries_cost += cost;
    }

    /// Assigns the report to request `number`, or else to the request of matching length. False if it matches none.
    pub fn report(&mut self, number: Option<f64>, report: RequestReport, ratio: CountRatio) -> bool {
        let position = match number {
            Some(number) => self.awaited.iter().position(|(awaited, _)| awaited.to_bits() == number.to_bits()),
            None => self.position_by_length(report.prompt_tokens, ratio),
        };
        let is_believable = |&position: &usize| {
            self.awaited.get(position).is_some_and(|(_, tokens)| ratio.is_believable(tokens, report))
        };
        let position = position.filter(is_believable);
        let Some((awaited, _)) = position.and_then(|position| self.awaited.remove(position)) else { return false };
        let others = self.others.iter_mut().map(|other| &mut other.state);
        let mut states = self.states.iter_mut().rev().chain(others);
        if let Some(state) = states.find(|state| state.number == Some(awaited)) {
            state.report = Some(report);
        }
        true
    }

    /// Position in `awaited` of the newest request, unless the report fits the one before it clearly better.
    fn position_by_length(&self, prompt_tokens: f64, ratio: CountRatio) -> Option<usize> {
        let difference = |tokens: &RequestTokens| (ratio.provider_total(tokens.total.sent) - prompt_tokens).abs();
        let mut newest_first = self.awaited.iter().map(|(_, tokens)| difference(tokens)).rev();
        let of_newest = newest_first.next()?;
        let is_late = of_newest > NEAR_ENOUGH * prompt_tokens
            && newest_first.next().is_some_and(|of_second| CLEARLY_NEARER * of_second < of_newest);
        self.awaited.len().checked_sub(if is_late { 2 } else { 1 })
    }

    /// Sums over the fold's requests from index `first` on, and all others. O(requests).
    pub fn costs(&mut self, fold: &Fold, first: usize, prices: &Prices) -> Costs {
        self.add_requests(fold.requests());
        let in_fold = (0..).zip(fold.requests()).zip(&self.states);
        let in_fold = in_fold.map(|((index, tokens), state)| (index >= first && state.is_sent, tokens, state));
        let others = self.others.iter().map(|other| (true, &other.tokens, &other.state));
        let mut sum = Costs { cost: Compared::both(self.summaries_cost), ..Costs::default() };
        let mut ratio = CountRatio::default();
        for (is_billed, tokens, state) in in_fold.chain(others) {
            if let Some(report) = state.report {
                ratio.learn(tokens.total.sent, report.prompt_tokens);
            }
            if is_billed {
                let tokens = state.continuing.as_ref().unwrap_or(tokens);
                match state.report {
                    Some(report) => sum.add(reported_cost(tokens, report, ratio, fold.prompt(), prices)),
                    None => sum.add_estimate(tokens, ratio, prices),
                }
            }
        }
        sum
    }

    /// The ratio of the provider's count to ours, learned from the reports of the fold's `requests`.
    pub fn count_ratio(&self, requests: &[RequestTokens]) -> CountRatio {
        let mut ratio = CountRatio::default();
        for (tokens, state) in requests.iter().zip(&self.states) {
            if let Some(report) = state.report {
                ratio.learn(tokens.total.sent, report.prompt_tokens);
            }
        }
        ratio
    }
}

impl Costs {
    fn add(&mut self, cost: Compared) {
        self.requests += 1.0;
        self.cost = self.cost.plus(cost);
    }

    fn add_estimate(&mut self, request: &RequestTokens, ratio: CountRatio, prices: &Prices) {
        let cached = request.cached.map(|tokens| ratio.provider_prefix(tokens));
        let total = request.total.map(|tokens| ratio.provider_total(tokens));
        self.add(cached.zip(total, |cached, total| prices.cost(cached, total)));
        self.unsure = self.unsure.plus(cached.map(|tokens| prices.premium() * tokens));
    }
}

/// The request's cost by its report. If the provider read all of a warm prefix, it would have read all of the unmodified history's, too.
/// Otherwise it would have read the unmodified history up to the same message: an evicted cache affects both prompts.
fn reported_cost(
    request: &RequestTokens,
    RequestReport { prompt_tokens: total, cached_tokens: read }: RequestReport,
    ratio: CountRatio,
    prompt: &PromptTokens,
    prices: &Prices,
) -> Compared {
    let unmodified = total + ratio.per_token * (request.total.unmodified - request.total.sent);
    let readable = request.readable.map(|tokens| ratio.provider_prefix(tokens));
    let cacheable = prices.cacheable_tokens(readable.sent);
    let least_if_all_read = (SHARE_OF_A_READ_PREFIX * cacheable).min(cacheable - MISSING_OF_A_READ_PREFIX);
    let is_all_read = read >= least_if_all_read - prices.block_tokens;
    let is_cut_short = cacheable <= MISSING_OF_A_READ_PREFIX && readable.unmodified > readable.sent;
    let extra_read = if cacheable <= 0.0 || is_cut_short {
        // A removal of ours comes before nearly everything readable, so the report does not show what was evicted.
        ratio.provider_prefix(request.cached.unmodified) - read
    } else if is_all_read {
        readable.unmodified - readable.sent.max(read)
    } else {
        let read_prefix = prompt.up_to(prompt.position_at(ratio.our_prefix(read)));
        (ratio.per_token * (read_prefix.unmodified - read_prefix.sent)).min(readable.unmodified - read)
    };
    // Equal prompts have equal reads, whatever the price list says of blocks and minimums.
    let read_unmodified =
        if extra_read > 0.0 { prices.cacheable_tokens((read + extra_read).min(unmodified)).max(read) } else { read };
    Compared { sent: prices.cost(read, total), unmodified: prices.cost(read_unmodified, unmodified) }
}

#[cfg(test)]
mod tests;
