//! Searches the cheapest removal schedule when the whole session is known: by a beam search over suffixes of the outdated results, and
//! exactly among the schedules that replace everything or nothing with each request. The result is an upper bound of the optimum.

use std::rc::Rc;

use crate::cache::prices::Prices;
use crate::cache::simulation::{SimulatedMessage, SimulatedSession};

/// Beam width: schedules followed in parallel.
const WIDTH: usize = 60;

/// The least cost found by the beam search, and the least cost of schedules that replace everything or nothing with each request. With
/// `max_extra_cost`, only schedules that never exceed the unmodified session's cost by more than that share, as by the promise.
pub fn costs_in_hindsight(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> [f64; 2] {
    let search = Search::new(session, prices, max_extra_cost);
    [search.by_beam(), search.among_all_or_nothing()]
}

struct Search<'a> {
    session: &'a SimulatedSession,
    prices: &'a Prices,
    max_extra_cost: Option<f64>,
    requests: Vec<KnownRequest>,
}

struct KnownRequest {
    index: usize,
    len: usize,
    /// Number of messages shared with the previous request.
    shared_len: usize,
    is_warm: bool,
    /// Requests after this one up to the first with a cold cache.
    warm_requests_left: f64,
}

#[derive(Clone)]
struct Node {
    cost: f64,
    is_replaced: Rc<Vec<bool>>,
    /// Sent tokens before each message and in total, without the fixed ones.
    sums: Rc<Vec<f64>>,
}

struct SearchStep {
    parent: usize,
    /// Outdated results from this message on are replaced; `None`: nothing is.
    cut: Option<usize>,
    cost: f64,
    /// The estimated cost up to the next cold request.
    outlook: f64,
}

/// The costs of one request with and without a replacement, if an earlier request replaced everything outdated and none has since.
struct ReplacementChoice {
    cost_unchanged: f64,
    cost_replacing: f64,
    /// True if a result is outdated that was not at that earlier request.
    has_outdated: bool,
}

impl<'a> Search<'a> {
    fn new(session: &'a SimulatedSession, prices: &'a Prices, max_extra_cost: Option<f64>) -> Self {
        let mut requests = Vec::new();
        let mut warm_requests_left = 0.0;
        for (index, request) in session.requests.iter().enumerate().rev() {
            let previous = index.checked_sub(1).and_then(|previous| session.requests.get(previous));
            let is_warm = previous.is_some_and(|previous| request.now_ms - previous.now_ms <= prices.ttl_ms);
            let shared_len = previous.map_or(0, |previous| previous.len.min(request.len));
            requests.push(KnownRequest { index, len: request.len, shared_len, is_warm, warm_requests_left });
            warm_requests_left = if is_warm { warm_requests_left + 1.0 } else { 0.0 };
        }
        requests.reverse();
        Self { session, prices, max_extra_cost, requests }
    }

    fn by_beam(&self) -> f64 {
        let mut unmodified = self.new_node(0.0, vec![false; self.session.messages.len()]);
        let mut nodes = vec![unmodified.clone()];
        for request in &self.requests {
            unmodified.cost += self.cost_without_cut(request, &unmodified);
            let steps = nodes.iter().enumerate().flat_map(|(parent, node)| self.steps(request, parent, node));
            let is_allowed = |step: &SearchStep| {
                let is_cheap = |share: f64| step.cost <= (1.0 + share) * unmodified.cost;
                step.cut.is_none() || self.max_extra_cost.is_none_or(is_cheap)
            };
            let mut steps: Vec<SearchStep> = steps.filter(is_allowed).collect();
            steps.sort_by(|a, b| a.outlook.total_cmp(&b.outlook));
            steps.dedup_by_key(|step| (step.outlook.to_bits(), step.cost.to_bits()));
            steps.truncate(WIDTH);
            let child = |step: &SearchStep| self.child(request, nodes.get(step.parent)?, step);
            nodes = steps.iter().filter_map(child).collect();
        }
        nodes.iter().map(|node| node.cost).fold(f64::INFINITY, f64::min)
    }

    fn new_node(&self, cost: f64, is_replaced: Vec<bool>) -> Node {
        let mut sums = vec![0.0; self.session.messages.len() + 1];
        self.session.sum_from(0, &mut sums, &is_replaced, &[]);
        Node { cost, is_replaced: Rc::new(is_replaced), sums: Rc::new(sums) }
    }

    fn tokens_before(&self, request: &KnownRequest, position: usize, node: &Node) -> f64 {
        self.session.fixed_tokens + node.sums.get(position.min(request.len)).copied().unwrap_or_default()
    }

