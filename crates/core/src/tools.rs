//! Decides a tool's kind by its name, and a call's subject by its arguments. [`registry`] has every name and key; clean-up rules, summaries,
//! the pictures of a session and the readers of session files all use this module.

pub mod arguments;
pub mod label;
pub mod pattern;
pub mod registry;
pub mod result_kind;

use std::collections::HashMap;
use std::sync::LazyLock;

use registry::TABLE;
pub use registry::ToolKind;

/// Prefixes of MCP file servers' tools, whose names are otherwise like an agent's own.
const PREFIXES: [&str; 3] = ["filesystem_", "file_system_", "fs_"];

/// The kind of the tool `name`, compared without case, without the MCP server or namespace before it, and without the
/// date that Anthropic appends.
pub fn kind_of(name: &str) -> ToolKind {
    let name = name.rsplit("__").next().unwrap_or(name).to_ascii_lowercase().replace('-', "_");
    let without_namespace = name.rsplit(['.', '/', ':']).next().unwrap_or(&name);
    let before_date = without_namespace.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let undated = before_date.strip_suffix('_').unwrap_or(without_namespace);
    let unprefixed = PREFIXES.iter().find_map(|prefix| undated.strip_prefix(prefix)).unwrap_or(undated);
    let spellings = [name.as_str(), without_namespace, undated, unprefixed];
    let kind = spellings.into_iter().find_map(|name| KIND_BY_NAME.get(name));
    kind.copied().unwrap_or(ToolKind::Other)
}

/// The kind of each known name, with `_` for `-`. If several agents share a name, the first agent's kind counts.
static KIND_BY_NAME: LazyLock<HashMap<String, ToolKind>> = LazyLock::new(|| {
    let mut kind_by_name = HashMap::new();
    for (kind, name) in TABLE.iter().flat_map(|agent| &agent.tools) {
        kind_by_name.entry(name.replace('-', "_")).or_insert(*kind);
    }
    kind_by_name
});

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
