use super::*;
use crate::tools::ToolKind::{Delete, Edit, Editor, Move, Patch};

#[test]
fn no_tool_has_two_kinds() {
    let kinds = [Command, Read, List, Edit, Delete, Move, Editor, Patch, Search, WebSearch];
    let all: Vec<_> = kinds.into_iter().flat_map(|kind| tools_of(None, &[kind])).collect();
    for (index, name) in all.iter().enumerate() {
        assert!(!all.iter().skip(index + 1).any(|other| other == name), "{name}");
        assert_eq!(*name, name.to_ascii_lowercase());
    }
}

#[test]
fn tools_of_an_agent_exclude_those_of_other_agents() {
    let codex = agent_named("codex");
    assert!(tools_of(codex, TERMINAL).contains(&"exec_command"));
    assert!(!tools_of(codex, READS).contains(&"read"));
    assert!(tools_of(None, READS).contains(&"read"));
    assert!(agent_named("nobody").is_none());
}

#[test]
fn r7_6_path_arguments_of_every_agent_are_known_to_summaries_and_labels() {
    let of_folders = ["dir_path", "target_directory", "include"];
    for key in path_keys_of(None) {
        assert!(PATH_KEYS.contains(&key) || of_folders.contains(&key), "{key}");
    }
}
