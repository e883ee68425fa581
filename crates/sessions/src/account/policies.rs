//! Cost of one session under each policy, summed over its threads and contexts.

use palimpsest_core::cache::policies::{PolicyOutcome, ViewSession, compare, compare_played};
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::cache::simulation::{PlayedRequest, SimulatedSession as Columns};
use serde::Serialize;

use super::curves::{Curves, RequestCosts};
use super::need::{Miss, NeedFigures};

/// Name of the price list of a session's own models.
pub(super) const OWN: &str = "own";

/// One policy's bill for a session. A hindsight policy only has a cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFigures {
    pub policy: &'static str,
    /// In units of base input.
    pub cost: f64,
    /// In US dollars, if the model's price is known.
    pub usd: Option<f64>,
    pub tokens: Option<f64>,
    pub cached: Option<f64>,
    pub prefix_changes: Option<f64>,
    pub peak_tokens: Option<f64>,
    /// What the policy misses, if requested; `None` for hindsight policies, which only have totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub need: Option<NeedFigures>,
}

/// A session under one price list.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    /// A preset's name, or `own` for the session's own models.
    pub prices: String,
    pub policies: Vec<PolicyFigures>,
    /// If curves were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curves: Option<Curves>,
    /// What the view misses, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misses: Option<Vec<Miss>>,
    /// Data of the curves, until the last context is added.
    #[serde(skip)]
    request_costs: Option<RequestCosts>,
}

/// Settings for playing a context.
pub(super) struct PlayOptions<'a> {
    pub hindsight: bool,
    /// The context for a context view.
    pub view: ViewSession<'a>,
    /// US dollars per input token.
    pub usd: Option<f64>,
}

impl Simulation {
    pub(super) fn new(prices: String, with_curves: bool) -> Self {
        Self { prices, request_costs: with_curves.then(RequestCosts::default), ..Self::default() }
    }

    /// Simulates each policy on a context. `paid`: line of each request, and what was paid for it.
    pub(super) fn add(
        &mut self,
        (columns, paid): (&Columns, &[(u64, f64)]),
        prices: &Prices,
        options: &PlayOptions<'_>,
        watch: &mut dyn FnMut(&'static str, &PlayedRequest<'_>),
    ) {
        let mut request_costs = self.request_costs.as_mut();
        if let Some(request_costs) = &mut request_costs {
            request_costs.add(paid);
        }
        let mut each = |policy, step: &PlayedRequest<'_>| {
            if let Some(request_costs) = &mut request_costs {
                request_costs.add_cost(policy, step.billed.cost);
            }
            watch(policy, step);
        };
        let compare = if options.hindsight { compare } else { compare_played };
        let outcomes = compare(columns, Some(options.view), prices, &mut each);
        let usd = options.usd;
        if self.policies.is_empty() {
            self.policies = outcomes.iter().map(|outcome| PolicyFigures::zero(outcome, usd)).collect();
        }
        for (figures, outcome) in self.policies.iter_mut().zip(&outcomes) {
            figures.add(outcome, usd);
        }
    }

    /// Call this after the last context. Paid costs only exist at the session's own prices.
    pub(super) fn finish(&mut self, has_usage: bool) {
        let has_paid = has_usage && self.prices == OWN;
        self.curves = self.request_costs.take().and_then(|request_costs| request_costs.curves(has_paid));
    }
}

impl PolicyFigures {
    /// Zero in each figure that `outcome` has.
    fn zero(outcome: &PolicyOutcome, usd: Option<f64>) -> Self {
        let zero = outcome.bill.map(|_| 0.0);
        Self {
            policy: outcome.policy,
            usd: usd.map(|_| 0.0),
            tokens: zero,
            cached: zero,
            prefix_changes: zero,
            peak_tokens: zero,
            ..Self::default()
        }
    }

    fn add(&mut self, outcome: &PolicyOutcome, usd: Option<f64>) {
        self.cost += outcome.cost;
        self.usd = self.usd.zip(usd).map(|(sum, price)| sum + outcome.cost * price);
        let Some(bill) = outcome.bill else { return };
        let plus = |sum: Option<f64>, more: f64| sum.map(|sum| sum + more);
        self.tokens = plus(self.tokens, bill.tokens);
        self.cached = plus(self.cached, bill.cached);
        self.prefix_changes = plus(self.prefix_changes, bill.prefix_changes);
        self.peak_tokens = self.peak_tokens.map(|peak| peak.max(bill.peak_tokens));
    }
}
