//! Plays sessions of token counts and computes the provider's bill. It shares no arithmetic with the fold, so each checks the other.

use crate::cache::prices::Prices;
pub use crate::cache::simulated_session::{Columns, Sent, SimulatedMessage, SimulatedSession};

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimulatedBill {
    pub cost: f64,
    pub tokens: f64,
    pub cached: f64,
    /// Requests that do not begin with the whole previous request.
    pub prefix_changes: f64,
    pub peak_tokens: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Biller<'a> {
    prices: &'a Prices,
    last_ms: Option<f64>,
    pub bill: SimulatedBill,
}

impl<'a> Biller<'a> {
    pub fn new(prices: &'a Prices) -> Self {
        Self { prices, last_ms: None, bill: SimulatedBill::default() }
    }

    pub fn add(
        &mut self,
        BilledPrompt { total, unchanged, is_changed }: BilledPrompt,
        now_ms: f64,
    ) -> Billed {
        let elapsed = self.last_ms.map(|last| now_ms - last);
        let cached = self.prices.cached_tokens(unchanged, elapsed);
        let cost = self.prices.cost(cached, total);
        self.bill.prefix_changes += f64::from(u8::from(is_changed));
        self.bill.cost += cost;
        self.bill.tokens += total;
        self.bill.cached += cached;
        self.bill.peak_tokens = self.bill.peak_tokens.max(total);
        self.last_ms = Some(now_ms);
        Billed { tokens: total, cached, cost }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BilledPrompt {
    pub total: f64,
    /// Tokens shared with the previous request.
    pub unchanged: f64,
    pub is_changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Billed {
    pub tokens: f64,
    pub cached: f64,
    pub cost: f64,
}

#[derive(Debug)]
pub struct PlayedRequest<'a> {
    pub request: usize,
    pub billed: Billed,
    /// Messages that are first replaced with this request.
    pub replaced: &'a [usize],
    /// For each message, whether it is sent replaced.
    pub is_replaced: &'a [bool],
    /// For each message, whether it is sent with references unless replaced; false past the end.
    pub is_short: &'a [bool],
    /// Sent tokens before each message and in total, without the fixed ones.
    pub sums: &'a [f64],
}

/// Decides before each request which outdated results are replaced from then on.
pub trait ReplacementPolicy {
    /// Messages that are sent in full again after a rewind.
    fn restored(&mut self, _: &SimulatedSession, _: usize, _: &[bool]) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the positions to replace; `replaced` has those replaced already.
    fn decide(&mut self, session: &SimulatedSession, request: usize, replaced: &[bool]) -> Vec<usize>;

    /// For each message, whether it has been sent with references since its first request; false past the end.
    fn short(&self) -> &[bool] {
        &[]
    }
}

/// For each request O(messages after the first change), plus the policy's cost.
pub fn play(
    session: &SimulatedSession,
    prices: &Prices,
    policy: &mut dyn ReplacementPolicy,
    each: &mut dyn FnMut(&PlayedRequest<'_>),
) -> SimulatedBill {
    let mut biller = Biller::new(prices);
    let mut replaced = vec![false; session.messages.len()];
    let mut short = Vec::new();
    let mut sums = vec![0.0; session.messages.len() + 1];
    sum_from(&mut sums, session, (&replaced, &short), 0);
    let mut len_before = 0;
    for (request, sent) in session.requests.iter().enumerate() {
        let back = policy.restored(session, request, &replaced);
        set(&mut replaced, &back, false);
        let newly = policy.decide(session, request, &replaced);
        set(&mut replaced, &newly, true);
        // A message that is restored and replaced again in the same request does not change.
        let is_once = |position: &&usize| newly.contains(position) != back.contains(position);
        let first = newly.iter().chain(&back).filter(is_once).copied().min().unwrap_or(usize::MAX);
        let first = first.min(first_difference(&short, policy.short()));
        short = policy.short().to_vec();
        sum_from(&mut sums, session, (&replaced, &short), first);
        let same = len_before.min(sent.len).min(first);
        let up_to = |len: usize| session.fixed_tokens + sums.get(len).or(sums.last()).copied().unwrap_or(0.0);
        let prompt =
            BilledPrompt { total: up_to(sent.len), unchanged: up_to(same), is_changed: same < len_before };
        let step = PlayedRequest {
            request,
            billed: biller.add(prompt, sent.now_ms),
            replaced: &newly,
            is_replaced: &replaced,
            is_short: &short,
            sums: &sums,
        };
        each(&step);
        len_before = sent.len;
    }
    biller.bill
}

fn set(replaced: &mut [bool], positions: &[usize], is_replaced: bool) {
    for &position in positions {
        if let Some(slot) = replaced.get_mut(position) {
            *slot = is_replaced;
        }
    }
}

/// The first index at which the lists differ; `usize::MAX` if they are equal.
fn first_difference(one: &[bool], other: &[bool]) -> usize {
    let has = |list: &[bool], at: usize| list.get(at) == Some(&true);
    (0..one.len().max(other.len())).find(|&at| has(one, at) != has(other, at)).unwrap_or(usize::MAX)
}

pub(super) fn sum_from(
    sums: &mut [f64],
    session: &SimulatedSession,
    (replaced, short): (&[bool], &[bool]),
    position: usize,
) {
    let mut sum = sums.get(position).copied().unwrap_or(0.0);
    let messages = session.messages.iter().enumerate().skip(position);
    for ((at, message), after) in messages.zip(sums.iter_mut().skip(position.saturating_add(1))) {
        sum += message.sent(replaced.get(at) == Some(&true), short.get(at) == Some(&true));
        *after = sum;
    }
}

#[cfg(test)]
#[path = "simulation_tests.rs"]
pub(super) mod tests;
