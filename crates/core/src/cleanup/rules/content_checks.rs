//! Caches facts read from contents, so that each content is read once: agents evaluate before every request, and the conversation
//! only grows.

use crate::tools::ToolKind;

/// A fact about a content, computed at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentCheck {
    /// It begins as an error does.
    StartsAsError,
    /// Read as a command's output, it shows that the call failed or possibly failed.
    CommandFailed,
    /// Read as any other tool's output, it shows that the call failed or possibly failed.
    OtherFailed,
    /// It contains one of the rule's content markers.
    HasMarker,
    /// It is one JSON object with a non-empty `stderr`.
    HasStderr,
    /// It is a placeholder already, or no longer than the rule's placeholder.
    IsSpared,
}

impl ContentCheck {
    /// True if the fact depends on the rule.
    #[must_use]
    pub const fn is_of_one_rule(self) -> bool {
        matches!(self, Self::HasMarker | Self::IsSpared)
    }

    /// The tool kind that a result is read as; all kinds but commands are read alike.
    #[must_use]
    pub const fn read_as(self) -> ToolKind {
        match self {
            Self::CommandFailed => ToolKind::Command,
            _ => ToolKind::Other,
        }
    }

    /// The fact that a call of a tool of that kind failed.
    #[must_use]
    pub fn of_failure(kind: ToolKind) -> Self {
        match kind {
            ToolKind::Command => Self::CommandFailed,
            _ => Self::OtherFailed,
        }
    }
}

/// Two bits for each row and fact.
#[derive(Debug, Default)]
pub struct ContentChecks {
    by_row: Vec<u16>,
}

impl ContentChecks {
    #[must_use]
    pub fn known(&self, row: usize, fact: ContentCheck) -> Option<bool> {
        let bits = self.by_row.get(row).copied().unwrap_or(0) >> shift(fact);
        (bits & 1 == 1).then_some(bits & 2 == 2)
    }

    pub fn store(&mut self, row: usize, fact: ContentCheck, holds: bool) {
        if self.by_row.len() <= row {
            self.by_row.resize(row + 1, 0);
        }
        if let Some(bits) = self.by_row.get_mut(row) {
            *bits = (*bits & !(3 << shift(fact))) | ((1 | (u16::from(holds) << 1)) << shift(fact));
        }
    }

    pub fn truncate(&mut self, rows: usize) {
        self.by_row.truncate(rows);
    }

    /// Forgets the facts of `row`, whose content has changed.
    pub fn forget(&mut self, row: usize) {
        if let Some(bits) = self.by_row.get_mut(row) {
            *bits = 0;
        }
    }
}

const fn shift(fact: ContentCheck) -> u8 {
    fact as u8 * 2
}
