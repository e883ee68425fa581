//! A prompt's bill, divided among its cells by tokens and cache hits: a session's cells cost what its prompts did.

use super::super::{Charge, Currency};
use super::cells::ThreadPicture;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct CellCost {
    pub tokens: f64,
    pub requests: usize,
    /// In the bill's currency; 0 if no usage is recorded.
    pub cost: f64,
    /// Parts of `tokens` and `cost` that were sent after the cell was outdated.
    pub outdated_tokens: f64,
    pub outdated_cost: f64,
}

impl CellCost {
    fn add(&mut self, tokens: f64, cost: f64, is_outdated: bool) {
        if tokens <= 0.0 {
            return;
        }
        self.tokens += tokens;
        self.requests += 1;
        self.cost += cost;
        if is_outdated {
            self.outdated_tokens += tokens;
            self.outdated_cost += cost;
        }
    }
}

pub(super) struct ThreadCosts {
    /// System prompt and tools that are not in a message: they precede all cells.
    pub fixed: CellCost,
    pub cells: Vec<CellCost>,
}

impl ThreadCosts {
    /// Adds up the thread's requests, from the `first` on. O(requests × cells).
    pub fn of(thread: &ThreadPicture, charges: &[Option<Charge>], currency: Currency, first: usize) -> Self {
        let mut costs = Self { fixed: CellCost::default(), cells: vec![CellCost::default(); thread.cells.len()] };
        for (index, request) in thread.requests.iter().enumerate().skip(first) {
            let charge = charges.get(index).copied().flatten();
            // The picture's tokens may differ from those that were billed.
            let scale = charge.map_or(0.0, |charge| charge.total_tokens / request.tokens.max(1.0));
            let cost_at = |offset: f64, tokens: f64| {
                charge.map_or(0.0, |charge| {
                    currency.unit_value(&charge) * charge.cost_of(offset * scale, (offset + tokens) * scale)
                })
            };
            costs.fixed.add(thread.fixed_tokens, cost_at(0.0, thread.fixed_tokens), false);
            let mut offset = thread.fixed_tokens;
            for &(start, end) in &request.prompt {
                let cells = thread.cells.get(start..end).unwrap_or_default();
                let cell_costs = costs.cells.get_mut(start..end).unwrap_or_default();
                for (cell, cell_cost) in cells.iter().zip(cell_costs) {
                    let tokens = cell.tokens_at(index);
                    let is_outdated = cell.stale_from.is_some_and(|stale_from| stale_from <= index);
                    cell_cost.add(tokens, cost_at(offset, tokens), is_outdated);
                    offset += tokens;
                }
            }
        }
        costs
    }
}
