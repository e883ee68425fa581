use std::path::Path;

use super::{Agent, default_folders};

fn folders_of(agent: Agent, variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let places = default_folders(Path::new("/home/me"), variable);
    let places_of_agent = places.into_iter().filter(|place| place.agent == agent);
    // Windows joins with a backslash.
    places_of_agent.map(|place| place.path.to_string_lossy().replace('\\', "/")).collect()
}

#[test]
fn r12_1_without_variables_the_default_folders_are_under_home() {
    assert_eq!(
        folders_of(Agent::ClaudeCode, |_| None),
        ["/home/me/.claude/projects", "/home/me/.config/claude/projects"]
    );
    assert_eq!(folders_of(Agent::Pi, |_| None), ["/home/me/.pi/agent/sessions"]);
}

#[test]
fn r12_1_a_variable_replaces_a_default_folder_and_an_empty_one_does_not() {
    let moved = |name: &str| (name == "CODEX_HOME").then(|| "/x".to_owned());
    assert_eq!(folders_of(Agent::Codex, moved), ["/x/sessions", "/x/archived_sessions"]);
    let database = |name: &str| (name == "OPENCODE_DB").then(|| "other.db".to_owned());
    let folder = "/home/me/.local/share/opencode";
    assert_eq!(folders_of(Agent::OpenCode, database), [format!("{folder}/other.db"), format!("{folder}/storage")]);
    let empty = |_: &str| Some(String::new());
    assert_eq!(folders_of(Agent::Codex, empty).first().map(String::as_str), Some("/home/me/.codex/sessions"));
}
