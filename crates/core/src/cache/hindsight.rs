//! Searches the cheapest removal schedule when the whole session is known: by a beam search over suffixes of the outdated results, and
//! exactly among the schedules that replace everything or nothing with each request. The result is an upper bound of the optimum.

use std::rc::Rc;

use crate::cache::prices::Prices;
use crate::cache::simulation::{SimulatedMessage, SimulatedRequest, SimulatedSession, sum_from};

/// Beam width: schedules followed in parallel.
const WIDTH: usize = 60;

/// One schedule of the first requests.
#[derive(Clone)]
struct Node {
    /// Of the requests so far.
    cost: f64,
    /// For each message, whether it is replaced.
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
    for request in search.known_requests() {
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

    fn known_requests(&self) -> impl Iterator<Item = KnownRequest> + '_ {
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

    /// The node's possible steps: a cut at each pending result, and waiting.
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

/// The least cost of schedules whose requests each replace all outdated results or none: exact, by dynamic programming over the requests.
/// O(requests² × messages).
fn best_all_or_nothing(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let allowed_factor = 1.0 + max_extra_cost.unwrap_or(f64::INFINITY);
    let mut unmodified_cost = 0.0;
    let allowed_costs = choices_after(session, prices, 0).into_iter().map(|choice| {
        unmodified_cost += choice.cost_unchanged;
        allowed_factor * unmodified_cost
    });
    let allowed_costs: Vec<f64> = allowed_costs.collect();
    // `least_costs[n]`: the least cost of the first `n` requests if the last of them replaces everything outdated.
    let mut least_costs = vec![f64::INFINITY; session.requests.len() + 1];
    if let Some(of_no_requests) = least_costs.first_mut() {
        *of_no_requests = 0.0;
    }
    let mut best = f64::INFINITY;
    for replaced_len in 0..least_costs.len() {
        let mut cost = least_costs.get(replaced_len).copied().unwrap_or(f64::INFINITY);
        if cost.is_infinite() {
            continue;
        }
        let mut is_allowed = true;
        let later =
            least_costs.iter_mut().skip(replaced_len + 1).zip(allowed_costs.iter().skip(replaced_len));
        for (choice, (least_cost, &allowed_cost)) in
            choices_after(session, prices, replaced_len).iter().zip(later)
        {
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

/// The costs of one request with and without a replacement, if an earlier request replaced everything outdated and none has since.
struct ReplacementChoice {
    cost_unchanged: f64,
    /// If this request replaces everything outdated, too.
    cost_replacing: f64,
    /// True if a result is outdated that was not at that earlier request.
    has_outdated: bool,
}

/// The choices of the requests from index `replaced_len` on, if the request before it replaced everything outdated; for 0, nothing is replaced.
fn choices_after(session: &SimulatedSession, prices: &Prices, replaced_len: usize) -> Vec<ReplacementChoice> {
    let tokens_of = |message: &SimulatedMessage| {
        let is_replaced = message.outdated_from.is_some_and(|outdated_from| outdated_from < replaced_len);
        message.sent_tokens(is_replaced, false)
    };
    let tokens_by_message: Vec<f64> = session.messages.iter().map(tokens_of).collect();
    let mut sums = vec![session.fixed_tokens];
    for tokens in &tokens_by_message {
        sums.push(sums.last().copied().unwrap_or_default() + tokens);
    }
    let tokens_before = |position: usize| sums.get(position).copied().unwrap_or_default();
    let choice = |(index, request): (usize, &SimulatedRequest)| {
        let previous = session.previous(index);
        let elapsed = previous.map(|previous| request.now_ms - previous.now_ms);
        let shared_len = previous.map_or(0, |previous| previous.len.min(request.len));
        let (mut saved, mut first_changed) = (0.0, shared_len);
        let messages = session.messages.iter().zip(&tokens_by_message).take(request.len);
        for (position, (message, tokens)) in messages.enumerate() {
            if message.is_outdated(index) && message.tokens_replaced < *tokens {
                saved += tokens - message.tokens_replaced;
                first_changed = first_changed.min(position);
            }
        }
        let cost = |unchanged, total| prices.cost(prices.cached_tokens(unchanged, elapsed), total);
        ReplacementChoice {
            cost_unchanged: cost(tokens_before(shared_len), tokens_before(request.len)),
            cost_replacing: cost(tokens_before(first_changed), tokens_before(request.len) - saved),
            has_outdated: saved > 0.0,
        }
    };
    session.requests.iter().enumerate().skip(replaced_len).map(choice).collect()
}
