//! The best schedule, knowing the whole session, among those that replace all that is outdated or nothing: exact, by
//! dynamic programming over the requests at which that is done.

use crate::cache::prices::Prices;
use crate::cache::simulation::Session;

/// For each request, what all requests behind it cost at best if everything outdated is replaced with it; and, first,
/// what the whole session costs.
#[must_use]
pub fn costs_to_go(session: &Session, prices: &Prices) -> Vec<f64> {
    let requests = session.requests.len();
    let mut to_go = vec![0.0; requests + 1];
    for from in (0..requests).rev() {
        let best = best_from(session, prices, Some(from), &to_go);
        if let Some(entry) = to_go.get_mut(from + 1) {
            *entry = best;
        }
    }
    let whole = best_from(session, prices, None, &to_go);
    if let Some(entry) = to_go.first_mut() {
        *entry = whole;
    }
    to_go
}

/// What follows when everything outdated was last replaced at `from`: `to_go` holds the answer for later requests.
fn best_from(session: &Session, prices: &Prices, from: Option<usize>, to_go: &[f64]) -> f64 {
    let replaced_by = |request: Option<usize>| {
        move |message: &&crate::cache::simulation::Message| {
            message.tokens_after < message.tokens
                && message.stale_at.zip(request).is_some_and(|(stale_at, request)| stale_at <= request)
        }
    };
    let sent: Vec<(f64, f64)> = session
        .messages
        .iter()
        .map(|message| {
            let before = if replaced_by(from)(&message) { message.tokens_after } else { message.tokens };
            (before, message.tokens_after.min(message.tokens))
        })
        .collect();
    let mut sums = vec![session.fixed_tokens];
    for (tokens, _) in &sent {
        sums.push(sums.last().copied().unwrap_or_default() + tokens);
    }
    let sum = |len: usize| sums.get(len).copied().unwrap_or_default();
    let first = from.map_or(0, |from| from + 1);
    let (mut carried, mut best) = (0.0, f64::INFINITY);
    for request in first..session.requests.len() {
        let Some(this) = session.requests.get(request) else { break };
        let last = request.checked_sub(1).and_then(|last| session.requests.get(last));
        let elapsed = last.map(|last| this.now_ms - last.now_ms);
        let unchanged = last.map_or(0, |last| last.len.min(this.len));
        let (mut saved, mut position) = (0.0, unchanged);
        for (index, (message, (before, after))) in
            session.messages.iter().zip(&sent).take(this.len).enumerate()
        {
            if before > after && message.stale_at.is_some_and(|stale_at| stale_at <= request) {
                saved += before - after;
                position = position.min(index);
            }
        }
        let bill = |unchanged, total| prices.cost(prices.cached_tokens(unchanged, elapsed), total);
        let flushed = bill(sum(position), sum(this.len) - saved);
        best = best.min(carried + flushed + to_go.get(request + 1).copied().unwrap_or_default());
        carried += bill(sum(unchanged), sum(this.len));
        if carried >= best {
            return best;
        }
    }
    best.min(carried)
}
