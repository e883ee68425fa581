//! Tools by what they do.

/// A tool's function, and thereby the meaning of its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Runs a command. The meaning of its result depends on the command, see [`arguments::command_of`].
    Command,
    /// Returns the content of a file.
    Read,
    /// Lists a folder.
    List,
    /// Creates a file or changes its content.
    Edit,
    Delete,
    Move,
    /// Shows or changes a file, depending on its argument `command`.
    Editor,
    /// Changes the files that its patch names.
    Patch,
    /// Finds files or lines.
    Search,
    WebSearch,
    /// Not in [`registry`].
    Other,
}
