//! Cost of each cell over all requests that sent it. A prompt's bill is divided among its cells by tokens and by cache hits, so that the
//! cells of a session together cost what its prompts did.

use super::super::charge::Charge;
use super::super::waterfall::Currency;
use super::cells::ThreadPicture;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct CellCost {
    /// Summed over the requests that sent it.
    pub tokens: f64,
    pub requests: usize,
    /// In the bill's currency; 0 if no usage is recorded.
    pub cost: f64,
    /// Part of `tokens` that was sent after the cell was outdated.
    pub stale_tokens: f64,
    pub stale_cost: f64,
}

impl CellCost {
    fn add(&mut self, tokens: f64, cost: f64, is_stale: bool) {
        if tokens <= 0.0 {
            return;
        }
        self.tokens += tokens;
        self.requests += 1;
        self.cost += cost;
        if is_stale {
            self.stale_tokens += tokens;
            self.stale_cost += cost;
        }
    }
}

/// Costs of one thread's cells, and of everything before them (`fixed`).
pub(super) struct ThreadCosts {
    pub fixed: CellCost,
    pub cells: Vec<CellCost>,
}

impl ThreadCosts {
    /// Adds up the requests from `from` on. O(requests × cells).
    pub fn of(thread: &ThreadPicture, charges: &[Option<Charge>], currency: Currency, from: usize) -> Self {
        let mut cell_costs =
            Self { fixed: CellCost::default(), cells: vec![CellCost::default(); thread.cells.len()] };
        for (number, request) in thread.requests.iter().enumerate().skip(from) {
            let charge = charges.get(number).copied().flatten();
            let scale = charge.map_or(0.0, |charge| charge.total_tokens / request.tokens.max(1.0));
            let cost = |from: f64, tokens: f64| {
                charge.map_or(0.0, |charge| {
                    currency.worth(&charge) * charge.cost_of(from * scale, (from + tokens) * scale)
                })
            };
            cell_costs.fixed.add(thread.fixed_tokens, cost(0.0, thread.fixed_tokens), false);
            let mut at = thread.fixed_tokens;
            for &(start, end) in &request.prompt {
                let cells = thread.cells.get(start..end).unwrap_or_default();
                let sums = cell_costs.cells.get_mut(start..end).unwrap_or_default();
                for (cell, sum) in cells.iter().zip(sums) {
                    let tokens = cell.tokens_at(number);
                    let is_stale = cell.stale_from.is_some_and(|from| from <= number);
                    sum.add(tokens, cost(at, tokens), is_stale);
                    at += tokens;
                }
            }
        }
        cell_costs
    }
}
