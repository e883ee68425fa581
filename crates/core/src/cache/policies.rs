//! Defines the removal policies, what applications do today and what a view does, and compares what one session costs under each.

use crate::cache::cuts::Pending;
use crate::cache::fold::{ConversationHead, Fold, FoldOptions, MAX_EXTRA_COST, Request};
use crate::cache::hindsight::costs_in_hindsight;
use crate::cache::prices::Prices;
use crate::cache::simulation::{PlayedRequest, ReplacementPolicy, SimulatedBill, SimulatedSession, play, set};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyOutcome {
    pub policy: &'static str,
    pub cost: f64,
    /// `None` for the hindsight policies, which are searched and not played.
    pub bill: Option<SimulatedBill>,
}

/// What policy `view` plays: the same session, with results outdated by a view's rules and not by age.
#[derive(Debug, Clone, Copy)]
pub struct ViewSession<'a> {
    pub session: &'a SimulatedSession,
    /// True if policy `by-age` is played, too: the view's decisions over the results outdated by age.
    pub with_ages: bool,
    /// Replaces the default `max_extra_cost`; unlike a view, the simulation keeps no reserve of it.
    pub max_extra_cost: Option<f64>,
}

/// Plays every policy but hindsight, unmodified history first and the view last. Results in `session` are outdated by age. `on_request` gets
/// the policy's name. O(requests × messages).
pub fn compare_played(
    session: &SimulatedSession,
    view_session: Option<ViewSession<'_>>,
    prices: &Prices,
    on_request: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut policies: Vec<(&'static str, &SimulatedSession, Box<dyn ReplacementPolicy>)> = vec![
        ("leave-alone", session, Box::new(StaticPolicy::Unmodified)),
        ("every-request", session, Box::new(StaticPolicy::EveryRequest)),
        ("batches-20k", session, Box::new(StaticPolicy::Batches(20_000.0))),
        ("batches-30k", session, Box::new(StaticPolicy::Batches(30_000.0))),
        ("clear-above-100k", session, Box::new(StaticPolicy::ClearAbove { tokens: 100_000.0, keep: 3 })),
    ];
    let options = FoldOptions::new(*prices);
    let by_age = Box::new(View::new(options));
    match view_session {
        None => policies.push(("view", session, by_age)),
        Some(ViewSession { session: by_rules, with_ages, max_extra_cost }) => {
            if with_ages {
                policies.push(("by-age", session, by_age));
            }
            let max_extra_cost = max_extra_cost.unwrap_or(options.max_extra_cost);
            let view = View::new(FoldOptions { max_extra_cost, ..options });
            policies.push(("view", by_rules, Box::new(view)));
        }
    }
    let played = policies.into_iter().map(|(name, session, mut policy)| {
        let bill = play(session, prices, policy.as_mut(), &mut |request| on_request(name, request));
        PolicyOutcome { policy: name, cost: bill.cost, bill: Some(bill) }
    });
    played.collect()
}

/// [`compare_played`], and the hindsight policies: a search that takes seconds for a thousand messages.
pub fn compare(
    session: &SimulatedSession,
    view_session: Option<ViewSession<'_>>,
    prices: &Prices,
    on_request: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut outcomes = compare_played(session, view_session, prices, on_request);
    let cheapest_played = outcomes.iter().map(|outcome| outcome.cost).fold(f64::INFINITY, f64::min);
    let view_cost = outcomes.last().map_or(f64::INFINITY, |outcome| outcome.cost);
    let [promised_search, promised_extremes] = costs_in_hindsight(session, prices, Some(MAX_EXTRA_COST));
    let [search, extremes] = costs_in_hindsight(session, prices, None);
    let with_promise = promised_search.min(promised_extremes);
    // Hindsight could have chosen any of the played schedules.
    let cheapest = cheapest_played.min(with_promise).min(search).min(extremes);
    let hindsight = [
        ("hindsight-with-promise", with_promise.min(view_cost)),
        ("hindsight-search", search),
        ("hindsight", cheapest),
    ];
    outcomes.extend(hindsight.map(|(policy, cost)| PolicyOutcome { policy, cost, bill: None }));
    outcomes
}

pub enum StaticPolicy {
    Unmodified,
    /// Replaces every outdated result, as the drop-in functions do.
    EveryRequest,
    /// Replaces all outdated results once they save this many tokens.
    Batches(f64),
    /// From `tokens` on, replaces all but the newest `keep` outdated results at each request.
    ClearAbove {
        tokens: f64,
        keep: usize,
    },
}

