//! One session under every policy, side by side.

use crate::cache::aging::ByKind;
use crate::cache::hindsight::{cost_in_hindsight, cost_of_search};
use crate::cache::policies::{Batches, ClearAbove, EveryRequest, LeaveAlone, View};
use crate::cache::prices::Prices;
use crate::cache::schedule::{MAX_EXTRA_COST, Options};
use crate::cache::simulation::{Bill, Policy, Session, Step, play};
use crate::tools::result_kind::ResultKind;

/// What one policy makes a session cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    pub policy: &'static str,
    pub cost: f64,
    /// None for what only a whole session tells: its cost was searched for, and nothing was sent.
    pub bill: Option<Bill>,
}

/// A session whose results go by what they are. Outdated in `session` is what something later made worthless; `kinds` says of each
/// message what result it is.
#[derive(Debug, Clone, Copy)]
pub struct KindSession<'a> {
    pub session: &'a Session,
    pub kinds: &'a [Option<ResultKind>],
    /// Whether the view is played by age, too.
    pub beside_age: bool,
}

/// Every policy that needs no hindsight, in the order in which tables show them; leaving alone, to which all are compared, is the
/// first, the view the last. In `session` results are outdated by age; with `by_kind` the view goes by that. `each` sees every request under each of them. O(requests × messages).
#[must_use]
pub fn compare_played(
    session: &Session,
    by_kind: Option<KindSession<'_>>,
    prices: &Prices,
    each: &mut dyn FnMut(&'static str, &Step<'_>),
) -> Vec<Outcome> {
    let mut policies: Vec<(&'static str, &Session, Box<dyn Policy>)> = vec![
        ("leave-alone", session, Box::new(LeaveAlone)),
        ("every-request", session, Box::new(EveryRequest)),
        ("batches-20k", session, Box::new(Batches { tokens: 20_000.0 })),
        ("batches-30k", session, Box::new(Batches { tokens: 30_000.0 })),
        ("clear-above-100k", session, Box::new(ClearAbove { tokens: 100_000.0, keep: 3 })),
    ];
    let by_age = Box::new(View::new(Options::new(*prices)));
    match by_kind {
        None => policies.push(("view", session, by_age)),
        Some(seen) => {
            if seen.beside_age {
                policies.push(("by-age", session, by_age));
            }
            policies.push(("view", seen.session, Box::new(ByKind::new(Options::new(*prices), seen.kinds))));
        }
    }
    let played = policies.iter_mut().map(|(policy, session, decider)| {
        let policy = *policy;
        let bill = play(session, prices, decider.as_mut(), &mut |step| each(policy, step));
        Outcome { policy, cost: bill.cost, bill: Some(bill) }
    });
    played.collect()
}

/// The same, and then hindsight. Takes seconds for a session of a thousand messages: hindsight is searched for.
#[must_use]
pub fn compare(
    session: &Session,
    by_kind: Option<KindSession<'_>>,
    prices: &Prices,
    each: &mut dyn FnMut(&'static str, &Step<'_>),
) -> Vec<Outcome> {
    let mut outcomes = compare_played(session, by_kind, prices, each);
    let cheapest = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    let costs: Vec<f64> = outcomes.iter().map(|outcome| outcome.cost).collect();
    let searched = cost_of_search(session, prices, None);
    let promised = cost_in_hindsight(session, prices, Some(MAX_EXTRA_COST));
    // Whatever was played without knowing the session could have been chosen by one who does.
    let best = cheapest(&costs).min(promised).min(cost_in_hindsight(session, prices, None));
    let view = costs.last().copied().unwrap_or(f64::INFINITY);
    for (policy, cost) in
        [("hindsight-with-promise", promised.min(view)), ("hindsight-search", searched), ("hindsight", best)]
    {
        outcomes.push(Outcome { policy, cost, bill: None });
    }
    outcomes
}
