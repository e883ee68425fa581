//! What the agents in use today call their tools, and the arguments that name files and commands. Nobody else knows any name.

use super::ToolKind;
use super::ToolKind::{Command, Delete, Edit, Editor, List, Move, Patch, Read, Search, WebSearch};

/// One agent's tools. All names are in lower case and compared without case.
#[derive(Debug, Clone, Copy)]
pub struct AgentTools {
    pub name: &'static str,
    pub tools: &'static [(ToolKind, &'static [&'static str])],
    /// Arguments of its reads and edits that name a path.
    pub path_keys: &'static [&'static str],
}

/// What a rule about terminal results is about (R1.4).
pub const TERMINAL: &[ToolKind] = &[Command];
/// What a rule about reads of files and folders is about (R10.1).
pub const READS: &[ToolKind] = &[Read, List];
/// What makes an earlier read worthless (R10.9).
pub const CHANGES: &[ToolKind] = &[Edit, Delete, Move];
/// What a rule about searches is about.
pub const SEARCHES: &[ToolKind] = &[Search, WebSearch];

/// In the order in which errors name them.
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
                    "shell",
                    "shell_command",
                    "exec_command",
                    "exec",
                    "local_shell",
                    "container.exec",
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
    "terminal-execute",
    "bash",
    "shell",
    "sh",
    "zsh",
    "powershell",
    "exec_command",
    "execute_command",
    "execute_bash",
    "execute_shell_command",
    "run_command",
    "run_bash",
    "run_shell",
    "run_shell_command",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_in_terminal",
    "local_shell",
    "local_shell_call",
    "shell_command",
    "terminal",
    "container.exec",
];

/// Further names that many agents of people's own use.
pub(super) const COMMON: AgentTools = AgentTools {
    name: "any",
    tools: &[
        (Command, &TERMINAL_TOOLS),
        (
            Read,
            &[
                "readfile",
                "read_text_file",
                "read_multiple_files",
                "get_file_contents",
                "view_file",
                "open_file",
                "cat",
                "fs_read",
                "file_read",
            ],
        ),
        (List, &["list_directory", "list_files"]),
        (
            Edit,
            &[
                "writefile",
                "edit_file",
                "editfile",
                "write_file",
                "str_replace",
                "file_write",
                "file_edit",
                "fs_write",
                "create_file",
                "save_file",
                "update_file",
                "append_file",
                "append_to_file",
                "multi_edit",
                "edit_block",
                "edit_notebook",
                "undo_edit",
                "insert",
                "append",
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

/// Arguments that name files, the likeliest first.
pub const PATH_KEYS: [&str; 16] = [
    "file_path",
    "filePath",
    "path",
    "paths",
    "absolute_path",
    "relative_path",
    "target_file",
    "notebook_path",
    "filename",
    "fileName",
    "file",
    "files",
    "filepath",
    "file_name",
    "relative_workspace_path",
    "uri",
];
/// Arguments of moves.
pub const SOURCE_KEYS: [&str; 6] = ["source", "from", "old_path", "oldPath", "source_path", "src"];
pub const DESTINATION_KEYS: [&str; 7] =
    ["destination", "to", "new_path", "newPath", "destination_path", "dest", "dst"];
/// Arguments that hold a command.
pub const COMMAND_KEYS: [&str; 5] = ["command", "cmd", "commandLine", "script", "code"];
/// Arguments that say what is looked for.
pub const PATTERN_KEYS: [&str; 4] = ["pattern", "query", "regex", "search_term"];
/// Further arguments that tell calls of one tool apart, the likeliest first.
pub const TELLING_KEYS: [&str; 8] =
    ["url", "name", "taskId", "description", "prompt", "input", "action", "question"];

/// The agent called `name`.
#[must_use]
pub fn agent_named(name: &str) -> Option<&'static AgentTools> {
    AGENTS.iter().find(|agent| agent.name == name)
}

/// The names of one agent's tools of these kinds, or of all agents' where none is named; each name once.
#[must_use]
pub fn tools_of(agent: Option<&AgentTools>, kinds: &[ToolKind]) -> Vec<&'static str> {
    let rows = agents(agent).flat_map(|agent| agent.tools).filter(|(kind, _)| kinds.contains(kind));
    once(rows.flat_map(|(_, names)| names.iter().copied()))
}

/// The arguments that name a path, of one agent's tools or of all agents'; each once.
#[must_use]
pub fn path_keys_of(agent: Option<&AgentTools>) -> Vec<&'static str> {
    once(agents(agent).flat_map(|agent| agent.path_keys.iter().copied()))
}

fn agents(one: Option<&AgentTools>) -> impl Iterator<Item = &AgentTools> {
    let all = if one.is_none() { AGENTS.as_slice() } else { &[] };
    one.into_iter().chain(all).chain(one.is_none().then_some(&COMMON))
}

fn once(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
