//! Searches the cheapest removal schedule when the whole session is known, by a beam search. It finds an upper bound of the optimum.

use std::rc::Rc;

use crate::cache::all_or_nothing::best_all_or_nothing;
use crate::cache::prices::Prices;
use crate::cache::simulation::{SimulatedSession, sum_from};

/// Beam width: schedules followed in parallel.
const WIDTH: usize = 60;

/// One schedule of the first requests.
#[derive(Clone)]
struct Node {
    /// Of the requests so far.
    cost: f64,
    /// For each message.
    is_replaced: Rc<Vec<bool>>,
    /// Sent tokens before each message and in total, without the fixed ones.
    sums: Rc<Vec<f64>>,
}

/// A node extended by one request.
struct SearchStep {
    /// Index of the node.
    parent: usize,
    /// Outdated results from this message on are replaced; `None`: nothing is.
    cut: Option<usize>,
    /// Of the requests so far, including this one.
    cost: f64,
    /// The estimated cost up to the next cold request.
    outlook: f64,
}

/// A request, with facts about the previous and later ones.
struct KnownRequest {
    index: usize,
    len: usize,
    /// Number of messages shared with the previous request.
    shared_len: usize,
    is_warm: bool,
    /// Requests after this one up to the first with a cold cache.
    warm_requests_left: f64,
}

/// The least cost found by the beam search, or by replacing everything or nothing with each request. With `max_extra_cost`, only
/// schedules that never exceed the unmodified session's cost by more than that share, as under the promise of `guarantee.rs`.
pub fn cost_in_hindsight(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let searched = cost_of_search(session, prices, max_extra_cost);
    searched.min(best_all_or_nothing(session, prices, max_extra_cost))
}

/// The least cost found by the beam search alone.
pub fn cost_of_search(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let search = BeamSearch { session, prices };
    let mut unmodified = search.new_node(0.0, vec![false; session.messages.len()]);
    let mut nodes = vec![unmodified.clone()];
    for request in search.requests() {
        let mut steps: Vec<SearchStep> = nodes
            .iter()
            .enumerate()
            .flat_map(|(parent, node)| search.steps(&request, parent, node))
            .collect();
        unmodified.cost += search.cost_without_cut(&request, &unmodified);
        if let Some(share) = max_extra_cost {
            steps.retain(|step| step.cut.is_none() || step.cost <= (1.0 + share) * unmodified.cost);
        }
        steps.sort_by(|a, b| a.outlook.total_cmp(&b.outlook));
        steps.dedup_by_key(|step| (step.outlook.to_bits(), step.cost.to_bits()));
        steps.truncate(WIDTH);
        nodes =
            steps.iter().filter_map(|step| search.child(&request, nodes.get(step.parent)?, step)).collect();
    }
    nodes.iter().map(|node| node.cost).fold(f64::INFINITY, f64::min)
}

struct BeamSearch<'a> {
    session: &'a SimulatedSession,
    prices: &'a Prices,
}

impl BeamSearch<'_> {
    fn new_node(&self, cost: f64, is_replaced: Vec<bool>) -> Node {
        let mut sums = vec![0.0; self.session.messages.len() + 1];
        sum_from(0, &mut sums, self.session, &is_replaced, &[]);
        Node { cost, is_replaced: Rc::new(is_replaced), sums: Rc::new(sums) }
    }

    fn requests(&self) -> impl Iterator<Item = KnownRequest> + '_ {
        let requests = &self.session.requests;
        let is_warm = |index: usize| {
            let pair = self.session.previous(index).zip(requests.get(index));
            pair.is_some_and(|(previous, this)| this.now_ms - previous.now_ms <= self.prices.ttl_ms)
        };
        requests.iter().enumerate().map(move |(index, request)| {
            let warm_after = (index + 1..requests.len()).take_while(|&later| is_warm(later)).count();
            KnownRequest {
                index,
                len: request.len,
                shared_len: self.session.previous(index).map_or(0, |previous| previous.len.min(request.len)),
                is_warm: is_warm(index),
                warm_requests_left: f64::from(u32::try_from(warm_after).unwrap_or(u32::MAX)),
            }
        })
    }

    fn tokens_before(&self, request: &KnownRequest, position: usize, node: &Node) -> f64 {
        self.session.fixed_tokens + node.sums.get(position.min(request.len)).copied().unwrap_or_default()
    }

    /// Tokens that the request reads from the cache if it changes messages from `first_changed` on.
    fn cached_tokens(&self, request: &KnownRequest, first_changed: usize, node: &Node) -> f64 {
        let unchanged = self.tokens_before(request, first_changed.min(request.shared_len), node);
        if request.is_warm { self.prices.cacheable_tokens(unchanged) } else { 0.0 }
    }

    fn cost_without_cut(&self, request: &KnownRequest, node: &Node) -> f64 {
        let cached = self.cached_tokens(request, request.shared_len, node);
        self.prices.cost(cached, self.tokens_before(request, request.len, node))
    }

    fn steps(&self, request: &KnownRequest, parent: usize, node: &Node) -> Vec<SearchStep> {
        let Self { session, prices } = self;
        let total = self.tokens_before(request, request.len, node);
        let later_reads = |tokens: f64| prices.read * request.warm_requests_left * tokens;
        let cost = node.cost + self.cost_without_cut(request, node);
        let mut waiting = SearchStep { parent, cut: None, cost, outlook: cost + later_reads(total) };
        let mut saved = 0.0;
        let mut steps: Vec<SearchStep> = Vec::new();
        let pending: Vec<usize> = session.pending(request.index, &node.is_replaced).collect();
        for position in pending.into_iter().rev() {
            saved += session.saving(position);
            let cached = self.cached_tokens(request, position, node);
            let cost = node.cost + prices.cost(cached, total - saved);
            let outlook = cost + later_reads(total - saved);
            steps.push(SearchStep { parent, cut: Some(position), cost, outlook });
            // Waiting costs at most as much as making this cut with the next request.
            let rewritten = total - self.tokens_before(request, position, node);
            let cost_of_later_cut = prices.premium() * rewritten - prices.write * saved;
            let outlook_with_later_cut = waiting.cost + cost_of_later_cut + later_reads(total - saved);
            waiting.outlook = waiting.outlook.min(outlook_with_later_cut);
        }
        steps.push(waiting);
        steps
    }

    /// The node that `step` leads to from `parent`.
    fn child(&self, request: &KnownRequest, parent: &Node, step: &SearchStep) -> Option<Node> {
        let Some(cut) = step.cut else { return Some(Node { cost: step.cost, ..parent.clone() }) };
        let mut is_replaced = parent.is_replaced.as_ref().clone();
        let pending = self.session.pending(request.index, &parent.is_replaced);
        for position in pending.filter(|&position| position >= cut) {
            *is_replaced.get_mut(position)? = true;
        }
        Some(self.new_node(step.cost, is_replaced))
    }
}
