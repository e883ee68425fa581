//! Decides what a tool does, by its name, and what a call of it is about, by its arguments. [`registry`] has every name and key;
//! the rules of clean-up, summaries, pictures and sessions on disk ask here.

pub mod arguments;
pub mod label;
pub mod pattern;
pub mod registry;
pub mod result_kind;

use registry::{AGENTS, COMMON};

/// What a tool does, and so what its result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Runs a command. What its result is depends on the command, which [`arguments::command_of`] finds.
    Command,
    /// Gives what a file holds.
    Read,
    /// Gives what a folder holds.
    List,
    /// Creates a file or changes what it holds.
    Edit,
    Delete,
    Move,
    /// Shows or changes a file: its argument `command` says which.
    Editor,
    /// Changes the files that its patch names.
    Patch,
    /// Finds files or lines.
    Search,
    WebSearch,
    /// No tool of [`registry`].
    Other,
}

/// Of an MCP server's files, whose tools are called like an agent's own otherwise.
const PREFIXES: [&str; 3] = ["filesystem_", "file_system_", "fs_"];

/// What the tool called `name` does: without case, without the name of an MCP server or a namespace before it, and without the
/// date that Anthropic puts behind it.
#[must_use]
pub fn kind_of(name: &str) -> ToolKind {
    let name = name.rsplit("__").next().unwrap_or(name).to_ascii_lowercase().replace('-', "_");
    let own = name.rsplit(['.', '/', ':']).next().unwrap_or(&name);
    let undated = own.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let undated = undated.strip_suffix('_').unwrap_or(own);
    let plain = PREFIXES.iter().find_map(|prefix| undated.strip_prefix(prefix)).unwrap_or(undated);
    [name.as_str(), own, undated, plain].into_iter().find_map(known_kind).unwrap_or(ToolKind::Other)
}

fn known_kind(folded: &str) -> Option<ToolKind> {
    let is_it = |known: &&str| {
        let known = known.bytes().map(|byte| if byte == b'-' { b'_' } else { byte });
        known.eq(folded.bytes())
    };
    let rows = AGENTS.iter().chain([&COMMON]).flat_map(|agent| agent.tools);
    rows.into_iter().find(|(_, names)| names.iter().any(&is_it)).map(|&(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls of tools with what they are, and what tells them apart; the face's tests read the same file.
    const FIXTURE: &str = include_str!("../../../__test__/fixtures/tools.json");

    fn kind_named(name: &str) -> ToolKind {
        match name {
            "command" => ToolKind::Command,
            "read" => ToolKind::Read,
            "list" => ToolKind::List,
            "edit" => ToolKind::Edit,
            "delete" => ToolKind::Delete,
            "move" => ToolKind::Move,
            "editor" => ToolKind::Editor,
            "patch" => ToolKind::Patch,
            "search" => ToolKind::Search,
            "web-search" => ToolKind::WebSearch,
            "other" => ToolKind::Other,
            other => panic!("no kind: {other}"),
        }
    }

    #[test]
    fn r10_1_every_call_is_known_by_its_tools_name_and_told_by_what_it_is_about() {
        let fixture: serde_json::Value = serde_json::from_str(FIXTURE).unwrap();
        for entry in fixture.as_array().unwrap() {
            let text = |key: &str| entry[key].as_str().unwrap();
            assert_eq!(kind_of(text("tool")), kind_named(text("kind")), "{entry}");
            let label = label::of_call(text("tool"), &entry["arguments"].to_string());
            assert_eq!(label, text("label"), "{entry}");
        }
    }
}
