//! A conversation's requests and side requests as they were billed, and as they would have been left alone. Reports correct the bill
//! and nothing else, so a late, doubled or wrong one changes no request.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::cache::guarantee::ComparedCosts;
use crate::cache::prices::Prices;
use crate::cache::prompt::PromptTokens;

/// Reports may come this many requests late.
const REPORTS_AWAITED: usize = 16;
/// From this share on a prefix counts as read: providers read whole entries or blocks, and nine weights of ten are off by less.
const SHARE_OF_A_READ_PREFIX: f64 = 0.9;
/// A short prefix, whose weight may be off by more, counts as read with all but so many tokens.
const TOKENS_OF_A_READ_PREFIX: f64 = 512.0;
/// The provider's count is compared with ours only over this many tokens.
const TOKENS_TO_COMPARE: f64 = 2_000.0;
/// They must also be this share of the prompt: over less, the error of the weights would be all there is to see.
const SHARE_TO_COMPARE: f64 = 0.25;
/// A ratio outside of these bounds comes from a system prompt or tools that we were not told of.
const OTHER_COUNT: (f64, f64) = (0.7, 1.4);
/// A report goes to the request before the newest when its prompt is so many times nearer to it.
const CLEARLY_NEARER: f64 = 3.0;
/// A report that is off by less than this share stays with the newest request: a change makes weights as inexact.
const NEAR_ENOUGH: f64 = 0.03;
/// A prompt that is longer or shorter than expected by this factor is another request's.
const MOST_BEYOND_EXPECTED: f64 = 2.0;

/// Counts are the provider's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestReport {
    pub prompt_tokens: Option<f64>,
    pub cached_tokens: Option<f64>,
}

/// A request as sent and as it would have been left alone, in our tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BilledRequest {
    pub sent: f64,
    pub stored: f64,
    /// The prefix of a warm cache.
    pub readable: f64,
    pub readable_left_alone: f64,
    /// Tokens from the cache, as far as anybody can tell.
    pub cached: f64,
    pub cached_left_alone: f64,
}

