//! Finds the cheapest schedule among those that replace everything outdated or nothing, when the whole session is known: exact, by
//! dynamic programming over the requests.

use crate::cache::prices::Prices;
use crate::cache::simulation::{Sent, SimulatedMessage, SimulatedSession};

/// With `max_extra_cost`, only schedules that never exceed the unmodified session's cost by more than that share.
/// O(requests² × messages).
pub fn best_all_or_nothing(session: &SimulatedSession, prices: &Prices, max_extra_cost: Option<f64>) -> f64 {
    let share = 1.0 + max_extra_cost.unwrap_or(f64::INFINITY);
    let mut sum = 0.0;
    let unmodified = costs_after(session, prices, 0).into_iter().map(|costs| {
        sum += costs.unchanged;
        share * sum
    });
    let allowed: Vec<f64> = unmodified.collect();
    // `least_costs[n]`: the least cost of the first `n` requests if the last of them replaces everything outdated.
    let mut least_costs = vec![f64::INFINITY; session.requests.len() + 1];
    let mut best = f64::INFINITY;
    for first in 0..least_costs.len() {
        let mut cost =
            if first == 0 { 0.0 } else { least_costs.get(first).copied().unwrap_or(f64::INFINITY) };
        if cost.is_infinite() {
            continue;
        }
        let later = least_costs.iter_mut().skip(first + 1).zip(allowed.iter().skip(first));
        for (costs, (known, &allowed)) in costs_after(session, prices, first).iter().zip(later) {
            let replacing = cost + costs.replacing;
            if costs.replaces && replacing <= allowed {
                *known = known.min(replacing);
            }
            cost += costs.unchanged;
        }
        best = best.min(cost);
    }
    best
}

/// Costs of a request if everything outdated was replaced at an earlier one and nothing since.
struct Costs {
    unchanged: f64,
    /// Cost if this request also replaces everything outdated.
    replacing: f64,
    replaces: bool,
}

/// Costs of the requests from `first` on if the one before replaced everything outdated; for 0, nothing is replaced.
fn costs_after(session: &SimulatedSession, prices: &Prices, first: usize) -> Vec<Costs> {
    let sent = |message: &SimulatedMessage| {
        let is_replaced = message.stale_at.is_some_and(|stale_at| stale_at < first);
        message.sent(is_replaced, false)
    };
    let tokens: Vec<f64> = session.messages.iter().map(sent).collect();
    let mut sums = vec![session.fixed_tokens];
    for tokens in &tokens {
        sums.push(sums.last().copied().unwrap_or_default() + tokens);
    }
    let up_to = |len: usize| sums.get(len).copied().unwrap_or_default();
    let costs = |(request, this): (usize, &Sent)| {
        let last = session.previous(request);
        let elapsed = last.map(|last| this.now_ms - last.now_ms);
        let unchanged = last.map_or(0, |last| last.len.min(this.len));
        let (mut saved, mut changed) = (0.0, unchanged);
        for (position, (message, tokens)) in session.messages.iter().zip(&tokens).take(this.len).enumerate() {
            if message.is_outdated(request) && message.tokens_after < *tokens {
                saved += tokens - message.tokens_after;
                changed = changed.min(position);
            }
        }
        let bill = |unchanged, total| prices.cost(prices.cached_tokens(unchanged, elapsed), total);
        Costs {
            unchanged: bill(up_to(unchanged), up_to(this.len)),
            replacing: bill(up_to(changed), up_to(this.len) - saved),
            replaces: saved > 0.0,
        }
    };
    session.requests.iter().enumerate().skip(first).map(costs).collect()
}
