//! Defines which kinds of tools and results each preset covers.

use crate::tools::ToolKind::{self, Command, Delete, Edit, Editor, List, Move, Other, Patch, Read, Search};
use crate::tools::result_kind::{ResultKind, kind_of_command, result_kind_by};

named_enum! {
    /// What a preset covers, by the preset's name.
    Subject {
        Commands = "terminal",
        Reads = "fileReads",
        Searches = "textSearch",
        Edits = "edits",
        /// Results of tools that no other rule covers.
        Others = "otherTools",
        /// Results of tools named by the application: removed as soon as an assistant message follows them.
        Dropped = "dropTools",
    }
}

impl Subject {
    /// The presets in the order in which they are applied. All are on by default in a view.
    pub const ALL: [Self; 5] = [Self::Commands, Self::Reads, Self::Searches, Self::Edits, Self::Others];

    pub const fn of(kind: ResultKind) -> Self {
        match kind {
            ResultKind::ShellRun | ResultKind::ShellRead | ResultKind::ShellSearch => Self::Commands,
            ResultKind::FileRead => Self::Reads,
            ResultKind::Search => Self::Searches,
            ResultKind::EditResult => Self::Edits,
            ResultKind::Web | ResultKind::Other => Self::Others,
        }
    }

    /// True for the original functions' presets, the only ones that are on by default in `prepareMessages`.
    pub const fn is_on_in_prepare(self) -> bool {
        matches!(self, Self::Commands | Self::Reads)
    }

    /// The kinds of tools whose results it covers. An editor's calls are reads or edits, by their arguments.
    pub const fn tool_kinds(self) -> &'static [ToolKind] {
        match self {
            Self::Commands => &[Command],
            Self::Reads => &[Read, Editor],
            Self::Searches => &[List, Search],
            Self::Edits => &[Edit, Patch, Delete, Move, Editor],
            Self::Others => &[ToolKind::WebSearch, Other],
            Self::Dropped => &[],
        }
    }

    pub const fn reads_arguments(self) -> bool {
        !matches!(self, Self::Others | Self::Dropped)
    }

    /// True if the kind of a result of such a tool depends on the arguments of its call.
    pub(super) fn kind_depends_on_arguments(self, tool_kind: ToolKind) -> bool {
        self == Self::Commands || (self.reads_arguments() && matches!(tool_kind, Command | Editor))
    }

    /// The kind of result of a call of `tool`; `None` if the rule does not cover it.
    pub(super) fn kind_of_call(self, tool_kind: ToolKind, tool: &str, arguments: &str) -> Option<ResultKind> {
        let kind = match (self, tool_kind) {
            (Self::Commands, _) => return Some(kind_of_command(arguments)),
            // An application's own tool.
            (Self::Reads, Other) => ResultKind::FileRead,
            (Self::Searches, Other) => ResultKind::Search,
            _ => result_kind_by(tool_kind, tool, arguments),
        };
        let is_edit = Self::of(kind) == Self::Edits;
        (is_edit == (self == Self::Edits)).then_some(kind)
    }
}