    fn cost(&self, request: &KnownRequest, unchanged: f64, total: f64) -> f64 {
        let cached = if request.is_warm { self.prices.cacheable_tokens(unchanged) } else { 0.0 };
        self.prices.cost(cached, total)
    }

    fn cost_without_cut(&self, request: &KnownRequest, node: &Node) -> f64 {
        let unchanged = self.tokens_before(request, request.shared_len, node);
        self.cost(request, unchanged, self.tokens_before(request, request.len, node))
    }

    fn steps(&self, request: &KnownRequest, parent: usize, node: &Node) -> Vec<SearchStep> {
        let Self { session, prices, .. } = self;
        let total = self.tokens_before(request, request.len, node);
        let later_reads = |tokens: f64| prices.read * request.warm_requests_left * tokens;
        let cost = node.cost + self.cost_without_cut(request, node);
        let mut waiting = SearchStep { parent, cut: None, cost, outlook: cost + later_reads(total) };
        let mut saved = 0.0;
        let mut steps: Vec<SearchStep> = Vec::new();
        let pending: Vec<usize> = session.pending(request.index, &node.is_replaced).collect();
        for position in pending.into_iter().rev() {
            saved += session.saving(position);
            let unchanged = self.tokens_before(request, position.min(request.shared_len), node);
            let cost = node.cost + self.cost(request, unchanged, total - saved);
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

    fn child(&self, request: &KnownRequest, parent: &Node, step: &SearchStep) -> Option<Node> {
        let Some(cut) = step.cut else { return Some(Node { cost: step.cost, ..parent.clone() }) };
        let mut is_replaced = parent.is_replaced.as_ref().clone();
        let pending = self.session.pending(request.index, &parent.is_replaced);
        for position in pending.filter(|&position| position >= cut) {
            *is_replaced.get_mut(position)? = true;
        }
        Some(self.new_node(step.cost, is_replaced))
    }

    /// The least cost of schedules whose requests each replace all outdated results or none: exact, by dynamic programming over the requests.
    /// O(requests² × messages).
    fn among_all_or_nothing(&self) -> f64 {
        let allowed_factor = 1.0 + self.max_extra_cost.unwrap_or(f64::INFINITY);
        let mut unmodified_cost = 0.0;
        let allowed_costs = self.choices_after(0).into_iter().map(|choice| {
            unmodified_cost += choice.cost_unchanged;
            allowed_factor * unmodified_cost
        });
        let allowed_costs: Vec<f64> = allowed_costs.collect();
        // `least_costs[n]`: the least cost of the first `n` requests if the last of them replaces everything outdated.
        let mut least_costs = vec![0.0];
        least_costs.resize(self.requests.len() + 1, f64::INFINITY);
        let mut best = f64::INFINITY;
        for replaced_len in 0..least_costs.len() {
            let mut cost = least_costs.get(replaced_len).copied().unwrap_or(f64::INFINITY);
            if cost.is_infinite() {
                continue;
            }
            let mut is_allowed = true;
            let choices = self.choices_after(replaced_len);
            let costs = allowed_costs.iter().zip(least_costs.iter_mut().skip(1)).skip(replaced_len);
            for (choice, (&allowed_cost, least_cost)) in choices.iter().zip(costs) {
                let cost_if_replacing = cost + choice.cost_replacing;
                if choice.has_outdated && cost_if_replacing <= allowed_cost {
                    *least_cost = least_cost.min(cost_if_replacing);
                }
                cost += choice.cost_unchanged;
                is_allowed = cost <= allowed_cost;
                if !is_allowed {
                    break;
                }
            }
            if is_allowed {
                best = best.min(cost);
            }
        }
        best
    }

    /// The choices of the requests from index `replaced_len` on, if the request before it replaced everything outdated; for 0, nothing is replaced.
    fn choices_after(&self, replaced_len: usize) -> Vec<ReplacementChoice> {
        let is_replaced = |message: &SimulatedMessage| message.outdated_from.is_some_and(|from| from < replaced_len);
        let node = self.new_node(0.0, self.session.messages.iter().map(is_replaced).collect());
        let choice = |request: &KnownRequest| {
            let pending: Vec<usize> = self.session.pending(request.index, &node.is_replaced).collect();
            let saved: f64 = pending.iter().map(|&position| self.session.saving(position)).sum();
            let first_changed = pending.first().map_or(request.shared_len, |&first| first.min(request.shared_len));
            let unchanged = self.tokens_before(request, first_changed, &node);
            ReplacementChoice {
                cost_unchanged: self.cost_without_cut(request, &node),
                cost_replacing: self.cost(request, unchanged, self.tokens_before(request, request.len, &node) - saved),
                has_outdated: !pending.is_empty(),
            }
        };
        self.requests.iter().skip(replaced_len).map(choice).collect()
    }
}
