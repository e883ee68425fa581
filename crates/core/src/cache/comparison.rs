//! One session under every policy, side by side.

use crate::cache::hindsight::cost_in_hindsight;
use crate::cache::policies::{Batches, ClearAbove, EveryRequest, LeaveAlone, View};
use crate::cache::prices::Prices;
use crate::cache::schedule::{MAX_EXTRA_COST, Options};
use crate::cache::simulation::{Bill, Policy, Session, play};

/// What one policy makes a session cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    pub policy: &'static str,
    pub cost: f64,
    /// None for what only a whole session tells: its cost was searched for, and nothing was sent.
    pub bill: Option<Bill>,
}

/// In the order in which tables show them; leaving alone, to which all are compared, is the first. Takes seconds for a
/// session of a thousand messages: hindsight is searched for.
#[must_use]
pub fn compare(session: &Session, prices: &Prices) -> Vec<Outcome> {
    let mut policies: [(&'static str, Box<dyn Policy>); 6] = [
        ("leave-alone", Box::new(LeaveAlone)),
        ("every-request", Box::new(EveryRequest)),
        ("batches-20k", Box::new(Batches { tokens: 20_000.0 })),
        ("batches-30k", Box::new(Batches { tokens: 30_000.0 })),
        ("clear-above-100k", Box::new(ClearAbove { tokens: 100_000.0, keep: 3 })),
        ("view", Box::new(View::new(Options::new(*prices)))),
    ];
    let played = policies.iter_mut().map(|(policy, decider)| {
        let bill = play(session, prices, decider.as_mut());
        Outcome { policy, cost: bill.cost, bill: Some(bill) }
    });
    let mut outcomes: Vec<Outcome> = played.collect();
    for (policy, max_extra_cost) in [("hindsight-with-promise", Some(MAX_EXTRA_COST)), ("hindsight", None)] {
        let found = cost_in_hindsight(session, prices, max_extra_cost);
        // Whatever was played without knowing the session could have been chosen by one who does.
        let may_be_chosen = |outcome: &&Outcome| max_extra_cost.is_none() || outcome.policy == "view";
        let cost = outcomes.iter().filter(may_be_chosen).map(|outcome| outcome.cost).fold(found, f64::min);
        outcomes.push(Outcome { policy, cost, bill: None });
    }
    outcomes
}
