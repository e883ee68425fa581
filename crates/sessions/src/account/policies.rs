//! A session's cost under each policy, in total and as *curves*, which grow with each request.

use indexmap::IndexMap;
use palimpsest_core::cache::policies::PolicyOutcome;
use serde::Serialize;

use super::{MissedNeed, NeedFigures};

/// Name of the price list of a session's own models.
pub(super) const OWN: &str = "own";
/// A plot can't show more points, and the curves of many sessions have to fit in memory.
const MAX_POINTS: usize = 400;

/// One policy's bill for a session. A hindsight policy only has a cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFigures {
    pub policy: &'static str,
    /// In units of base input.
    pub cost: f64,
    pub usd: Option<f64>,
    pub tokens: Option<f64>,
    pub cached: Option<f64>,
    pub prefix_changes: Option<f64>,
    pub peak_tokens: Option<f64>,
    /// What the policy misses, if requested; `None` for hindsight policies, which only have totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub need: Option<NeedFigures>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Simulation {
    /// A preset's name, or `own` for the session's own models.
    pub prices: String,
    pub policies: Vec<PolicyFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curves: Option<Curves>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misses: Option<Vec<MissedNeed>>,
    /// Data of the curves, until the last context is added.
    #[serde(skip)]
    pub(super) request_costs: Option<RequestCosts>,
}

impl Simulation {
    pub(super) fn new(prices: String, with_curves: bool) -> Self {
        Self { prices, request_costs: with_curves.then(RequestCosts::default), ..Self::default() }
    }

    /// Adds each policy's outcome on a context. `input_usd`: US dollars per input token.
    pub(super) fn add(&mut self, outcomes: &[PolicyOutcome], input_usd: Option<f64>) {
        let figures = outcomes.iter().map(|outcome| PolicyFigures::of(outcome, input_usd));
        if self.policies.is_empty() {
            self.policies = figures.collect();
        } else {
            self.policies.iter_mut().zip(figures).for_each(|(sum, more)| sum.add(&more));
        }
    }

    /// Call this after the last context. Paid costs only exist at the session's own prices.
    pub(super) fn finish(&mut self, has_usage_by_request: bool) {
        let has_paid = has_usage_by_request && self.prices == OWN;
        self.curves = self.request_costs.take().and_then(|request_costs| request_costs.curves(has_paid));
    }
}

impl PolicyFigures {
    fn of(outcome: &PolicyOutcome, usd: Option<f64>) -> Self {
        let bill = outcome.bill;
        Self {
            policy: outcome.policy,
            cost: outcome.cost,
            usd: usd.map(|usd| outcome.cost * usd),
            tokens: bill.map(|bill| bill.tokens),
            cached: bill.map(|bill| bill.cached),
            prefix_changes: bill.map(|bill| bill.prefix_changes),
            peak_tokens: bill.map(|bill| bill.peak_tokens),
            need: None,
        }
    }

    fn add(&mut self, more: &Self) {
        let plus = |sum: Option<f64>, more: Option<f64>| sum.zip(more).map(|(sum, more)| sum + more);
        self.cost += more.cost;
        self.usd = plus(self.usd, more.usd);
        self.tokens = plus(self.tokens, more.tokens);
        self.cached = plus(self.cached, more.cached);
        self.prefix_changes = plus(self.prefix_changes, more.prefix_changes);
        self.peak_tokens = self.peak_tokens.zip(more.peak_tokens).map(|(peak, more)| peak.max(more));
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RequestCosts {
    /// Line of each request in the file, and what was paid for it.
    pub paid: Vec<(u64, f64)>,
    pub by_policy: IndexMap<&'static str, Vec<f64>>,
}

/// Cumulative costs in units of base input, at up to `MAX_POINTS` requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curves {
    /// Request number of each point, from 1, in file order; always includes the last request.
    pub requests: Vec<usize>,
    pub paid: Option<Vec<f64>>,
    /// Without hindsight policies, which only have totals.
    pub policies: Vec<Curve>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    pub policy: &'static str,
    pub costs: Vec<f64>,
}

impl RequestCosts {
    /// `None` if nothing was sent. `has_usage`: the file records usage.
    fn curves(&self, has_usage: bool) -> Option<Curves> {
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
        let curves = self.by_policy.iter().map(|(policy, costs)| Curve { policy, costs: sums(costs) });
        Some(Curves {
            requests: (0..order.len()).filter(|&index| is_shown(index)).map(|index| index + 1).collect(),
            paid: has_usage.then(|| sums(&self.paid.iter().map(|(_, cost)| *cost).collect::<Vec<f64>>())),
            policies: curves.collect(),
        })
    }
}
