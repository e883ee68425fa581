//! The kinds of results, with their names.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultKind {
    /// Output of a build, test, installation, commit.
    ShellRun,
    /// A file's content, or a change of it, printed by a command.
    ShellRead,
    /// File names or lines of files, printed by a command.
    ShellSearch,
    FileRead,
    Search,
    /// Confirmation that a file was changed.
    EditResult,
    Web,
    Other,
}

impl ResultKind {
    pub const ALL: [Self; 8] = [
        Self::ShellRun,
        Self::ShellRead,
        Self::ShellSearch,
        Self::FileRead,
        Self::Search,
        Self::EditResult,
        Self::Web,
        Self::Other,
    ];

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
}
