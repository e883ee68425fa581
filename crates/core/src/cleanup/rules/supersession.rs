//! The later events that make a result outdated.

/// The later event that makes a result outdated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supersession {
    /// A later read of the same path returns the same lines, or more.
    CoveredRead,
    /// A later call runs the same command with the same tool.
    RepeatedCommand,
    /// A later result of the same tool is the same text.
    IdenticalResult,
    /// The result is an error, and a later call with the same arguments succeeded.
    ResolvedError,
}

impl Supersession {
    /// True if results of all tools are covered.
    pub fn covers_every_tool(self) -> bool {
        matches!(self, Self::IdenticalResult | Self::ResolvedError)
    }
}
