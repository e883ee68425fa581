//! The cells of one context, and its requests.

use palimpsest_core::cache::simulation::PlayedRequest;
use palimpsest_core::tools::label::KINDS;

use super::super::counted_context::CountedContext;
use super::cells::{Cell, ThreadPicture};

/// Tolerance of a sum of tokens.
const SMALLEST: f64 = 1e-6;

/// One context with its requests.
pub(super) struct ContextCells {
    /// Indices of the requests in the thread.
    pub numbers: Vec<usize>,
    pub counted: CountedContext,
    /// By row, index of its first cell; one more entry for the end.
    pub starts: Vec<usize>,
}

impl ContextCells {
    /// Fills in what each request actually sent.
    pub(super) fn fill(&self, picture: &mut ThreadPicture) {
        let ThreadPicture { fixed_tokens, cells, requests, .. } = picture;
        let first = self.starts.first().copied().unwrap_or(0);
        for (&number, &length) in self.numbers.iter().zip(&self.counted.lengths) {
            let Some(request) = requests.get_mut(number) else { continue };
            let end = self.starts.get(length).copied().unwrap_or(first);
            request.prompt = if end > first { vec![(first, end)] } else { Vec::new() };
            let mut sum = [0.0; KINDS.len()];
            if let Some(fixed) = sum.first_mut() {
                *fixed = *fixed_tokens;
            }
            for cell in cells.get(first..end).unwrap_or_default() {
                if let Some(tokens) = sum.get_mut(cell.kind) {
                    *tokens += cell.tokens_at(number);
                }
            }
            request.tokens = sum.iter().sum();
            request.tokens_by_kind = sum;
        }
    }

    /// Marks cells that are sent with references.
    pub(super) fn note_short(&self, cells: &mut [Cell], step: &PlayedRequest<'_>) {
        for ((&is_short, message), &place) in
            step.has_references.iter().zip(&self.counted.view.messages).zip(&self.starts)
        {
            if let Some(cell) = cells.get_mut(place).filter(|_| is_short) {
                cell.tokens_short = Some(message.tokens_with_references);
            }
        }
    }

    /// Number of cells at the start of the prompt that are completely cached.
    pub(super) fn cached_cells(&self, length: usize, step: &PlayedRequest<'_>) -> usize {
        let known = step.billed.cached - self.counted.columns.fixed_tokens + SMALLEST;
        let sums = step.sums.get(1..=length).unwrap_or_default();
        let rows = sums.partition_point(|&sum| sum <= known);
        let start = |row: usize| self.starts.get(row).copied().unwrap_or(0);
        if step.billed.cached > 0.0 { start(rows) - start(0) } else { 0 }
    }
}
