//! Finds the cheapest schedule whose requests each replace all outdated results or none, when the whole session is known: exact, by
//! dynamic programming over the requests.

use crate::cache::prices::Prices;
use crate::cache::simulation::{SimulatedMessage, SimulatedRequest, SimulatedSession};

/// The least cost. With `max_extra_cost`, only schedules that never exceed the unmodified session's cost by more than that share.
/// O(requests² × messages).
pub fn best_all_or_nothing(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let allowed_factor = 1.0 + max_extra_cost.unwrap_or(f64::INFINITY);
    let mut unmodified_cost = 0.0;
    let allowed_costs = costs_after(session, prices, 0).into_iter().map(|costs| {
        unmodified_cost += costs.without_change;
        allowed_factor * unmodified_cost
    });
    let allowed_costs: Vec<f64> = allowed_costs.collect();
    // `least_costs[n]`: the least cost of the first `n` requests if the last of them replaces everything outdated.
    let mut least_costs = vec![f64::INFINITY; session.requests.len() + 1];
    if let Some(of_no_requests) = least_costs.first_mut() {
        *of_no_requests = 0.0;
    }
    let mut best = f64::INFINITY;
    for first in 0..least_costs.len() {
        let mut cost = least_costs.get(first).copied().unwrap_or(f64::INFINITY);
        if cost.is_infinite() {
            continue;
        }
        let mut is_allowed = true;
        let later = least_costs.iter_mut().skip(first + 1).zip(allowed_costs.iter().skip(first));
        for (costs, (least_cost, &allowed_cost)) in costs_after(session, prices, first).iter().zip(later) {
            let cost_if_replacing = cost + costs.replacing;
            if costs.has_outdated && cost_if_replacing <= allowed_cost {
                *least_cost = least_cost.min(cost_if_replacing);
            }
            cost += costs.without_change;
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

/// Costs of one request, if an earlier one replaced everything outdated and none has since.
struct Costs {
    without_change: f64,
    /// Cost if this request replaces everything outdated, too.
    replacing: f64,
    /// True if a result is outdated that was not at that earlier request.
    has_outdated: bool,
}

/// Costs of the requests from `first` on if the one before `first` replaced everything outdated; for 0, nothing is replaced.
fn costs_after(session: &SimulatedSession, prices: &Prices, first: usize) -> Vec<Costs> {
    let has_references = false;
    let tokens_of = |message: &SimulatedMessage| {
        let is_replaced = message.outdated_from.is_some_and(|outdated_from| outdated_from < first);
        message.sent_tokens(is_replaced, has_references)
    };
    let tokens_by_message: Vec<f64> = session.messages.iter().map(tokens_of).collect();
    let mut sums = vec![session.fixed_tokens];
    for tokens in &tokens_by_message {
        sums.push(sums.last().copied().unwrap_or_default() + tokens);
    }
    let up_to = |len: usize| sums.get(len).copied().unwrap_or_default();
    let costs = |(index, request): (usize, &SimulatedRequest)| {
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
        Costs {
            without_change: cost(up_to(shared_len), up_to(request.len)),
            replacing: cost(up_to(first_changed), up_to(request.len) - saved),
            has_outdated: saved > 0.0,
        }
    };
    session.requests.iter().enumerate().skip(first).map(costs).collect()
}
