//! Searches the cheapest removal schedule when the whole session is known: a beam search, and the best schedule that replaces
//! everything or nothing. Both are upper bounds of the optimum.

use std::rc::Rc;

use crate::cache::all_or_nothing::best_all_or_nothing;
use crate::cache::prices::Prices;
use crate::cache::simulation::{SimulatedSession, sum_from};

/// Beam width: histories followed in parallel.
pub const WIDTH: usize = 60;

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
    let replaced = Rc::new(vec![false; session.messages.len()]);
    let before = Rc::new(sums(session, &replaced));
    let mut unmodified = Node { cost: 0.0, replaced, before };
    let mut nodes = vec![unmodified.clone()];
    for moment in moments(session, prices) {
        let mut steps: Vec<SearchStep> = nodes
            .iter()
            .enumerate()
            .flat_map(|(parent, node)| steps(session, prices, &moment, parent, node))
            .collect();
        unmodified.cost += moment.cost_unchanged(session, prices, &unmodified);
        if let Some(share) = max_extra_cost {
            steps.retain(|step| step.cut.is_none() || step.cost <= (1.0 + share) * unmodified.cost);
        }
        steps.sort_by(|a, b| a.outlook.total_cmp(&b.outlook));
        steps.dedup_by_key(|step| (step.outlook.to_bits(), step.cost.to_bits()));
        steps.truncate(WIDTH);
        nodes =
            steps.iter().filter_map(|step| taken(session, &moment, nodes.get(step.parent)?, step)).collect();
    }
    nodes.iter().map(|node| node.cost).fold(f64::INFINITY, f64::min)
}

fn moments<'a>(session: &'a SimulatedSession, prices: &'a Prices) -> impl Iterator<Item = KnownRequest> + 'a {
    let requests = &session.requests;
    let is_warm = |request: usize| {
        let pair =
            request.checked_sub(1).and_then(|last| Some((requests.get(last)?, requests.get(request)?)));
        pair.is_some_and(|(last, this)| this.now_ms - last.now_ms <= prices.ttl_ms)
    };
    requests.iter().enumerate().map(move |(request, sent)| {
        let following = (request + 1..requests.len()).take_while(|&next| is_warm(next)).count();
        let last = request.checked_sub(1).and_then(|last| requests.get(last));
        KnownRequest {
            request,
            len: sent.len,
            unchanged: last.map_or(0, |last| last.len.min(sent.len)),
            is_warm: is_warm(request),
            warm_requests_left: f64::from(u32::try_from(following).unwrap_or(u32::MAX)),
        }
    })
}

impl KnownRequest {
    fn ahead_of(&self, position: usize, session: &SimulatedSession, node: &Node) -> f64 {
        session.fixed_tokens + node.before.get(position.min(self.len)).copied().unwrap_or_default()
    }

    /// `position`: the first changed message.
    fn cached(&self, position: usize, session: &SimulatedSession, prices: &Prices, node: &Node) -> f64 {
        let unchanged = self.ahead_of(position.min(self.unchanged), session, node);
        if self.is_warm { prices.in_blocks(unchanged) } else { 0.0 }
    }

    fn cost_unchanged(&self, session: &SimulatedSession, prices: &Prices, node: &Node) -> f64 {
        let cached = self.cached(self.unchanged, session, prices, node);
        prices.cost(cached, self.ahead_of(self.len, session, node))
    }
}

fn steps(
    session: &SimulatedSession,
    prices: &Prices,
    moment: &KnownRequest,
    parent: usize,
    node: &Node,
) -> Vec<SearchStep> {
    let at = |position: usize| moment.ahead_of(position, session, node);
    let total = at(moment.len);
    let left = prices.read * moment.warm_requests_left;
    let without_cut = moment.cost_unchanged(session, prices, node);
    let mut stay = SearchStep { parent, cut: None, cost: node.cost + without_cut, outlook: 0.0 };
    stay.outlook = stay.cost + left * total;
    let mut saved = 0.0;
    let mut steps: Vec<SearchStep> = Vec::new();
    let pending: Vec<usize> = session.pending(moment.request, &node.replaced).collect();
    for position in pending.into_iter().rev() {
        saved += session.saving(position);
        let cost = node.cost + prices.cost(moment.cached(position, session, prices, node), total - saved);
        let outlook = cost + left * (total - saved);
        steps.push(SearchStep { parent, cut: Some(position), cost, outlook });
        // Waiting costs at most as much as making this change with the next request.
        let later = prices.premium() * (total - at(position)) - prices.write * saved;
        stay.outlook = stay.outlook.min(stay.cost + later + left * (total - saved));
    }
    steps.push(stay);
    steps
}

fn taken(
    session: &SimulatedSession,
    moment: &KnownRequest,
    parent: &Node,
    step: &SearchStep,
) -> Option<Node> {
    let Some(cut) = step.cut else { return Some(Node { cost: step.cost, ..parent.clone() }) };
    let mut replaced = parent.replaced.as_ref().clone();
    for position in session.pending(moment.request, &parent.replaced).filter(|&position| position >= cut) {
        *replaced.get_mut(position)? = true;
    }
    let before = Rc::new(sums(session, &replaced));
    Some(Node { cost: step.cost, replaced: Rc::new(replaced), before })
}

fn sums(session: &SimulatedSession, replaced: &[bool]) -> Vec<f64> {
    let mut sums = vec![0.0; session.messages.len() + 1];
    sum_from(&mut sums, session, (replaced, &[]), 0);
    sums
}
