//! Finds what an agent cleared from its prompt without a record: the provider's count is smaller than the file suggests.
//! Which cells (messages, or kinds of content in them) were cleared is a guess.

use palimpsest_core::tools::label::KINDS;

use super::super::prompt::amount;
use super::cells::Cell;
use super::context_cells::ContextCells;
use crate::Agent;
use crate::model::{Session, Thread};

/// A smaller difference may come from the way of counting.
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
    // Rows that a previous request sent; only those can have been cleared.
    let mut known_length = 0;
    for (&number, &length) in context_cells.request_indices.iter().zip(&context_cells.counted.lengths) {
        let Some(request) = thread.requests.get(number) else { continue };
        let Some(usage) = request.usage.filter(|usage| usage.total() > 0) else { continue };
        let sent = cells.get(first..end_of(length)).unwrap_or_default();
        let excess =
            fixed + sent.iter().map(|cell| cell.tokens_at(number)).sum::<f64>() - amount(usage.total());
        if excess > MIN_TOKENS {
            let known = cells.get_mut(first..end_of(known_length)).unwrap_or_default();
            // At a new turn Codex drops the reasoning of the previous one; otherwise agents clear old results.
            let drops_reasoning = session.agent == Agent::Codex && session.begins_turn(thread, request);
            let order = likeliest(known, fixed, amount(usage.cache_read), drops_reasoning);
            clear(known, &order, number, excess);
        }
        known_length = known_length.max(length);
    }
}

/// Indices of cells that may have been cleared, likeliest first: not those among the first `cache_read` tokens, which
/// are unchanged since they were cache hits; then by kind.
fn likeliest(cells: &[Cell], fixed: f64, cache_read: f64, drops_reasoning: bool) -> Vec<usize> {
    // Agents don't clear texts and calls.
    let rank = |kind: usize| match KINDS.get(kind).copied() {
        Some("reasoning") => Some(if drops_reasoning { 0 } else { 2 }),
        Some("result") => Some(1),
        Some("image" | "other") => Some(3),
        _ => None,
    };
    let mut start = fixed;
    let mut ranked: Vec<(bool, u8, usize)> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let is_cache_hit = start < cache_read - MIN_TOKENS;
        ranked.extend(rank(cell.kind).map(|rank| (is_cache_hit, rank, index)));
        start += cell.tokens - cell.tokens_cleared;
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(.., index)| index).collect()
}

/// Marks cells in this order as cleared, until they hold the `excess` tokens.
fn clear(cells: &mut [Cell], order: &[usize], request: usize, mut excess: f64) {
    for &index in order {
        let cell = cells.get_mut(index).filter(|cell| cell.cleared_from.is_none() && cell.tokens > 0.0);
        let Some(cell) = cell else { continue };
        cell.cleared_from = Some(request);
        cell.tokens_cleared = cell.tokens.min(excess);
        excess -= cell.tokens_cleared;
        if excess <= 0.0 {
            return;
        }
    }
}
