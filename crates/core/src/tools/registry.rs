//! Decides which of the agents' tools a rule covers, and which arguments name files and commands. Other modules have no such names; those of
//! each agent are in `registry/agents.tsv`.

use std::sync::LazyLock;

use ToolKind::{Command, List, Read, Search, WebSearch};

named_enum! {
    /// A tool's function, and thereby the meaning of its results; named as in `agents.tsv`.
    ToolKind {
        /// Runs a command. The meaning of its result depends on the command, see [`command_of`](crate::tools::arguments::command_of).
        Command = "command",
        Read = "read",
        List = "list",
        /// Creates a file or changes its content.
        Edit = "edit",
        Delete = "delete",
        Move = "move",
        /// Shows or changes a file, depending on its argument `command`.
        Editor = "editor",
        /// Changes the files that its patch names.
        Patch = "patch",
        Search = "search",
        WebSearch = "web-search",
        /// Not in this registry.
        Other = "other",
    }
}

/// One agent's tools. Their names are in lower case and compared without case.
#[derive(Debug, Clone)]
pub struct AgentTools {
    pub name: &'static str,
    pub tools: Vec<(ToolKind, &'static str)>,
    /// Arguments of the agent's reads and edits that name a path.
    pub path_keys: Vec<&'static str>,
}

/// Tools covered by a rule for terminal results (R1.4).
pub const TERMINAL: &[ToolKind] = &[Command];
/// Tools covered by a rule for reads of files and folders (R10.1).
pub const READS: &[ToolKind] = &[Read, List];
pub const SEARCHES: &[ToolKind] = &[Search, WebSearch];
/// Arguments that name files, most likely first.
pub const PATH_KEYS: [&str; 16] = [
    "file_path", "filePath", "path", "paths", "absolute_path", "relative_path", "target_file", "notebook_path",
    "filename", "fileName", "file", "files", "filepath", "file_name", "relative_workspace_path", "uri",
];
/// Arguments that name the file to move.
pub const SOURCE_KEYS: [&str; 6] = ["source", "from", "old_path", "oldPath", "source_path", "src"];
/// Arguments that name the place to which a file is moved.
pub const DESTINATION_KEYS: [&str; 7] = ["destination", "to", "new_path", "newPath", "destination_path", "dest", "dst"];
pub const COMMAND_KEYS: [&str; 5] = ["command", "cmd", "commandLine", "script", "code"];
pub const PATTERN_KEYS: [&str; 4] = ["pattern", "query", "regex", "search_term"];
/// Other arguments that distinguish calls of one tool, most likely first.
pub const DISTINGUISHING_KEYS: [&str; 8] =
    ["url", "name", "taskId", "description", "prompt", "input", "action", "question"];
/// Terminal tools that a drop-in function covers (R1.4); custom agents use these names, too.
pub const TERMINAL_TOOLS: [&str; 22] = [
    "terminal-execute", "bash", "shell", "sh", "zsh", "powershell", "exec_command", "execute_command", "execute_bash",
    "execute_shell_command", "run_command", "run_bash", "run_shell", "run_shell_command", "run_terminal_cmd",
    "run_terminal_command", "run_in_terminal", "local_shell", "local_shell_call", "shell_command", "terminal",
    "container.exec",
];
const ANY: &str = "any";
pub(super) static TABLE: LazyLock<Vec<AgentTools>> = LazyLock::new(|| {
    let mut table: Vec<AgentTools> = Vec::new();
    for line in include_str!("registry/agents.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let [name, kind, words] = [(); 3].map(|()| columns.next().unwrap_or_default());
        if table.last().is_none_or(|agent| agent.name != name) {
            let tools = if name == ANY { TERMINAL_TOOLS.map(|tool| (Command, tool)).to_vec() } else { Vec::new() };
            table.push(AgentTools { name, tools, path_keys: Vec::new() });
        }
        let Some(agent) = table.last_mut() else { continue };
        let words = words.split(' ');
        match ToolKind::from_name(kind) {
            Some(kind) => agent.tools.extend(words.map(|word| (kind, word))),
            None => agent.path_keys.extend(words),
        }
    }
    table
});

/// The agents with known tools, in the order in which error messages list them.
pub fn agents() -> impl Iterator<Item = &'static AgentTools> {
    TABLE.iter().filter(|agent| agent.name != ANY)
}

/// The tools of the agent `name`, in the spelling of options.
pub fn agent_named(name: &str) -> Option<&'static AgentTools> {
    agents().find(|agent| agent.name == name)
}

/// Names of the tools of these kinds, of `agent` or of all agents, without repetition.
pub fn tools_of(agent: Option<&AgentTools>, kinds: &[ToolKind]) -> Vec<&'static str> {
    let tools = agent_or_all(agent).flat_map(|agent| &agent.tools).filter(|(kind, _)| kinds.contains(kind));
    without_repetition(tools.map(|&(_, name)| name))
}

/// Arguments that name a path, of `agent` or of all agents, without repetition.
pub fn path_keys_of(agent: Option<&AgentTools>) -> Vec<&'static str> {
    without_repetition(agent_or_all(agent).flat_map(|agent| &agent.path_keys).copied())
}

fn agent_or_all(agent: Option<&AgentTools>) -> impl Iterator<Item = &AgentTools> {
    let all = if agent.is_none() { TABLE.as_slice() } else { &[] };
    agent.into_iter().chain(all)
}

fn without_repetition(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests;
