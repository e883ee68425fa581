//! Data of plots: how a session's cost grows with each request, under each policy and as paid.

use serde::Serialize;

/// A plot can't show more points, and the curves of many sessions have to fit in memory.
const MAX_POINTS: usize = 400;

/// Cost of each request, collected while contexts are simulated one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RequestCosts {
    /// Line of each request in the file, and what was paid for it.
    paid: Vec<(u64, f64)>,
    /// By policy, the cost of each request.
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

/// One policy's cumulative costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub policy: &'static str,
    pub costs: Vec<f64>,
}

impl RequestCosts {
    /// Adds one context's requests: the line of each, and what was paid for it.
    pub fn add(&mut self, paid: &[(u64, f64)]) {
        self.paid.extend(paid);
    }

    /// Adds the cost of the next request under `policy`, in the order of [`RequestCosts::add`].
    pub fn add_cost(&mut self, policy: &'static str, cost: f64) {
        match self.policies.iter_mut().find(|(known, _)| *known == policy) {
            Some((_, costs)) => costs.push(cost),
            None => self.policies.push((policy, vec![cost])),
        }
    }

    /// `None` if nothing was sent. `has_usage`: the file records usage.
    pub fn curves(&self, has_usage: bool) -> Option<Curves> {
        let mut order: Vec<usize> = (0..self.paid.len()).collect();
        order.sort_by_key(|&index| self.paid.get(index).map(|(line, _)| *line));
        let last = order.len().checked_sub(1)?;
        let stride = order.len().div_ceil(MAX_POINTS).max(1);
        let is_shown = |index: usize| index == last || index % stride == stride - 1;
        let sums = |costs: &[f64]| {
            let running = order.iter().scan(0.0, |sum, &index| {
                *sum += costs.get(index).copied().unwrap_or_default();
                Some(*sum)
            });
            let shown = running.enumerate().filter(|&(index, _)| is_shown(index));
            shown.map(|(_, sum)| sum).collect::<Vec<f64>>()
        };
        let curve = |(policy, costs): &(&'static str, Vec<f64>)| Curve { policy, costs: sums(costs) };
        Some(Curves {
            requests: (0..order.len()).filter(|&index| is_shown(index)).map(|index| index + 1).collect(),
            paid: has_usage.then(|| sums(&self.paid.iter().map(|(_, cost)| *cost).collect::<Vec<f64>>())),
            policies: self.policies.iter().map(curve).collect(),
        })
    }
}
