//! Lists the kinds of tools, and the tool names of agents in use.

use ToolKind::{Command, Delete, Edit, Editor, List, Move, Patch, Read, Search, WebSearch};

/// A tool's function, and thereby the meaning of its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Runs a command. The meaning of its result depends on the command, see [`command_of`](crate::tools::arguments::command_of).
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
    /// Not in [`registry`](crate::tools::registry).
    Other,
}

/// One agent's tools. All names are in lower case and compared without case.
#[derive(Debug, Clone, Copy)]
pub struct AgentTools {
    /// The name in options.
    pub name: &'static str,
    /// For each kind of tool, the names.
    pub tools: &'static [(ToolKind, &'static [&'static str])],
    /// Arguments of the agent's reads and edits that name a path.
    pub path_keys: &'static [&'static str],
}

/// The agents with known tools, in the order in which error messages list them.
pub const AGENTS: [AgentTools; 12] = [
    AgentTools {
        name: "claude-code",
        tools: &[
            (Command, &["bash", "bashoutput", "taskoutput", "powershell"]),
            (Read, &["read", "notebookread"]),
            (List, &["ls"]),
            (Edit, &["edit", "write", "multiedit", "notebookedit"]),
            (Search, &["grep", "glob"]),
            (WebSearch, &["websearch"]),
        ],
        path_keys: &["file_path", "path", "notebook_path"],
    },
    AgentTools {
        name: "codex",
        tools: &[
            (
                Command,
                &[
                    "shell", "shell_command", "exec_command", "exec", "local_shell", "container.exec",
                    "write_stdin",
                ],
            ),
            (Read, &["read_file", "view_image"]),
            (List, &["list_dir"]),
            (Edit, &["write_file"]),
            (Patch, &["apply_patch"]),
            (Search, &["grep_files"]),
            (WebSearch, &["web_search"]),
        ],
        path_keys: &["file_path", "path", "dir_path"],
    },
    AgentTools {
        name: "gemini-cli",
        tools: &[
            (Command, &["run_shell_command"]),
            (Read, &["read_file", "read_many_files"]),
            (List, &["list_directory"]),
            (Edit, &["replace", "write_file"]),
            (Search, &["search_file_content", "grep_search", "glob"]),
            (WebSearch, &["google_web_search"]),
        ],
        path_keys: &["absolute_path", "file_path", "path", "paths", "dir_path", "include"],
    },
    AgentTools {
        name: "opencode",
        tools: &[
            (Command, &["bash"]),
            (Read, &["read"]),
            (List, &["list"]),
            (Edit, &["edit", "write", "multiedit"]),
            (Patch, &["patch"]),
            (Search, &["grep", "glob", "codesearch"]),
            (WebSearch, &["websearch"]),
        ],
        path_keys: &["filepath", "filePath", "path"],
    },
    AgentTools {
        name: "cline",
        tools: &[
            (Command, &["execute_command"]),
            (Read, &["read_file"]),
            (List, &["list_files", "list_code_definition_names"]),
            (Edit, &["write_to_file", "replace_in_file"]),
            (Search, &["search_files"]),
        ],
        path_keys: &["path", "paths", "file_path"],
    },
    AgentTools {
        name: "roo-code",
        tools: &[
            (Command, &["execute_command", "read_command_output"]),
            (Read, &["read_file"]),
            (List, &["list_files", "list_code_definition_names"]),
            (Edit, &["write_to_file", "apply_diff", "insert_content", "search_and_replace"]),
            (Search, &["search_files", "codebase_search"]),
        ],
        path_keys: &["path", "files", "file_path"],
    },
    AgentTools {
        name: "cursor",
        tools: &[
            (Command, &["run_terminal_cmd", "run_terminal_command", "shell"]),
            (Read, &["read_file", "read"]),
            (List, &["list_dir"]),
            (Edit, &["edit_file", "search_replace", "write"]),
            (Delete, &["delete_file"]),
            (Search, &["grep_search", "file_search", "codebase_search", "grep", "glob"]),
        ],
        path_keys: &["target_file", "relative_workspace_path", "target_directory", "path"],
    },
    AgentTools {
        name: "copilot",
        tools: &[
            (Command, &["run_in_terminal", "get_terminal_output", "bash", "powershell"]),
            (Read, &["read_file", "view"]),
            (List, &["list_dir"]),
            (Edit, &["replace_string_in_file", "create_file", "insert_edit_into_file", "edit", "create"]),
            (Search, &["grep_search", "file_search", "semantic_search", "grep", "glob"]),
        ],
        path_keys: &["filepath", "filePath", "path", "file_path"],
    },
    AgentTools {
        name: "pi",
        tools: &[
            (Command, &["bash"]),
            (Read, &["read"]),
            (List, &["ls"]),
            (Edit, &["edit", "write"]),
            (Search, &["grep", "find"]),
        ],
        path_keys: &["path", "file_path"],
    },
    AgentTools {
        name: "swe-agent",
        tools: &[
            (Command, &["bash", "execute_bash", "execute_bash_command"]),
            (Read, &["open", "open_file", "view", "view_file", "cat"]),
            (Edit, &["edit", "create"]),
            (Editor, &["str_replace_editor"]),
            (Search, &["search_dir", "search_file", "find_file"]),
        ],
        path_keys: &["path", "file_path", "filename"],
    },
    AgentTools {
        name: "openhands",
        tools: &[
            (Command, &["execute_bash", "terminal", "cmd_run"]),
            (Read, &["read", "view_file"]),
            (Edit, &["edit", "write"]),
            (Editor, &["str_replace_editor"]),
            (Search, &["grep", "glob"]),
        ],
        path_keys: &["path", "file_path"],
    },
    AgentTools {
        name: "snow",
        tools: &[
            (Command, &["terminal-execute"]),
            (Read, &["filesystem-read"]),
            (Edit, &["filesystem-edit", "filesystem-edit_search", "filesystem-write", "filesystem-create"]),
            (Delete, &["filesystem-delete"]),
            (Search, &["ace-text_search", "ace-search", "ace-semantic_search"]),
        ],
        path_keys: &["filePath"],
    },
];