/// Converts our counts: the provider has `own` tokens that we don't know, and `per_token` for each of ours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CountRatio {
    own: f64,
    per_token: f64,
    /// The first report, in our tokens and the provider's.
    first: Option<(f64, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cache) struct Open {
    pub(in crate::cache) number: f64,
    asked: BilledRequest,
    cost: ComparedCosts,
    /// What the request would have cost more without a cache.
    unsure: ComparedCosts,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewBill {
    pub requests: f64,
    pub cost: ComparedCosts,
    /// What unreported requests may have cost more.
    pub unsure: ComparedCosts,
    count: CountRatio,
    pub(in crate::cache) open: VecDeque<Open>,
}

impl Default for ViewBill {
    fn default() -> Self {
        Self {
            requests: 0.0,
            cost: ComparedCosts::default(),
            unsure: ComparedCosts::default(),
            count: CountRatio { own: 0.0, per_token: 1.0, first: None },
            open: VecDeque::new(),
        }
    }
}

impl ViewBill {
    /// A copy without open requests.
    #[must_use]
    pub(in crate::cache) fn without_open(&self) -> Self {
        Self { open: VecDeque::new(), ..*self }
    }

    /// False for figures that no requests can lead to.
    pub fn is_possible(&self, is_amount: impl Fn(f64) -> bool) -> bool {
        let accounts = |&ComparedCosts { actual, left_alone }: &ComparedCosts| {
            is_amount(actual) && is_amount(left_alone)
        };
        let CountRatio { own, per_token, first } = self.count;
        let (ours, theirs) = first.unwrap_or_default();
        let is_open_possible = |open: &Open| {
            let BilledRequest { sent, stored, readable, readable_left_alone, cached, cached_left_alone } =
                open.asked;
            [open.number, sent, stored, readable, readable_left_alone, cached, cached_left_alone]
                .into_iter()
                .all(&is_amount)
                && accounts(&open.cost)
                && accounts(&open.unsure)
        };
        [self.requests, own, per_token, ours, theirs].into_iter().all(&is_amount)
            && per_token > 0.0
            && accounts(&self.cost)
            && accounts(&self.unsure)
            && self.open.iter().all(is_open_possible)
    }

    /// Returns the request's number, which its report names.
    pub fn add(&mut self, asked: BilledRequest, prices: &Prices) -> f64 {
        let count = self.count;
        let cached = ComparedCosts { actual: asked.cached, left_alone: asked.cached_left_alone };
        let cached = ComparedCosts {
            actual: count.prefix(cached.actual),
            left_alone: count.prefix(cached.left_alone),
        };
        let cost = ComparedCosts {
            actual: prices.cost(cached.actual, count.total(asked.sent)),
            left_alone: prices.cost(cached.left_alone, count.total(asked.stored)),
        };
        let premium = prices.premium();
        let unsure =
            ComparedCosts { actual: premium * cached.actual, left_alone: premium * cached.left_alone };
        let number = self.requests;
        self.requests += 1.0;
        self.cost = self.cost.with(cost);
        self.unsure = self.unsure.with(unsure);
        self.open.push_back(Open { number, asked, cost, unsure });
        if self.open.len() > REPORTS_AWAITED {
            self.open.pop_front();
        }
        number
    }

    /// Adds a cost that belongs to no request of the conversation, such as a summary's.
    pub fn add_beside(&mut self, cost: f64) {
        self.cost.actual += cost;
        self.cost.left_alone += cost;
    }

    /// Corrects request `number` by its report, or the request whose length the report has. `prompt` is the conversation as sent.
    pub fn correct(
        &mut self,
        number: Option<f64>,
        report: RequestReport,
        prompt: &PromptTokens,
        prices: &Prices,
    ) {
        let (Some(total), Some(read)) = (report.prompt_tokens, report.cached_tokens) else { return };
        let at = match number {
            Some(wanted) => self.open.iter().position(|open| open.number.to_bits() == wanted.to_bits()),
            None => self.nearest(total),
        };
        let Some((at, open)) = at.and_then(|at| Some((at, *self.open.get(at)?))) else { return };
        if !self.is_believable(&open.asked, total, read) {
            return;
        }
        self.open.remove(at);
        self.count.learn(open.asked.sent, total);
        let cost = corrected(&open.asked, (total, read), self.count, prompt, prices);
        let minus = |accounts: ComparedCosts| ComparedCosts {
            actual: -accounts.actual,
            left_alone: -accounts.left_alone,
        };
        self.cost = self.cost.with(cost).with(minus(open.cost));
        let ComparedCosts { actual, left_alone } = self.unsure.with(minus(open.unsure));
        // Rounded sums could leave less than nothing.
        self.unsure = ComparedCosts { actual: actual.max(0.0), left_alone: left_alone.max(0.0) };
    }

    /// The newest request, unless the report fits the one before clearly better.
    fn nearest(&self, total: f64) -> Option<usize> {
        let newest = self.open.len().checked_sub(1)?;
        let off = |at: usize| self.open.get(at).map(|open| (self.count.total(open.asked.sent) - total).abs());
        let (Some(off_newest), Some(before)) = (off(newest), newest.checked_sub(1)) else {
            return Some(newest);
        };
        let is_late = off_newest > NEAR_ENOUGH * total
            && off(before).is_some_and(|off_before| CLEARLY_NEARER * off_before < off_newest);
        Some(if is_late { before } else { newest })
    }

    fn is_believable(&self, asked: &BilledRequest, total: f64, read: f64) -> bool {
        let expected = self.count.total(asked.sent);
        let is_possible = total > 0.0 && read >= 0.0 && read <= total && total.is_finite();
        let is_near = total <= MOST_BEYOND_EXPECTED * expected && total * MOST_BEYOND_EXPECTED >= expected;
        is_possible && (self.count.first.is_none() || is_near)
    }
}

/// The request's cost by its report. Where the provider read all of a warm cache, nothing was lost, also for the history left alone.
/// Else both read up to the same message: a lost cache is lost to both, and our own change is new to us alone.
fn corrected(
    asked: &BilledRequest,
    (total, read): (f64, f64),
    count: CountRatio,
    prompt: &PromptTokens,
    prices: &Prices,
) -> ComparedCosts {
    let stored = total + count.per_token * (asked.stored - asked.sent);
    let (warm, warm_left_alone) = (count.prefix(asked.readable), count.prefix(asked.readable_left_alone));
    let readable = prices.in_blocks(warm);
    let least = (SHARE_OF_A_READ_PREFIX * readable).min(readable - TOKENS_OF_A_READ_PREFIX);
    let is_whole = read >= least - prices.block_tokens;
    let more = if readable <= 0.0 {
        // Our own change stands ahead of everything readable, so the report doesn't tell what was lost.
        count.prefix(asked.cached_left_alone) - read
    } else if is_whole {
        warm_left_alone - warm.max(read)
    } else {
        let up_to = prompt.up_to(prompt.reached_by(count.ours(read)));
        (count.per_token * (up_to.stored - up_to.sent)).min(warm_left_alone - read)
    };
    // Two prompts that are the same have the same part read, whatever a list says of blocks and minimums.
    let read_left_alone =
        if more > 0.0 { prices.in_blocks((read + more).min(stored)).max(read) } else { read };
    ComparedCosts { actual: prices.cost(read, total), left_alone: prices.cost(read_left_alone, stored) }
}

impl CountRatio {
    fn total(self, ours: f64) -> f64 {
        self.own + self.per_token * ours
    }

    /// The provider's own tokens belong to no empty prefix.
    fn prefix(self, ours: f64) -> f64 {
        if ours > 0.0 { self.total(ours) } else { 0.0 }
    }

    fn ours(self, theirs: f64) -> f64 {
        ((theirs - self.own) / self.per_token).max(0.0)
    }

    fn learn(&mut self, ours: f64, theirs: f64) {
        let (least, most) = OTHER_COUNT;
        let is_first = self.first.is_none();
        let (first_ours, first_theirs) = *self.first.get_or_insert((ours, theirs));
        let grown = ours - first_ours;
        let slope = if grown.abs() >= TOKENS_TO_COMPARE.max(SHARE_TO_COMPARE * ours) {
            (theirs - first_theirs) / grown
        } else if !is_first {
            self.per_token
        } else {
            theirs / ours.max(1.0)
        };
        self.per_token = slope.clamp(least, most);
        self.own = (theirs - self.per_token * ours).max(0.0);
        if self.own <= 0.0 && ours > 0.0 {
            self.per_token = theirs / ours;
        }
    }
}

#[cfg(test)]
#[path = "bill_tests.rs"]
mod tests;
