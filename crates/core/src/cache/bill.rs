//! Decides what a conversation's requests cost, as sent and with unmodified history, corrected by the provider's reports. Reports
//! correct only the bill: a late, repeated or wrong report changes no request.

use std::collections::VecDeque;

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
/// The ratio of counts is measured only once the prompt has grown by this many tokens since the first report.
const TOKENS_TO_COMPARE: f64 = 2_000.0;
/// The growth must also be this share of the prompt; with less, the ratio measures only the estimates' error.
const SHARE_TO_COMPARE: f64 = 0.25;
/// A ratio outside these bounds comes from a system prompt or tools that we do not know.
const OTHER_COUNT: (f64, f64) = (0.7, 1.4);
/// A report is assigned to the second newest request if its prompt is this many times closer to it.
const CLEARLY_NEARER: f64 = 3.0;
/// A report that is off by less than this share belongs to the newest request: a removal makes estimates this inexact.
const NEAR_ENOUGH: f64 = 0.03;
/// A prompt that is longer or shorter than expected by this factor belongs to another request.
const MAX_BEYOND_EXPECTED: f64 = 2.0;

/// Token counts reported by the provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestReport {
    pub prompt_tokens: f64,
    pub cached_tokens: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Costs {
    pub requests: f64,
    pub cost: ComparedCosts,
    /// Requests without a report: their extra cost without a cache.
    pub unsure: ComparedCosts,
}

/// A request that may still be reported: its number and its index among the fold's requests; `None` for a request that is not part of
/// the current conversation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    number: f64,
    place: Option<usize>,
    asked: RequestCost,
}

/// A request of the fold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Place {
    /// True if this object sent it, or another process before this object loaded the conversation.
    is_sent: bool,
    /// Its number, if this object sent it.
    number: Option<f64>,
    report: Option<RequestReport>,
    /// Its cost after an interrupted request, whose prompt is in the cache, too.
    continuing: Option<RequestCost>,
}

/// A sent request that is not part of the current conversation; `place`: its former index among the fold's requests.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Other {
    asked: RequestCost,
    place: Option<usize>,
    known: Place,
}

/// Reports of one conversation, and the cost of its requests outside the fold: titles, and requests before a rewind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bill {
    open: VecDeque<Open>,
    places: Vec<Place>,
    others: Vec<Other>,
    /// True after the fold restarted: it may then derive requests that were never sent.
    is_again: bool,
    /// Cost of summaries.
    extra: f64,
}

impl Bill {
    /// Adds the fold's new requests as sent; after a restart, only those that were sent before count as sent.
    pub fn follow(&mut self, requests: &[RequestCost]) {
        for (place, asked) in requests.iter().enumerate().skip(self.places.len()) {
            let was_sent = |other: &Other| other.place == Some(place) && other.asked == *asked;
            let known = self.others.iter().position(was_sent).map(|at| self.others.remove(at).known);
            let known = known.unwrap_or(Place { is_sent: !self.is_again, ..Place::default() });
            for open in self.open.iter_mut().filter(|open| known.number == Some(open.number)) {
                open.place = Some(place);
            }
            self.places.push(known);
        }
        self.is_again = false;
    }

    /// As [`Bill::ask`], for request `place` of the fold. It may continue an interrupted request, which had this index before and whose
    /// prompt it begins with.
    pub fn ask_next(&mut self, number: f64, place: usize, fold: &Fold, prices: &Prices) {
        let Some(&asked) = fold.requests().get(place) else { return };
        let interrupted = self.others.iter().rev().find(|other| other.place == Some(place));
        let continuing = interrupted.and_then(|other| asked.continuing(&other.asked, fold.prompt(), prices));
        self.ask(number, Some(place), asked);
        if let Some(known) = self.places.get_mut(place).filter(|known| known.number == Some(number)) {
            known.continuing = continuing;
        }
    }

    /// Registers a sent request; its report will name `number`. `place`: its index in the fold, `None` for a title.
    pub fn ask(&mut self, number: f64, place: Option<usize>, asked: RequestCost) {
        let own = place.and_then(|place| self.places.get_mut(place)).filter(|own| own.number.is_none());
        let place = place.filter(|_| own.is_some());
        let known = Place { is_sent: true, number: Some(number), ..Place::default() };
        match own {
            Some(own) => *own = known,
            None => self.others.push(Other { asked, place: None, known }),
        }
        self.open.push_back(Open { number, place, asked });
        if self.open.len() > REPORTS_AWAITED {
            self.open.pop_front();
        }
    }

    /// The conversation continues from its first `kept` requests; later requests that were sent stay on the bill.
    pub fn go_back(&mut self, kept: usize, requests: &[RequestCost]) {
        self.follow(requests);
        let undone = self.places.split_off(kept.min(self.places.len()));
        for (place, (known, asked)) in (kept..).zip(undone.into_iter().zip(requests.iter().skip(kept))) {
            if known.is_sent {
                self.others.push(Other { asked: *asked, place: Some(place), known });
            }
        }
        for open in self.open.iter_mut().filter(|open| open.place.is_some_and(|place| place >= kept)) {
            open.place = None;
        }
        self.is_again = !requests.is_empty();
    }

    /// Adds a cost that belongs to no request of the conversation, such as a summary's.
    pub fn add(&mut self, cost: f64) {
        self.extra += cost;
    }