impl ReplacementPolicy for StaticPolicy {
    fn decide(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize> {
        let mut pending: Vec<usize> = session.pending(request, is_replaced).collect();
        let replaced_count = match *self {
            Self::Unmodified => 0,
            Self::EveryRequest => pending.len(),
            Self::Batches(tokens) => {
                let saved: f64 = pending.iter().map(|&position| session.saving(position)).sum();
                if saved >= tokens { pending.len() } else { 0 }
            }
            Self::ClearAbove { tokens, keep } => {
                let len = session.requests.get(request).map_or(0, |sent| sent.len);
                let messages = session.messages.iter().zip(is_replaced).take(len);
                let sent = messages.map(|(message, &is_replaced)| message.sent_tokens(is_replaced, false));
                let is_above = session.fixed_tokens + sent.sum::<f64>() > tokens;
                if is_above { pending.len().saturating_sub(keep) } else { 0 }
            }
        };
        pending.truncate(replaced_count);
        pending
    }
}

pub struct View {
    options: FoldOptions,
    fold: Option<Fold>,
    /// Indices of the current conversation's requests; a rewind drops the longer ones.
    folded_requests: Vec<usize>,
    /// For each message.
    is_outdated: Vec<bool>,
    has_references: Vec<bool>,
}

impl View {
    pub fn new(options: FoldOptions) -> Self {
        Self { options, fold: None, folded_requests: Vec::new(), is_outdated: Vec::new(), has_references: Vec::new() }
    }
}

impl ReplacementPolicy for View {
    fn decide(&mut self, session: &SimulatedSession, request: usize, _: &[bool]) -> Vec<usize> {
        let Some(sent) = session.requests.get(request) else { return Vec::new() };
        let last = self.folded_requests.last().and_then(|&last| session.requests.get(last));
        let head = ConversationHead { fixed_tokens: session.fixed_tokens, ..ConversationHead::default() };
        let fold = self.fold.get_or_insert_with(|| Fold::new(self.options, head));
        self.is_outdated.resize(session.messages.len(), false);
        for message in session.messages.iter().take(sent.len).skip(fold.prompt().len()) {
            fold.push(message.tokens, 1.0);
            let saved = message.tokens - message.tokens_with_references;
            self.has_references.push(saved > 0.0 && fold.shorten_newest(saved));
        }
        let messages = session.messages.iter().zip(&mut self.is_outdated).zip(&self.has_references);
        for (position, ((message, was_outdated), &has_references)) in messages.enumerate().take(sent.len) {
            if *was_outdated || !message.is_outdated(request) {
                continue;
            }
            *was_outdated = true;
            let row = u32::try_from(position).unwrap_or(u32::MAX);
            let saved = message.sent_tokens(false, has_references) - message.tokens_replaced;
            fold.outdate(Pending { row, position, saved });
        }
        let elapsed_ms = last.map(|last| sent.now_ms - last.now_ms);
        let times = Request { elapsed_ms, least_elapsed_ms: elapsed_ms, time_ms: sent.now_ms, is_side: false };
        let decision = fold.add_request(times);
        self.folded_requests.push(request);
        decision.rows.iter().map(|&row| row as usize).collect()
    }

    fn rewind(&mut self, session: &SimulatedSession, request: usize, is_replaced: &[bool]) -> Vec<usize> {
        let len = session.requests.get(request).map_or(0, |sent| sent.len);
        if self.fold.as_ref().is_none_or(|fold| fold.prompt().len() <= len) {
            return Vec::new();
        }
        let folded_before = std::mem::replace(self, Self::new(self.options)).folded_requests;
        let mut is_no_longer_replaced = is_replaced.to_vec();
        for earlier in folded_before {
            if session.requests.get(earlier).is_some_and(|sent| sent.len <= len) {
                let still_replaced = self.decide(session, earlier, is_replaced);
                set(&mut is_no_longer_replaced, &still_replaced, false);
            }
        }
        let positions = is_no_longer_replaced.iter().enumerate();
        positions.filter(|&(_, &is_no_longer)| is_no_longer).map(|(position, _)| position).collect()
    }

    fn has_references(&self) -> &[bool] {
        &self.has_references
    }
}
