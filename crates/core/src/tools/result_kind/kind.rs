//! Lists the kinds of results, with their names.

use ResultKind::{EditResult, FileRead, Other, Search, ShellRead, ShellRun, ShellSearch, Web};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultKind {
    /// Output of a build, test, installation, commit.
    ShellRun,
    /// A file's content, or a change of it, printed by a command.
    ShellRead,
    /// File names or lines of files, printed by a command.
    ShellSearch,
    /// A file's content, from a tool for reading.
    FileRead,
    /// File names or lines of files, from a tool for searching or listing.
    Search,
    EditResult,
    /// Pages, or results of a search in the web.
    Web,
    Other,
}

impl ResultKind {
    pub const ALL: [Self; 8] = [ShellRun, ShellRead, ShellSearch, FileRead, Search, EditResult, Web, Other];

    /// Name in options and reports.
    pub const fn key(self) -> &'static str {
        self.names().0
    }

    /// Name in tables.
    pub const fn name(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::ShellRun => ("shellRun", "shell run"),
            Self::ShellRead => ("shellRead", "shell read"),
            Self::ShellSearch => ("shellSearch", "shell search"),
            Self::FileRead => ("fileRead", "file read"),
            Self::Search => ("search", "search"),
            Self::EditResult => ("editResult", "edit result"),
            Self::Web => ("web", "web"),
            Self::Other => ("other", "other"),
        }
    }

    /// The kind of a result that consists of several: the one that stays longest by its default age; `Other`, which says nothing about the
    /// content, only if there is no other.
    pub(crate) fn of_several(kinds: &[Self]) -> Option<Self> {
        let order = [FileRead, ShellRead, ShellSearch, Search, Web, ShellRun, EditResult, Other];
        order.into_iter().find(|kind| kinds.contains(kind))
    }
}
