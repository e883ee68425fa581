//! Compares the cost of one session under every removal policy.

use crate::cache::fold::{FoldOptions, MAX_EXTRA_COST};
use crate::cache::hindsight::{cost_in_hindsight, cost_of_search};
use crate::cache::policies::{Batches, ClearAbove, EveryRequest, Unmodified, View};
use crate::cache::prices::Prices;
use crate::cache::simulation::{PlayedRequest, ReplacementPolicy, SimulatedBill, SimulatedSession, play};

/// What the session costs under one policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyOutcome {
    pub policy: &'static str,
    /// In tokens at the base price of input.
    pub cost: f64,
    /// `None` for the hindsight policies, which are searched and not played.
    pub bill: Option<SimulatedBill>,
}

/// The same session with results outdated by a view's rules; `session` has them outdated by age.
#[derive(Debug, Clone, Copy)]
pub struct ViewSession<'a> {
    pub session: &'a SimulatedSession,
    /// True if policy `by-age` is played, too: the view's decisions over results outdated by age.
    pub with_ages: bool,
    /// Replaces the view's own `max_extra_cost`.
    pub max_extra_cost: Option<f64>,
}

/// Plays every policy but hindsight, unmodified history first and the view last. Results in `session` are outdated by age; policy `view`
/// plays `view_session` instead if it is given. `on_request` gets the policy's name. O(requests × messages).
pub fn compare_played(
    session: &SimulatedSession,
    view_session: Option<ViewSession<'_>>,
    prices: &Prices,
    on_request: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
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

/// Adds hindsight, a search that takes seconds for a thousand messages.
pub fn compare(
    session: &SimulatedSession,
    view_session: Option<ViewSession<'_>>,
    prices: &Prices,
    on_request: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
) -> Vec<PolicyOutcome> {
    let mut outcomes = compare_played(session, view_session, prices, on_request);
    let cheapest_played = outcomes.iter().map(|outcome| outcome.cost).fold(f64::INFINITY, f64::min);
    let view = outcomes.last().map_or(f64::INFINITY, |outcome| outcome.cost);
    let with_promise = cost_in_hindsight(session, prices, Some(MAX_EXTRA_COST));
    // Hindsight could have chosen any of the played schedules.
    let cheapest = cheapest_played.min(with_promise).min(cost_in_hindsight(session, prices, None));
    let hindsight = [
        ("hindsight-with-promise", with_promise.min(view)),
        ("hindsight-search", cost_of_search(session, prices, None)),
        ("hindsight", cheapest),
    ];
    outcomes.extend(hindsight.map(|(policy, cost)| PolicyOutcome { policy, cost, bill: None }));
    outcomes
}
