//! Finds what an agent cleared from its prompt without a record: the provider's count is smaller than the file suggests. Which cells were
//! cleared is a guess, and marked as one.

use super::super::prompt::amount;
use super::cells::{Cell, place_of_kind};
use super::context_cells::ContextCells;
use crate::Agent;
use crate::model::{Session, Thread};

/// Counts of one prompt differ by some tokens.
const MIN_TOKENS: f64 = 1024.0;

/// Marks cleared cells in one context, so that its prompts have the tokens that the provider counted.
pub(super) fn mark_cleared(
    cells: &mut [Cell],
    context_cells: &ContextCells,
    session: &Session,
    thread: &Thread,
    fixed: f64,
) {
    let first = context_cells.starts.first().copied().unwrap_or(0);
    let end_of = |length: usize| context_cells.starts.get(length).copied().unwrap_or(first);
    let mut known = 0;
    for (&number, &length) in context_cells.numbers.iter().zip(&context_cells.counted.lengths) {
        let Some(request) = thread.requests.get(number) else { continue };
        let Some(usage) = request.usage.filter(|usage| usage.total() > 0) else { continue };
        let sent = cells.get(first..end_of(length)).unwrap_or_default();
        let excess =
            fixed + sent.iter().map(|cell| cell.tokens_at(number)).sum::<f64>() - amount(usage.total());
        if excess > MIN_TOKENS {
            let before = cells.get_mut(first..end_of(known)).unwrap_or_default();
            // At a new turn Codex drops the reasoning of the previous one; otherwise agents clear old results.
            let is_reasoning = session.agent == Agent::Codex && session.begins_turn(thread, request);
            let order = likeliest(before, (fixed, amount(usage.cache_read)), is_reasoning);
            clear(before, &order, number, excess);
        }
        known = known.max(length);
    }
}

/// Indices of cells that may have been cleared, likeliest first. Cells that were cache hits are unchanged.
fn likeliest(cells: &[Cell], (fixed, read): (f64, f64), is_reasoning: bool) -> Vec<usize> {
    let [result, reasoning, image, other] = ["result", "reasoning", "image", "other"].map(place_of_kind);
    // Agents don't clear texts and calls.
    let rank = |kind: usize| match kind {
        kind if kind == reasoning => Some(if is_reasoning { 0 } else { 2 }),
        kind if kind == result => Some(1),
        kind if kind == image || kind == other => Some(3),
        _ => None,
    };
    let mut start = fixed;
    let mut places: Vec<(bool, u8, usize)> = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        places.extend(rank(cell.kind).map(|rank| (start < read - MIN_TOKENS, rank, at)));
        start += cell.tokens - cell.tokens_cleared;
    }
    places.sort_unstable();
    places.into_iter().map(|(_, _, at)| at).collect()
}

fn clear(cells: &mut [Cell], order: &[usize], request: usize, mut excess: f64) {
    for &at in order {
        let Some(cell) = cells.get_mut(at).filter(|cell| cell.cleared_from.is_none() && cell.tokens > 0.0)
        else {
            continue;
        };
        cell.cleared_from = Some(request);
        cell.tokens_cleared = cell.tokens.min(excess);
        excess -= cell.tokens_cleared;
        if excess <= 0.0 {
            return;
        }
    }
}
