//! Neighbouring segments of base64 symbols, as they are found and judged.

use std::ops::Range;

/// Segments of base64 symbols: one line, or lines of equal length of which the last may be shorter.
#[derive(Debug, Default)]
pub struct Group {
    pub first: Range<usize>,
    pub others: Vec<Range<usize>>,
    pub symbols: usize,
    /// Symbols per line.
    pub width: usize,
    /// After the padding.
    pub end: usize,
}

impl Group {
    pub fn segments(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        std::iter::once(&self.first).chain(&self.others).cloned()
    }

    pub fn count(&self) -> usize {
        self.others.len() + 1
    }

    pub fn is_wrapped(&self) -> bool {
        !self.others.is_empty()
    }
}
