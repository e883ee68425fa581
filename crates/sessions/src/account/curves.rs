//! Data of plots: a session's cumulative cost per request, under each policy and as paid.

use serde::Serialize;

/// A plot can't show more points, and the curves of many sessions have to fit in memory.
const MAX_POINTS: usize = 400;

/// Cost of each request, collected while contexts are played one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Steps {
    /// Line of each request in the file, and what was paid for it.
    paid: Vec<(u64, f64)>,
    policies: Vec<(&'static str, Vec<f64>)>,
}

/// Cumulative costs in units of base input, at up to `MAX_POINTS` requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curves {
    /// Request number of each point, from 1, in file order; always includes the last request.
    pub requests: Vec<usize>,
    /// Cumulative cost as paid; `None` if the file records no usage.
    pub paid: Option<Vec<f64>>,
    /// Without hindsight policies, which only have totals.
    pub policies: Vec<Curve>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub policy: &'static str,
    pub costs: Vec<f64>,
}

impl Steps {
    /// Adds one context's requests: the line of each, and what was paid for it.
    pub fn add(&mut self, paid: &[(u64, f64)]) {
        self.paid.extend(paid);
    }

    /// Adds the cost of the next request under `policy`, in the order of [`Steps::add`].
    pub fn cost(&mut self, policy: &'static str, cost: f64) {
        match self.policies.iter_mut().find(|(known, _)| *known == policy) {
            Some((_, costs)) => costs.push(cost),
            None => self.policies.push((policy, vec![cost])),
        }
    }

    /// `None` if nothing was sent. `has_usage`: the file records usage.
    pub fn curves(&self, has_usage: bool) -> Option<Curves> {
        let mut order: Vec<usize> = (0..self.paid.len()).collect();
        order.sort_by_key(|&at| self.paid.get(at).map(|(line, _)| *line));
        let last = order.len().checked_sub(1)?;
        let every = order.len().div_ceil(MAX_POINTS).max(1);
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
            paid: has_usage.then(|| sums(&self.paid.iter().map(|(_, cost)| *cost).collect::<Vec<f64>>())),
            policies: self.policies.iter().map(curve).collect(),
        })
    }
}
