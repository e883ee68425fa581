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

const CHECK_COUNT: usize = ContentCheck::IsSpared as usize + 1;

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
    /// For each row, the answer to each check, in the order of [`ContentCheck`].
    by_row: Vec<[Option<bool>; CHECK_COUNT]>,
}

impl ContentChecks {
    /// The answer to `check` for `row`, if it is stored.
    pub fn known(&self, row: usize, check: ContentCheck) -> Option<bool> {
        self.by_row.get(row)?.get(check as usize).copied().flatten()
    }

    /// Stores whether `check` holds for `row`.
    pub fn store(&mut self, row: usize, check: ContentCheck, holds: bool) {
        if self.by_row.len() <= row {
            self.by_row.resize(row + 1, [None; CHECK_COUNT]);
        }
        if let Some(answer) = self.by_row.get_mut(row).and_then(|answers| answers.get_mut(check as usize)) {
            *answer = Some(holds);
        }
    }

    /// Forgets the answers for all but the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        self.by_row.truncate(rows);
    }

    /// Forgets the answers for `row`, whose content has changed.
    pub fn forget(&mut self, row: usize) {
        if let Some(answers) = self.by_row.get_mut(row) {
            *answers = [None; CHECK_COUNT];
        }
    }
}
