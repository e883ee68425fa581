//! What the rules read of calls.

/// The parts of a tool's calls that the rules read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallInterest {
    /// No rule covers the tool.
    #[default]
    None,
    /// A rule covers its results.
    Results,
    /// A rule also reads the arguments of its calls.
    Arguments,
}
