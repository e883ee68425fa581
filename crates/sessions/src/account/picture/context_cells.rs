//! The cells of one context (its messages, or kinds of content in them), and the requests that sent them.

use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::tools::label::KINDS;

use super::super::counted_context::CountedContext;
use super::cells::{Cell, ThreadPicture};

/// Tolerance for rounding errors in sums of tokens.
const TOLERANCE: f64 = 1e-6;

/// One context with its requests.
pub(super) struct ContextCells {
    /// Indices of the requests in the thread.
    pub request_indices: Vec<usize>,
    pub counted: CountedContext,
    /// By row (a tool result, or the rest of a message), index of its first cell; one more entry for the end.
    pub starts: Vec<usize>,
}

impl ContextCells {
    /// Sets what the agent sent with each request.
    pub(super) fn fill(&self, picture: &mut ThreadPicture) {
        let ThreadPicture { fixed_tokens, cells, requests, .. } = picture;
        let first = self.starts.first().copied().unwrap_or(0);
        for (&number, &length) in self.request_indices.iter().zip(&self.counted.lengths) {
            let Some(request) = requests.get_mut(number) else { continue };
            let end = self.starts.get(length).copied().unwrap_or(first);
            request.prompt = if end > first { vec![(first, end)] } else { Vec::new() };
            let mut by_kind = [0.0; KINDS.len()];
            if let Some(fixed) = by_kind.first_mut() {
                *fixed = *fixed_tokens;
            }
            for cell in cells.get(first..end).unwrap_or_default() {
                if let Some(tokens) = by_kind.get_mut(cell.kind) {
                    *tokens += cell.tokens_at(number);
                }
            }
            request.tokens = by_kind.iter().sum();
            request.tokens_by_kind = by_kind;
        }
    }

    /// Marks cells that a view sends with references.
    pub(super) fn mark_referring(&self, cells: &mut [Cell], step: &PlayedRequest<'_>) {
        for ((&is_short, message), &start) in
            step.has_references.iter().zip(&self.counted.view.messages).zip(&self.starts)
        {
            if let Some(cell) = cells.get_mut(start).filter(|_| is_short) {
                cell.tokens_short = Some(message.tokens_with_references);
            }
        }
    }

    /// Number of cells at the start of a prompt of `length` rows that are completely cached.
    pub(super) fn cached_cells(&self, length: usize, step: &PlayedRequest<'_>) -> usize {
        let cached_tokens = step.billed.cached - self.counted.columns.fixed_tokens + TOLERANCE;
        let sums = step.sums.get(1..=length).unwrap_or_default();
        let cached_rows = sums.partition_point(|&sum| sum <= cached_tokens);
        let start = |row: usize| self.starts.get(row).copied().unwrap_or(0);
        if step.billed.cached > 0.0 { start(cached_rows) - start(0) } else { 0 }
    }
}
