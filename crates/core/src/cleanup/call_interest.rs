//! Defines what the rules read of a tool's calls, so that callers pass nothing else.

/// The parts that the rules read; each includes the one before it.
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
