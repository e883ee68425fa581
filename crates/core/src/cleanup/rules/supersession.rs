//! The later events that make a result outdated.

use crate::text::utf16::ascii_lower;

/// The later event that makes a result outdated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Supersession {
    /// A later read of the same path returns the same lines, or more.
    CoveredRead,
    /// A later call of one of these tools, in lower case, changes the path.
    EditedRead { tools: Vec<Vec<u16>> },
    /// A later call runs the same command with the same tool.
    RepeatedCommand,
    /// A later result of the same tool is the same text.
    IdenticalResult,
    /// The result is an error, and a later call with the same arguments succeeded.
    ResolvedError,
}

impl Supersession {
    /// True if results of all tools are covered.
    pub fn covers_every_tool(&self) -> bool {
        matches!(self, Self::IdenticalResult | Self::ResolvedError)
    }

    /// True if calls of the tool `name`, which the rule does not cover, may supersede results that it covers.
    pub fn is_superseder(&self, name: &[u16]) -> bool {
        let Self::EditedRead { tools } = self else { return false };
        let folded: Vec<u16> = name.iter().map(|&unit| ascii_lower(unit)).collect();
        tools.contains(&folded)
    }
}
