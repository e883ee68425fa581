//! Defines a reference: one line of a result that replaces lines which an earlier text of the prompt contains.

use std::ops::Range;

/// The origin of lines, by the application's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The row of a result.
    Result(u32),
    /// A call, with the lines in its arguments.
    Call(u32),
}

/// A run of lines that an earlier text contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The omitted lines, from 0.
    pub lines: Range<usize>,
    /// The result or call that has the lines.
    pub source: Source,
    /// The lines' place in the source text, from 0.
    pub source_lines: Range<usize>,
    /// Line numbers as shown: those that the tool printed, or counted from 1.
    pub shown_lines: Range<u32>,
    /// The same for the source text.
    pub source_shown_lines: Range<u32>,
}

/// A result that is sent with references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortened {
    pub text: Vec<u16>,
    pub references: Vec<Reference>,
}
