//! Stores what contents were found to be, so that each content is read once although rules are evaluated before every request.

use crate::tools::ToolKind;

/// A question about a content, answered at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentCheck {
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
    pub const fn depends_on_rule(self) -> bool {
        matches!(self, Self::HasMarker | Self::IsSpared)
    }

    /// The kind of tool whose output the content is taken for; all kinds but commands are the same.
    pub fn tool_kind(self) -> ToolKind {
        if self == Self::CommandFailed { ToolKind::Command } else { ToolKind::Other }
    }
}

/// For each row, the answers so far, in the order of [`ContentCheck`].
#[derive(Debug, Default)]
pub struct ContentChecks(Vec<[Option<bool>; CHECK_COUNT]>);

impl ContentChecks {
    pub fn known(&self, row: usize, check: ContentCheck) -> Option<bool> {
        *self.0.get(row)?.get(check as usize)?
    }

    pub fn store(&mut self, row: usize, check: ContentCheck, holds: bool) {
        if self.0.len() <= row {
            self.0.resize(row + 1, [None; CHECK_COUNT]);
        }
        if let Some(answer) = self.0.get_mut(row).and_then(|answers| answers.get_mut(check as usize)) {
            *answer = Some(holds);
        }
    }

    pub fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows);
    }

    pub fn forget(&mut self, row: usize) {
        if let Some(answers) = self.0.get_mut(row) {
            *answers = [None; CHECK_COUNT];
        }
    }
}
