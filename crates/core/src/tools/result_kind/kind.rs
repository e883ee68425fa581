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
        match self {
            Self::ShellRun => "shellRun",
            Self::ShellRead => "shellRead",
            Self::ShellSearch => "shellSearch",
            Self::FileRead => "fileRead",
            Self::Search => "search",
            Self::EditResult => "editResult",
            Self::Web => "web",
            Self::Other => "other",
        }
    }

    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShellRun => "shell run",
            Self::ShellRead => "shell read",
            Self::ShellSearch => "shell search",
            Self::FileRead => "file read",
            Self::Search => "search",
            Self::EditResult => "edit result",
            Self::Web => "web",
            Self::Other => "other",
        }
    }
}
