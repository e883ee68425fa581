//! Which requests sent the cells of one context, and what the agent cleared. Some agents clear content unrecorded:
//! the provider then counts fewer tokens than the file suggests. Which cells were cleared is a guess.

use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::tools::label::KINDS;

use super::super::{CountedContext, to_f64};
use super::cells::{Cell, ThreadPicture};
use crate::agent::Agent;

const TOLERANCE: f64 = 1e-6;
/// A smaller difference between the file and the provider's count may come from the way of counting.
const MIN_CLEARED_TOKENS: f64 = 1024.0;

pub(super) struct ContextCells<'a> {
    pub counted: CountedContext<'a>,
    /// By row (a tool result, or the rest of a message), index of its first cell; one more entry for the end.
    pub cell_starts: Vec<usize>,
}

impl ContextCells<'_> {
    /// Index of the first cell of the row at `position`; of the context's first cell if there is no such row.
    fn start_of(&self, position: usize) -> usize {
        let start = self.cell_starts.get(position).or(self.cell_starts.first());
        start.copied().unwrap_or(0)
    }

    pub(super) fn cell_of<'c>(&self, position: usize, cells: &'c mut [Cell]) -> Option<&'c mut Cell> {
        cells.get_mut(*self.cell_starts.get(position)?)
    }

    fn sent_ranges(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        let requests = self.counted.request_indices.iter().zip(&self.counted.lengths);
        requests.map(|(&index, &length)| (index, self.start_of(0)..self.start_of(length)))
    }

    pub(super) fn fill_requests(&self, picture: &mut ThreadPicture) {
        let ThreadPicture { fixed_tokens, cells, requests, .. } = picture;
        for (index, sent) in self.sent_ranges() {
            let Some(request) = requests.get_mut(index) else { continue };
            request.prompt = if sent.is_empty() { Vec::new() } else { vec![(sent.start, sent.end)] };
            let mut by_kind = [0.0; KINDS.len()];
            if let Some(fixed) = by_kind.first_mut() {
                *fixed = *fixed_tokens;
            }
            for cell in cells.get(sent).unwrap_or_default() {
                if let Some(tokens) = by_kind.get_mut(cell.kind) {
                    *tokens += cell.tokens_at(index);
                }
            }
            request.tokens = by_kind.iter().sum();
            request.tokens_by_kind = by_kind;
        }
    }

    pub(super) fn mark_referring(&self, cells: &mut [Cell], step: &PlayedRequest<'_>) {
        let messages = step.has_references.iter().zip(&self.counted.view_columns.messages);
        for (position, (_, message)) in messages.enumerate().filter(|(_, (has_references, _))| **has_references) {
            if let Some(cell) = self.cell_of(position, cells) {
                cell.tokens_short = Some(message.tokens_with_references);
            }
        }
    }

    /// Number of cells at the start of a prompt of `length` rows that are completely cached.
    pub(super) fn cached_cells(&self, length: usize, step: &PlayedRequest<'_>) -> usize {
        let cached_tokens = step.billed.cached - self.counted.columns.fixed_tokens + TOLERANCE;
        let sums = step.sums.get(1..=length).unwrap_or_default();
        let cached_rows = sums.partition_point(|&sum| sum <= cached_tokens);
        if step.billed.cached > 0.0 { self.start_of(cached_rows) - self.start_of(0) } else { 0 }
    }

    /// Marks cleared cells, so that the prompts have the tokens that the provider counted.
    pub(super) fn mark_cleared(&self, cells: &mut [Cell], fixed_tokens: f64) {
        let counted_thread = self.counted.thread;
        let is_codex = counted_thread.rows.session.agent == Agent::Codex;
        // Cells that a previous request sent; only those can have been cleared.
        let mut known = self.start_of(0)..self.start_of(0);
        for (index, sent) in self.sent_ranges() {
            let Some(request) = counted_thread.thread.requests.get(index) else { continue };
            let Some(usage) = request.usage.filter(|usage| usage.total() > 0) else { continue };
            let sent_cells = cells.get(sent.clone()).unwrap_or_default();
            let sent_tokens = sent_cells.iter().map(|cell| cell.tokens_at(index)).sum::<f64>();
            let excess = fixed_tokens + sent_tokens - to_f64(usage.total());
            if excess > MIN_CLEARED_TOKENS {
                let known_cells = cells.get_mut(known.clone()).unwrap_or_default();
                // At a new turn Codex drops the reasoning of the previous one; otherwise agents clear old results.
                let drops_reasoning = is_codex && counted_thread.begins_turn(request);
                let order = likeliest(known_cells, fixed_tokens, to_f64(usage.cache_read), drops_reasoning);
                clear(known_cells, &order, index, excess);
            }
            known.end = known.end.max(sent.end);
        }
    }
}

/// Cells that may have been cleared, likeliest first: those among the first `cache_read` tokens last; then by kind.
fn likeliest(cells: &[Cell], fixed_tokens: f64, cache_read: f64, drops_reasoning: bool) -> Vec<usize> {
    // Agents don't clear texts and calls.
    let rank = |kind: usize| match KINDS.get(kind).copied() {
        Some("reasoning") => Some(if drops_reasoning { 0 } else { 2 }),
        Some("result") => Some(1),
        Some("image" | "other") => Some(3),
        _ => None,
    };
    let mut start = fixed_tokens;
    let mut ranked: Vec<(bool, u8, usize)> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let is_cache_hit = start < cache_read - MIN_CLEARED_TOKENS;
        ranked.extend(rank(cell.kind).map(|rank| (is_cache_hit, rank, index)));
        start += cell.tokens - cell.tokens_cleared;
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(.., index)| index).collect()
}

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