    /// Assigns the report to request `number`, or else to the request of matching length. False if it matches none.
    pub fn report(&mut self, number: Option<f64>, report: RequestReport, count: CountRatio) -> bool {
        let at = match number {
            Some(wanted) => self.open.iter().position(|open| open.number.to_bits() == wanted.to_bits()),
            None => self.nearest(report.prompt_tokens, count),
        };
        let Some((at, open)) = at.and_then(|at| Some((at, *self.open.get(at)?))) else { return false };
        if !count.is_believable(&open.asked, report) {
            return false;
        }
        self.open.remove(at);
        let named = |known: &Place| known.number == Some(open.number);
        let own = open.place.and_then(|place| self.places.get_mut(place)).filter(|known| named(known));
        let other = self.others.iter_mut().map(|other| &mut other.known).find(|known| named(known));
        if let Some(known) = own.or(other) {
            known.report = Some(report);
        }
        true
    }

    /// The newest request, unless the report fits the one before it clearly better.
    fn nearest(&self, total: f64, count: CountRatio) -> Option<usize> {
        let newest = self.open.len().checked_sub(1)?;
        let off = |at: usize| self.open.get(at).map(|open| (count.total(open.asked.sent) - total).abs());
        let (Some(off_newest), Some(before)) = (off(newest), newest.checked_sub(1)) else {
            return Some(newest);
        };
        let is_late = off_newest > NEAR_ENOUGH * total
            && off(before).is_some_and(|off_before| CLEARLY_NEARER * off_before < off_newest);
        Some(if is_late { before } else { newest })
    }

    /// Sums over the fold's requests from index `first` on, and all others. O(requests).
    #[must_use]
    pub fn costs(&mut self, fold: &Fold, first: usize, prices: &Prices) -> Costs {
        self.follow(fold.requests());
        let prompt = fold.prompt();
        let mut sum =
            Costs { cost: ComparedCosts { actual: self.extra, unmodified: self.extra }, ..Costs::default() };
        let mut count = CountRatio::default();
        for (place, (asked, known)) in fold.requests().iter().zip(&self.places).enumerate() {
            if place >= first && known.is_sent {
                sum.add(
                    known.continuing.as_ref().unwrap_or(asked),
                    known.report.as_ref(),
                    &mut count,
                    prompt,
                    prices,
                );
            } else if let Some(report) = known.report {
                count.learn(asked.sent, report.prompt_tokens);
            }
        }
        for Other { asked, known, .. } in &self.others {
            let asked = known.continuing.as_ref().unwrap_or(asked);
            sum.add(asked, known.report.as_ref(), &mut count, prompt, prices);
        }
        sum
    }

    /// The ratio of the provider's count to ours, learned from all reports.
    #[must_use]
    pub fn count(&self, requests: &[RequestCost]) -> CountRatio {
        let mut count = CountRatio::default();
        for (asked, known) in requests.iter().zip(&self.places) {
            if let Some(report) = known.report {
                count.learn(asked.sent, report.prompt_tokens);
            }
        }
        count
    }
}

impl Costs {
    fn add(
        &mut self,
        asked: &RequestCost,
        report: Option<&RequestReport>,
        count: &mut CountRatio,
        prompt: &PromptTokens,
        prices: &Prices,
    ) {
        self.requests += 1.0;
        if let Some(report) = report {
            count.learn(asked.sent, report.prompt_tokens);
            self.cost = self.cost.with(corrected(asked, report, *count, prompt, prices));
            return;
        }
        let cached = ComparedCosts {
            actual: count.prefix(asked.cached),
            unmodified: count.prefix(asked.cached_unmodified),
        };
        self.cost = self.cost.with(ComparedCosts {
            actual: prices.cost(cached.actual, count.total(asked.sent)),
            unmodified: prices.cost(cached.unmodified, count.total(asked.stored)),
        });
        let premium = prices.premium();
        self.unsure = self
            .unsure
            .with(ComparedCosts { actual: premium * cached.actual, unmodified: premium * cached.unmodified });
    }
}

/// The request's cost by its report. If the provider read all of a warm prefix, the unmodified history's would have been read, too.
/// Otherwise both are read up to the same message: an evicted cache affects both, our own removal only the sent prompt.
fn corrected(
    asked: &RequestCost,
    &RequestReport { prompt_tokens: total, cached_tokens: read }: &RequestReport,
    count: CountRatio,
    prompt: &PromptTokens,
    prices: &Prices,
) -> ComparedCosts {
    let stored = total + count.per_token * (asked.stored - asked.sent);
    let (warm, warm_unmodified) = (count.prefix(asked.readable), count.prefix(asked.readable_unmodified));
    let readable = prices.in_blocks(warm);
    let least = (SHARE_OF_A_READ_PREFIX * readable).min(readable - TOKENS_OF_A_READ_PREFIX);
    let is_whole = read >= least - prices.block_tokens;
    let more = if readable <= 0.0 {
        // Our own removal comes before everything readable, so the report does not show what was evicted.
        count.prefix(asked.cached_unmodified) - read
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

/// Converts our counts: the provider has `own` tokens that we do not know, and counts `per_token` for each of ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountRatio {
    own: f64,
    per_token: f64,
    /// The first report: our tokens, the provider's tokens.
    first: Option<(f64, f64)>,
}

impl Default for CountRatio {
    fn default() -> Self {
        Self { own: 0.0, per_token: 1.0, first: None }
    }
}

impl CountRatio {
    fn is_believable(self, asked: &RequestCost, report: RequestReport) -> bool {
        let RequestReport { prompt_tokens: total, cached_tokens: read } = report;
        let expected = self.total(asked.sent);
        let is_possible = total > 0.0 && read >= 0.0 && read <= total && total.is_finite();
        let is_near = total <= MAX_BEYOND_EXPECTED * expected && total * MAX_BEYOND_EXPECTED >= expected;
        is_possible && (self.first.is_none() || is_near)
    }

    fn total(self, ours: f64) -> f64 {
        self.own + self.per_token * ours
    }

    /// An empty prefix has none of the provider's own tokens.
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
