//! What the agents in use today call the tools whose results age, and the arguments that name a file.

use crate::cleanup::rules::presets;
use crate::cleanup::rules::{ErrorDetection, Grouping, Rule};
use crate::results::Language;
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;

/// One agent's tools. All names are in lower case and compared without case.
#[derive(Debug, Clone, Copy)]
pub struct Agent {
    pub name: &'static str,
    /// Run a command.
    pub terminal: &'static [&'static str],
    /// Give what a file or folder holds.
    pub read: &'static [&'static str],
    /// Change what a file holds.
    pub edit: &'static [&'static str],
    /// Find files or lines.
    pub search: &'static [&'static str],
    /// Arguments of `read` and `edit` that name a path.
    pub path_keys: &'static [&'static str],
}

/// In the order in which errors name them.
pub const AGENTS: [Agent; 12] = [
    Agent {
        name: "claude-code",
        terminal: &["bash", "bashoutput", "taskoutput", "powershell"],
        read: &["read", "ls", "notebookread"],
        edit: &["edit", "write", "multiedit", "notebookedit"],
        search: &["grep", "glob", "websearch"],
        path_keys: &["file_path", "path", "notebook_path"],
    },
    Agent {
        name: "codex",
        terminal: &[
            "shell",
            "shell_command",
            "exec_command",
            "exec",
            "local_shell",
            "container.exec",
            "write_stdin",
        ],
        read: &["read_file", "list_dir", "view_image"],
        edit: &["write_file"],
        search: &["grep_files", "web_search"],
        path_keys: &["file_path", "path", "dir_path"],
    },
    Agent {
        name: "gemini-cli",
        terminal: &["run_shell_command"],
        read: &["read_file", "read_many_files", "list_directory"],
        edit: &["replace", "write_file"],
        search: &["search_file_content", "grep_search", "glob", "google_web_search"],
        path_keys: &["absolute_path", "file_path", "path", "paths", "dir_path", "include"],
    },
    Agent {
        name: "opencode",
        terminal: &["bash"],
        read: &["read", "list"],
        edit: &["edit", "write", "multiedit"],
        search: &["grep", "glob", "websearch", "codesearch"],
        path_keys: &["filepath", "filePath", "path"],
    },
    Agent {
        name: "cline",
        terminal: &["execute_command"],
        read: &["read_file", "list_files", "list_code_definition_names"],
        edit: &["write_to_file", "replace_in_file"],
        search: &["search_files"],
        path_keys: &["path", "paths", "file_path"],
    },
    Agent {
        name: "roo-code",
        terminal: &["execute_command", "read_command_output"],
        read: &["read_file", "list_files", "list_code_definition_names"],
        edit: &["write_to_file", "apply_diff", "insert_content", "search_and_replace"],
        search: &["search_files", "codebase_search"],
        path_keys: &["path", "files", "file_path"],
    },
    Agent {
        name: "cursor",
        terminal: &["run_terminal_cmd", "run_terminal_command", "shell"],
        read: &["read_file", "list_dir", "read"],
        edit: &["edit_file", "search_replace", "delete_file", "write"],
        search: &["grep_search", "file_search", "codebase_search", "grep", "glob"],
        path_keys: &["target_file", "relative_workspace_path", "target_directory", "path"],
    },
    Agent {
        name: "copilot",
        terminal: &["run_in_terminal", "get_terminal_output", "bash", "powershell"],
        read: &["read_file", "list_dir", "view"],
        edit: &["replace_string_in_file", "create_file", "insert_edit_into_file", "edit", "create"],
        search: &["grep_search", "file_search", "semantic_search", "grep", "glob"],
        path_keys: &["filepath", "filePath", "path", "file_path"],
    },
    Agent {
        name: "pi",
        terminal: &["bash"],
        read: &["read", "ls"],
        edit: &["edit", "write"],
        search: &["grep", "find"],
        path_keys: &["path", "file_path"],
    },
    Agent {
        name: "swe-agent",
        terminal: &["bash", "execute_bash", "execute_bash_command"],
        read: &["open", "open_file", "view", "view_file", "cat"],
        edit: &["edit", "create"],
        search: &["search_dir", "search_file", "find_file"],
        path_keys: &["path", "file_path", "filename"],
    },
    Agent {
        name: "openhands",
        terminal: &["execute_bash", "terminal", "cmd_run"],
        read: &["read", "view_file"],
        edit: &["edit", "write"],
        search: &["grep", "glob"],
        path_keys: &["path", "file_path"],
    },
    Agent {
        name: "snow",
        terminal: &["terminal-execute"],
        read: &["filesystem-read"],
        edit: &[
            "filesystem-edit",
            "filesystem-edit_search",
            "filesystem-write",
            "filesystem-create",
            "filesystem-delete",
        ],
        search: &["ace-text_search", "ace-search", "ace-semantic_search"],
        path_keys: &["filePath"],
    },
];

