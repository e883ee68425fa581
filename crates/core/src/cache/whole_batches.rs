//! The best schedule, knowing the whole session, among those that replace all that is outdated or nothing: exact, by
//! dynamic programming over the requests at which that is done.

use crate::cache::prices::Prices;
use crate::cache::simulation::{Message, Session};

/// What the whole session costs. O(requests² × messages) at worst, where nothing ever pays.
#[must_use]
pub fn best_whole_batches(session: &Session, prices: &Prices) -> f64 {
    // `to_go[n]` is what all requests from `n` on cost when everything outdated was replaced with the one before.
    let mut to_go = vec![0.0; session.requests.len() + 1];
    for first in (0..session.requests.len()).rev() {
        let best = best_from(session, prices, first, &to_go);
        if let Some(entry) = to_go.get_mut(first) {
            *entry = best;
        }
    }
    to_go.first().copied().unwrap_or_default()
}

/// The messages as they are sent after everything outdated was replaced with some request.
struct Sent {
    tokens: Vec<f64>,
    /// Ahead of each message, and in all.
    sums: Vec<f64>,
}

impl Sent {
    /// As they are from request `first` on.
    fn before(session: &Session, first: usize) -> Self {
        let is_replaced = |message: &Message| message.stale_at.is_some_and(|stale_at| stale_at < first);
        let shorter = |message: &Message| message.tokens_after.min(message.tokens);
        let sent = |message| if is_replaced(message) { shorter(message) } else { message.tokens };
        let tokens: Vec<f64> = session.messages.iter().map(sent).collect();
        let mut sums = vec![session.fixed_tokens];
        for tokens in &tokens {
            sums.push(sums.last().copied().unwrap_or_default() + tokens);
        }
        Self { tokens, sums }
    }

    fn up_to(&self, len: usize) -> f64 {
        self.sums.get(len).copied().unwrap_or_default()
    }
}

/// The best of replacing everything next with some request from `first` on, or never again.
fn best_from(session: &Session, prices: &Prices, first: usize, to_go: &[f64]) -> f64 {
    let sent = Sent::before(session, first);
    let (mut carried, mut best) = (0.0, f64::INFINITY);
    for (request, this) in session.requests.iter().enumerate().skip(first) {
        let last = request.checked_sub(1).and_then(|last| session.requests.get(last));
        let elapsed = last.map(|last| this.now_ms - last.now_ms);
        let unchanged = last.map_or(0, |last| last.len.min(this.len));
        let (mut saved, mut changed) = (0.0, unchanged);
        for (position, (message, tokens)) in
            session.messages.iter().zip(&sent.tokens).take(this.len).enumerate()
        {
            let is_outdated = message.stale_at.is_some_and(|stale_at| stale_at <= request);
            if is_outdated && message.tokens_after < *tokens {
                saved += tokens - message.tokens_after;
                changed = changed.min(position);
            }
        }
        let bill = |unchanged, total| prices.cost(prices.cached_tokens(unchanged, elapsed), total);
        let replacing = bill(sent.up_to(changed), sent.up_to(this.len) - saved);
        best = best.min(carried + replacing + to_go.get(request + 1).copied().unwrap_or_default());
        carried += bill(sent.up_to(unchanged), sent.up_to(this.len));
        if carried >= best {
            return best;
        }
    }
    best.min(carried)
}
