//! Stores what contents were found to be, so that each content is read once although rules are evaluated before every request.

use crate::tools::ToolKind;

/// A question about a content, answered at most once.
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
    /// True if the answer differs from rule to rule.
    pub const fn depends_on_rule(self) -> bool {
        matches!(self, Self::HasMarker | Self::IsSpared)
    }

    /// The kind of tool whose output the content is taken for; all kinds but commands are the same.
    pub const fn tool_kind(self) -> ToolKind {
        match self {
            Self::CommandFailed => ToolKind::Command,
            _ => ToolKind::Other,
        }
    }

    /// The check whether a call of a tool of that kind failed.
    pub const fn of_failure(kind: ToolKind) -> Self {
        match kind {
            ToolKind::Command => Self::CommandFailed,
            _ => Self::OtherFailed,
        }
    }
}

/// The answers so far.
#[derive(Debug, Default)]
pub struct ContentChecks {
    /// For each row, two bits for each check: the lower is set once it is answered, the higher if it holds.
    by_row: Vec<u16>,
}

impl ContentChecks {
    /// The answer to `check` for `row`, if it is stored.
    pub fn known(&self, row: usize, check: ContentCheck) -> Option<bool> {
        let bits = self.by_row.get(row).copied().unwrap_or(0) >> shift(check);
        (bits & 1 == 1).then_some(bits & 2 == 2)
    }

    /// Stores whether `check` holds for `row`.
    pub fn store(&mut self, row: usize, check: ContentCheck, holds: bool) {
        if self.by_row.len() <= row {
            self.by_row.resize(row + 1, 0);
        }
        if let Some(bits) = self.by_row.get_mut(row) {
            *bits = (*bits & !(3 << shift(check))) | ((1 | (u16::from(holds) << 1)) << shift(check));
        }
    }

    /// Forgets the answers for all but the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        self.by_row.truncate(rows);
    }

    /// Forgets the answers for `row`, whose content has changed.
    pub fn forget(&mut self, row: usize) {
        if let Some(bits) = self.by_row.get_mut(row) {
            *bits = 0;
        }
    }
}

const fn shift(check: ContentCheck) -> u8 {
    check as u8 * 2
}
