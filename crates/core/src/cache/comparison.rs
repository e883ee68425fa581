//! Plays one session under every policy, side by side.

use crate::cache::aging::{ByKind, Lives};
use crate::cache::hindsight::{cost_in_hindsight, cost_of_search};
use crate::cache::policies::{Batches, ClearAbove, EveryRequest, LeaveAlone, View};
use crate::cache::prices::Prices;
use crate::cache::schedule::{MAX_EXTRA_COST, ScheduleOptions};
use crate::cache::simulation::{PlayedRequest, ReplacementPolicy, SimulatedBill, SimulatedSession, play};
use crate::tools::result_kind::ResultKind;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyOutcome {
    pub policy: &'static str,
    pub cost: f64,
    /// `None` for hindsight, which was searched for and not sent.
    pub bill: Option<SimulatedBill>,
}

/// A session whose results go by kind: something later makes them outdated in `session`, and `kinds` has each message's kind.
#[derive(Debug, Clone, Copy)]
pub struct KindSession<'a> {
    pub session: &'a SimulatedSession,
    pub kinds: &'a [Option<ResultKind>],
    pub beside_age: bool,
    pub trial: Trial<'a>,
}

/// Tried in place of a view's own settings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Trial<'a> {
    pub ages: &'a [(ResultKind, u32)],
    pub max_extra_cost: Option<f64>,
}

/// Plays every policy without hindsight in the order of tables: the history left alone first, the view last. Results in `session` are
/// outdated by age; with `by_kind` the view goes by that. `each` sees every request. O(requests × messages).
#[must_use]
pub fn compare_played(
    session: &SimulatedSession,
    by_kind: Option<KindSession<'_>>,
    prices: &Prices,
    each: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut policies: Vec<(&'static str, &SimulatedSession, Box<dyn ReplacementPolicy>)> = vec![
        ("leave-alone", session, Box::new(LeaveAlone)),
        ("every-request", session, Box::new(EveryRequest)),
        ("batches-20k", session, Box::new(Batches { tokens: 20_000.0 })),
        ("batches-30k", session, Box::new(Batches { tokens: 30_000.0 })),
        ("clear-above-100k", session, Box::new(ClearAbove { tokens: 100_000.0, keep: 3 })),
    ];
    let by_age = Box::new(View::new(ScheduleOptions::new(*prices)));
    match by_kind {
        None => policies.push(("view", session, by_age)),
        Some(seen) => {
            if seen.beside_age {
                policies.push(("by-age", session, by_age));
            }
            let lives = Lives::under(prices);
            let lives = seen.trial.ages.iter().fold(lives, |lives, &(kind, age)| lives.with(kind, age));
            let options = ScheduleOptions::new(*prices);
            let max_extra_cost = seen.trial.max_extra_cost.unwrap_or(options.max_extra_cost);
            let view = ByKind::new(ScheduleOptions { max_extra_cost, ..options }, lives, seen.kinds);
            policies.push(("view", seen.session, Box::new(view)));
        }
    }
    let played = policies.iter_mut().map(|(policy, session, decider)| {
        let policy = *policy;
        let bill = play(session, prices, decider.as_mut(), &mut |step| each(policy, step));
        PolicyOutcome { policy, cost: bill.cost, bill: Some(bill) }
    });
    played.collect()
}

/// Adds hindsight, a search that takes seconds for a thousand messages.
#[must_use]
pub fn compare(
    session: &SimulatedSession,
    by_kind: Option<KindSession<'_>>,
    prices: &Prices,
    each: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut outcomes = compare_played(session, by_kind, prices, each);
    let cheapest = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let costs: Vec<f64> = outcomes.iter().map(|outcome| outcome.cost).collect();
    let searched = cost_of_search(session, prices, None);
    let promised = cost_in_hindsight(session, prices, Some(MAX_EXTRA_COST));
    // Hindsight could have chosen whatever was played without it.
    let best = cheapest(&costs).min(promised).min(cost_in_hindsight(session, prices, None));
    let view = costs.last().copied().unwrap_or(f64::INFINITY);
    for (policy, cost) in
        [("hindsight-with-promise", promised.min(view)), ("hindsight-search", searched), ("hindsight", best)]
    {
        outcomes.push(PolicyOutcome { policy, cost, bill: None });
    }
    outcomes
}
