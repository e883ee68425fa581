//! Decides which of the agents' tools a rule covers, and which arguments name files and commands. Other modules have no
//! such names.

mod agents;

use ToolKind::{Command, List, Read, Search, WebSearch};
pub(super) use agents::COMMON;
pub use agents::{AGENTS, AgentTools, TERMINAL_TOOLS, ToolKind};

/// Tools covered by a rule for terminal results (R1.4).
pub const TERMINAL: &[ToolKind] = &[Command];
/// Tools covered by a rule for reads of files and folders (R10.1).
pub const READS: &[ToolKind] = &[Read, List];
/// Tools covered by a rule for searches.
pub const SEARCHES: &[ToolKind] = &[Search, WebSearch];

/// Arguments that name files, most likely first.
pub const PATH_KEYS: [&str; 16] = [
    "file_path", "filePath", "path", "paths", "absolute_path", "relative_path", "target_file",
    "notebook_path", "filename", "fileName", "file", "files", "filepath", "file_name",
    "relative_workspace_path", "uri",
];
/// Arguments that name the file to move.
pub const SOURCE_KEYS: [&str; 6] = ["source", "from", "old_path", "oldPath", "source_path", "src"];
/// Arguments that name the place to which a file is moved.
pub const DESTINATION_KEYS: [&str; 7] =
    ["destination", "to", "new_path", "newPath", "destination_path", "dest", "dst"];
/// Arguments that hold a command.
pub const COMMAND_KEYS: [&str; 5] = ["command", "cmd", "commandLine", "script", "code"];
/// Arguments that hold a search pattern.
pub const PATTERN_KEYS: [&str; 4] = ["pattern", "query", "regex", "search_term"];
/// Other arguments that distinguish calls of one tool, most likely first.
pub const DISTINGUISHING_KEYS: [&str; 8] =
    ["url", "name", "taskId", "description", "prompt", "input", "action", "question"];

/// The tools of the agent `name`, in the spelling of options.
pub fn agent_named(name: &str) -> Option<&'static AgentTools> {
    AGENTS.iter().find(|agent| agent.name == name)
}

/// Names of the tools of these kinds, of `agent` or of all agents, without repetition.
pub fn tools_of(agent: Option<&AgentTools>, kinds: &[ToolKind]) -> Vec<&'static str> {
    let rows = agents_or_all(agent).flat_map(|agent| agent.tools).filter(|(kind, _)| kinds.contains(kind));
    without_repetition(rows.flat_map(|(_, names)| names.iter().copied()))
}

/// Arguments that name a path, of `agent` or of all agents, without repetition.
pub fn path_keys_of(agent: Option<&AgentTools>) -> Vec<&'static str> {
    without_repetition(agents_or_all(agent).flat_map(|agent| agent.path_keys.iter().copied()))
}

/// `agent` alone, or all agents and the common names.
fn agents_or_all(agent: Option<&AgentTools>) -> impl Iterator<Item = &AgentTools> {
    let all = if agent.is_none() { AGENTS.as_slice() } else { &[] };
    agent.into_iter().chain(all).chain(agent.is_none().then_some(&COMMON))
}

fn without_repetition(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
