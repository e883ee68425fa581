//! Searches the cheapest removal schedule when the whole session is known: a beam search, and the best schedule that replaces
//! everything or nothing. Both are upper bounds of the optimum.

use std::rc::Rc;

use crate::cache::all_or_nothing::best_all_or_nothing;
use crate::cache::prices::Prices;
use crate::cache::simulation::{SimulatedSession, sum_from};

/// Beam width: histories followed in parallel.
const WIDTH: usize = 60;

#[derive(Clone)]
struct Node {
    cost: f64,
    replaced: Rc<Vec<bool>>,
    /// Sent tokens before each message, and the total.
    before: Rc<Vec<f64>>,
}

struct SearchStep {
    parent: usize,
    /// Results from this message on are replaced.
    cut: Option<usize>,
    cost: f64,
    /// The session's cost up to the next cold request, without further changes.
    outlook: f64,
}

/// A request, with facts about later ones.
struct KnownRequest {
    request: usize,
    len: usize,
    /// Messages it shares with the previous request.
    unchanged: usize,
    is_warm: bool,
    /// Requests after this one up to the first with a cold cache.
    warm_requests_left: f64,
}

/// The least cost of the session. With `max_extra_cost`, only schedules that never exceed the unmodified session's cost by more than
/// that share, as under the promise.
pub fn cost_in_hindsight(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let searched = cost_of_search(session, prices, max_extra_cost);
    searched.min(best_all_or_nothing(session, prices, max_extra_cost))
}

/// The least cost found by the beam search alone.
pub fn cost_of_search(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let search = BeamSearch { session, prices };
    let mut unmodified = search.node(0.0, vec![false; session.messages.len()]);
    let mut nodes = vec![unmodified.clone()];
    for request in search.requests() {
        let mut steps: Vec<SearchStep> = nodes
            .iter()
            .enumerate()
            .flat_map(|(parent, node)| search.steps(&request, parent, node))
            .collect();
        unmodified.cost += search.cost_unchanged(&request, &unmodified);
        if let Some(share) = max_extra_cost {
            steps.retain(|step| step.cut.is_none() || step.cost <= (1.0 + share) * unmodified.cost);
        }
        steps.sort_by(|a, b| a.outlook.total_cmp(&b.outlook));
        steps.dedup_by_key(|step| (step.outlook.to_bits(), step.cost.to_bits()));
        steps.truncate(WIDTH);
        nodes =
            steps.iter().filter_map(|step| search.after(&request, nodes.get(step.parent)?, step)).collect();
    }
    nodes.iter().map(|node| node.cost).fold(f64::INFINITY, f64::min)
}

struct BeamSearch<'a> {
    session: &'a SimulatedSession,
    prices: &'a Prices,
}

impl BeamSearch<'_> {
    fn node(&self, cost: f64, replaced: Vec<bool>) -> Node {
        let mut before = vec![0.0; self.session.messages.len() + 1];
        sum_from(&mut before, self.session, (&replaced, &[]), 0);
        Node { cost, replaced: Rc::new(replaced), before: Rc::new(before) }
    }

    fn requests(&self) -> impl Iterator<Item = KnownRequest> + '_ {
        let requests = &self.session.requests;
        let is_warm = |request: usize| {
            let pair = self.session.previous(request).zip(requests.get(request));
            pair.is_some_and(|(last, this)| this.now_ms - last.now_ms <= self.prices.ttl_ms)
        };
        requests.iter().enumerate().map(move |(request, sent)| {
            let following = (request + 1..requests.len()).take_while(|&next| is_warm(next)).count();
            KnownRequest {
                request,
                len: sent.len,
                unchanged: self.session.previous(request).map_or(0, |last| last.len.min(sent.len)),
                is_warm: is_warm(request),
                warm_requests_left: f64::from(u32::try_from(following).unwrap_or(u32::MAX)),
            }
        })
    }

    fn tokens_before(&self, request: &KnownRequest, position: usize, node: &Node) -> f64 {
        self.session.fixed_tokens + node.before.get(position.min(request.len)).copied().unwrap_or_default()
    }

    /// `position`: the first changed message.
    fn cached(&self, request: &KnownRequest, position: usize, node: &Node) -> f64 {
        let unchanged = self.tokens_before(request, position.min(request.unchanged), node);
        if request.is_warm { self.prices.in_blocks(unchanged) } else { 0.0 }
    }

    fn cost_unchanged(&self, request: &KnownRequest, node: &Node) -> f64 {
        let cached = self.cached(request, request.unchanged, node);
        self.prices.cost(cached, self.tokens_before(request, request.len, node))
    }

    fn steps(&self, request: &KnownRequest, parent: usize, node: &Node) -> Vec<SearchStep> {
        let Self { session, prices } = self;
        let total = self.tokens_before(request, request.len, node);
        let left = prices.read * request.warm_requests_left;
        let without_cut = self.cost_unchanged(request, node);
        let mut stay = SearchStep { parent, cut: None, cost: node.cost + without_cut, outlook: 0.0 };
        stay.outlook = stay.cost + left * total;
        let mut saved = 0.0;
        let mut steps: Vec<SearchStep> = Vec::new();
        let pending: Vec<usize> = session.pending(request.request, &node.replaced).collect();
        for position in pending.into_iter().rev() {
            saved += session.saving(position);
            let cost = node.cost + prices.cost(self.cached(request, position, node), total - saved);
            let outlook = cost + left * (total - saved);
            steps.push(SearchStep { parent, cut: Some(position), cost, outlook });
            // Waiting costs at most as much as making this change with the next request.
            let changed = total - self.tokens_before(request, position, node);
            let later = prices.premium() * changed - prices.write * saved;
            stay.outlook = stay.outlook.min(stay.cost + later + left * (total - saved));
        }
        steps.push(stay);
        steps
    }

    /// The node that `step` leads to from `parent`.
    fn after(&self, request: &KnownRequest, parent: &Node, step: &SearchStep) -> Option<Node> {
        let Some(cut) = step.cut else { return Some(Node { cost: step.cost, ..parent.clone() }) };
        let mut replaced = parent.replaced.as_ref().clone();
        let pending = self.session.pending(request.request, &parent.replaced);
        for position in pending.filter(|&position| position >= cut) {
            *replaced.get_mut(position)? = true;
        }
        Some(self.node(step.cost, replaced))
    }
}
