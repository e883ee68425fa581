//! Compares the cost of one session under every removal policy.

use crate::cache::fold::{FoldOptions, MAX_EXTRA_COST};
use crate::cache::hindsight::{cost_in_hindsight, cost_of_search};
use crate::cache::policies::{Batches, ClearAbove, EveryRequest, Unmodified, View};
use crate::cache::prices::Prices;
use crate::cache::simulation::{PlayedRequest, ReplacementPolicy, SimulatedBill, SimulatedSession, play};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyOutcome {
    pub policy: &'static str,
    pub cost: f64,
    /// `None` for hindsight, which is a search and not a played policy.
    pub bill: Option<SimulatedBill>,
}

/// The same session with results outdated by a view's rules; `session` has them outdated by age.
#[derive(Debug, Clone, Copy)]
pub struct ViewSession<'a> {
    pub session: &'a SimulatedSession,
    /// True if a view with results outdated by age is played, too.
    pub with_ages: bool,
    /// Replaces the view's own `max_extra_cost`.
    pub max_extra_cost: Option<f64>,
}

/// Plays every policy but hindsight, in table order: unmodified history first, the view last. Results in `session` are outdated by age;
/// the view uses `by_kind` if it is given. `each` is called for every request. O(requests × messages).
pub fn compare_played(
    session: &SimulatedSession,
    by_kind: Option<ViewSession<'_>>,
    prices: &Prices,
    each: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut policies: Vec<(&'static str, &SimulatedSession, Box<dyn ReplacementPolicy>)> = vec![
        ("leave-alone", session, Box::new(Unmodified)),
        ("every-request", session, Box::new(EveryRequest)),
        ("batches-20k", session, Box::new(Batches { tokens: 20_000.0 })),
        ("batches-30k", session, Box::new(Batches { tokens: 30_000.0 })),
        ("clear-above-100k", session, Box::new(ClearAbove { tokens: 100_000.0, keep: 3 })),
    ];
    let options = FoldOptions::new(*prices);
    let by_age = Box::new(View::new(options));
    match by_kind {
        None => policies.push(("view", session, by_age)),
        Some(seen) => {
            if seen.with_ages {
                policies.push(("by-age", session, by_age));
            }
            let max_extra_cost = seen.max_extra_cost.unwrap_or(options.max_extra_cost);
            policies.push((
                "view",
                seen.session,
                Box::new(View::new(FoldOptions { max_extra_cost, ..options })),
            ));
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
pub fn compare(
    session: &SimulatedSession,
    by_kind: Option<ViewSession<'_>>,
    prices: &Prices,
    each: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut outcomes = compare_played(session, by_kind, prices, each);
    let cheapest = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let costs: Vec<f64> = outcomes.iter().map(|outcome| outcome.cost).collect();
    let searched = cost_of_search(session, prices, None);
    let promised = cost_in_hindsight(session, prices, Some(MAX_EXTRA_COST));
    // Hindsight could have chosen any of the played schedules.
    let best = cheapest(&costs).min(promised).min(cost_in_hindsight(session, prices, None));
    let view = costs.last().copied().unwrap_or(f64::INFINITY);
    for (policy, cost) in
        [("hindsight-with-promise", promised.min(view)), ("hindsight-search", searched), ("hindsight", best)]
    {
        outcomes.push(PolicyOutcome { policy, cost, bill: None });
    }
    outcomes
}