/// Terminal tools that a drop-in function covers (R1.4).
pub const TERMINAL_TOOLS: [&str; 22] = [
    "terminal-execute", "bash", "shell", "sh", "zsh", "powershell", "exec_command", "execute_command",
    "execute_bash", "execute_shell_command", "run_command", "run_bash", "run_shell", "run_shell_command",
    "run_terminal_cmd", "run_terminal_command", "run_in_terminal", "local_shell", "local_shell_call",
    "shell_command", "terminal", "container.exec",
];

/// Other names that many custom agents use.
pub(in crate::tools) const COMMON: AgentTools = AgentTools {
    name: "any",
    tools: &[
        (Command, &TERMINAL_TOOLS),
        (
            Read,
            &[
                "readfile", "read_text_file", "read_multiple_files", "get_file_contents", "view_file",
                "open_file", "cat", "fs_read", "file_read",
            ],
        ),
        (List, &["list_directory", "list_files"]),
        (
            Edit,
            &[
                "writefile", "edit_file", "editfile", "write_file", "str_replace", "file_write", "file_edit",
                "fs_write", "create_file", "save_file", "update_file", "append_file", "append_to_file",
                "multi_edit", "edit_block", "edit_notebook", "undo_edit", "insert", "append",
            ],
        ),
        (Delete, &["delete", "deletefile", "delete_file", "remove", "remove_file", "unlink", "rm"]),
        (Move, &["move", "move_file", "rename", "rename_file", "mv"]),
        (Editor, &["str_replace_based_edit_tool", "text_editor", "editor"]),
        (Patch, &["applypatch"]),
        (Search, &["search", "ripgrep", "rg", "find_files", "search_code", "text_search", "code_search"]),
    ],
    path_keys: &["file", "filename", "file_name", "target_file", "uri"],
};
