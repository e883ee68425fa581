//! A session's cost request by request, under each policy and as it was paid: what a plot shows.

use serde::Serialize;

/// A plot can't show more points, and the curves of a whole folder of sessions have to fit in memory.
const MOST_POINTS: usize = 400;

/// What each request cost, as contexts are played one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Steps {
    /// Where each request stands in the file.
    lines: Vec<u64>,
    paid: Vec<f64>,
    policies: Vec<(&'static str, Vec<f64>)>,
}

/// Sums of cost in units of base input, at some of a session's requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curves {
    /// The number of each point's request in the session, from 1, in the order of the file; the last request is always among them.
    pub requests: Vec<usize>,
    /// What had been paid by each point; none where the file records no usage.
    pub paid: Option<Vec<f64>>,
    /// Without the policies that only hindsight knows, which sent nothing that could be drawn.
    pub policies: Vec<Curve>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub policy: &'static str,
    pub costs: Vec<f64>,
}

/// Where one context's requests stand in the file, and what was paid for each.
#[derive(Debug, Clone, Default)]
pub(super) struct Paid {
    pub lines: Vec<u64>,
    pub costs: Vec<f64>,
}

impl Steps {
    pub fn add(&mut self, context: &Paid) {
        self.lines.extend(&context.lines);
        self.paid.extend(&context.costs);
    }

    /// Adds what one request costs under `policy`; requests come in the order in which they were added.
    pub fn cost(&mut self, policy: &'static str, cost: f64) {
        match self.policies.iter_mut().find(|(known, _)| *known == policy) {
            Some((_, costs)) => costs.push(cost),
            None => self.policies.push((policy, vec![cost])),
        }
    }

    /// None where nothing was sent. `has_usage` says whether anything was paid that the file records.
    pub fn curves(&self, has_usage: bool) -> Option<Curves> {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|&at| self.lines.get(at).copied().unwrap_or_default());
        let last = order.len().checked_sub(1)?;
        let every = order.len().div_ceil(MOST_POINTS).max(1);
        let is_shown = |at: usize| at == last || at % every == every - 1;
        let sums = |costs: &[f64]| {
            let running = order.iter().scan(0.0, |sum, &at| {
                *sum += costs.get(at).copied().unwrap_or_default();
                Some(*sum)
            });
            let shown = running.enumerate().filter(|&(at, _)| is_shown(at));
            shown.map(|(_, sum)| sum).collect::<Vec<f64>>()
        };
        let curve = |(policy, costs): &(&'static str, Vec<f64>)| Curve { policy, costs: sums(costs) };
        Some(Curves {
            requests: (0..order.len()).filter(|&at| is_shown(at)).map(|at| at + 1).collect(),
            paid: has_usage.then(|| sums(&self.paid)),
            policies: self.policies.iter().map(curve).collect(),
        })
    }
}
