//! Defines a candidate for base64 data: lines of base64 symbols that may belong together. `base64_runs` finds them and
//! `base64_detection` judges them. All positions are UTF-16 units of the text.

use std::ops::Range;

/// Base64 symbols on one line, or wrapped on lines of equal length, of which the last may be shorter.
#[derive(Debug, Default)]
pub struct Group {
    pub first: Range<usize>,
    pub others: Vec<Range<usize>>,
    /// The number of symbols in all segments.
    pub symbols: usize,
    /// Symbols per line.
    pub width: usize,
    /// The end of the last segment and of its padding.
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