/// Further names that many agents of people's own use.
const COMMON: Agent = Agent {
    name: "any",
    terminal: &crate::cleanup::rules::presets::TERMINAL_TOOLS,
    read: &[
        "readfile",
        "read_text_file",
        "get_file_contents",
        "view_file",
        "open_file",
        "cat",
        "fs_read",
        "file_read",
        "list_directory",
        "list_files",
    ],
    edit: &[
        "writefile",
        "edit_file",
        "write_file",
        "str_replace",
        "file_write",
        "file_edit",
        "fs_write",
        "create_file",
    ],
    search: &["search", "ripgrep", "rg", "find_files", "search_code", "text_search", "code_search"],
    path_keys: &["file", "filename", "file_name", "target_file", "uri"],
};

/// R1 for the tools of `agent`, or of all agents.
#[must_use]
pub fn terminal(agent: Option<&Agent>, language: Language) -> Rule {
    covering(presets::terminal(language), tools_of(agent, |agent| agent.terminal))
}

/// R2 for the tools of `agent`, or of all agents.
#[must_use]
pub fn file_reads(agent: Option<&Agent>, root: ProjectRoot, language: Language) -> Rule {
    let rule = presets::file_reads(root, language);
    let Grouping::Path { root, .. } = rule.grouping else { return rule };
    let keys = tools_of(agent, |agent| agent.path_keys).into_iter().map(units).collect();
    let rule = Rule { grouping: Grouping::Path { keys, root }, ..rule };
    covering(rule, tools_of(agent, |agent| agent.read))
}

/// R3b.1 for the tools of `agent`, or of all agents.
#[must_use]
pub fn text_search(agent: Option<&Agent>, language: Language) -> Rule {
    covering(presets::text_search(language), tools_of(agent, |agent| agent.search))
}

fn covering(rule: Rule, tools: Vec<&'static str>) -> Rule {
    let tools = tools.into_iter().map(units).collect();
    Rule { tools, ignore_case: true, errors: ErrorDetection::Everywhere, ..rule }
}

/// Whether some agent runs commands with a tool of that name.
#[must_use]
pub fn runs_commands(name: &str) -> bool {
    let mut names = AGENTS.iter().chain([&COMMON]).flat_map(|agent| agent.terminal);
    names.any(|tool| tool.eq_ignore_ascii_case(name))
}

/// Which part of the agents' tools is meant.
pub type Part = fn(&Agent) -> &'static [&'static str];

/// The agent called `name`.
#[must_use]
pub fn named(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().find(|agent| agent.name == name)
}

/// A part of one agent's tools, or of all agents' where none is named; each name once.
#[must_use]
pub fn tools_of(agent: Option<&Agent>, part: Part) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = agent.map_or_else(
        || AGENTS.iter().chain([&COMMON]).flat_map(|agent| part(agent).iter().copied()).collect(),
        |agent| part(agent).to_vec(),
    );
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_belongs_to_two_rules() {
        let parts: [Part; 4] =
            [|agent| agent.terminal, |agent| agent.read, |agent| agent.edit, |agent| agent.search];
        let all: Vec<_> = parts.into_iter().flat_map(|part| tools_of(None, part)).collect();
        for (index, name) in all.iter().enumerate() {
            assert!(!all.iter().skip(index + 1).any(|other| other == name), "{name}");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn r10_1_one_agents_tools_are_its_own() {
        let codex = named("codex");
        assert!(tools_of(codex, |agent| agent.terminal).contains(&"exec_command"));
        assert!(!tools_of(codex, |agent| agent.read).contains(&"read"));
        assert!(tools_of(None, |agent| agent.read).contains(&"read"));
        assert!(named("nobody").is_none());
    }
}
