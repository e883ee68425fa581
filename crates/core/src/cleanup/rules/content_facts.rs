//! What was found by looking into contents, so that each is looked into once: an agent asks again before every request, with a
//! conversation that only grew.

use crate::failure::Verdict;
use crate::tools::ToolKind;

/// A question about a content, answered at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    StartsAsError,
    /// As a command's result it says that its call failed, or may have.
    CommandFailed,
    /// Whether the call failed is in doubt.
    IsCommandDoubtful,
    /// The same as the result of any other tool.
    OtherFailed,
    IsOtherDoubtful,
    HasMarker,
    HasStderr,
    IsSpared,
}

impl Fact {
    /// Whether the answer depends on the rule that asks.
    #[must_use]
    pub const fn is_of_one_rule(self) -> bool {
        matches!(self, Self::HasMarker | Self::IsSpared)
    }

    /// The kind of tool that a result is read as; commands aside they are all alike.
    #[must_use]
    pub const fn read_as(self) -> ToolKind {
        match self {
            Self::CommandFailed | Self::IsCommandDoubtful => ToolKind::Command,
            _ => ToolKind::Other,
        }
    }

    /// Whether a result of a tool of that kind says that its call failed, and whether that is in doubt.
    #[must_use]
    pub fn of_failure(kind: ToolKind) -> [Self; 2] {
        match kind {
            ToolKind::Command => [Self::CommandFailed, Self::IsCommandDoubtful],
            _ => [Self::OtherFailed, Self::IsOtherDoubtful],
        }
    }
}

/// By row, two bits for each fact.
#[derive(Debug, Default)]
pub struct ContentFacts {
    by_row: Vec<u16>,
}

impl ContentFacts {
    #[must_use]
    pub fn known(&self, row: usize, fact: Fact) -> Option<bool> {
        let bits = self.by_row.get(row).copied().unwrap_or(0) >> shift(fact);
        (bits & 1 == 1).then_some(bits & 2 == 2)
    }

    pub fn learn(&mut self, row: usize, fact: Fact, holds: bool) {
        if self.by_row.len() <= row {
            self.by_row.resize(row + 1, 0);
        }
        if let Some(bits) = self.by_row.get_mut(row) {
            *bits = (*bits & !(3 << shift(fact))) | ((1 | (u16::from(holds) << 1)) << shift(fact));
        }
    }

    pub fn learn_verdict(&mut self, row: usize, [failed, is_doubtful]: [Fact; 2], verdict: Verdict) {
        self.learn(row, failed, verdict != Verdict::Succeeded);
        self.learn(row, is_doubtful, verdict == Verdict::Doubtful);
    }

    pub fn truncate(&mut self, rows: usize) {
        self.by_row.truncate(rows);
    }

    /// The content of `row` has changed.
    pub fn forget(&mut self, row: usize) {
        if let Some(bits) = self.by_row.get_mut(row) {
            *bits = 0;
        }
    }
}

const fn shift(fact: Fact) -> u8 {
    fact as u8 * 2
}
