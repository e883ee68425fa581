//! Lists the kinds of results, with their names.

/// A kind of result, by which rules decide how long the result stays.
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
    /// Confirmation that a file was changed.
    EditResult,
    /// Pages, or results of a search in the web.
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
            Self::EditResult => "editResult",
            one_word => one_word.name(),
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
