//! Decides what a call fetches, so that a repeated fetch is recognised by its call.

use serde_json::Value;

use super::arguments::{command_of, paths_at};
use super::registry::PATH_KEYS;
use super::result_kind::{ResultKind, result_kind_of};
use crate::text::json_text;

/// What a call asks for: calls with equal fetches get the same, except for changes in the meantime.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fetch {
    pub kind: ResultKind,
    tool: String,
    subject: String,
}

impl Fetch {
    /// The subject of a read is its files, whichever lines; of a command its text; of other calls all arguments.
    /// `arguments` may be JSON or any other text. O(arguments).
    pub fn of_call(tool: &str, arguments: &str) -> Self {
        let kind = result_kind_of(tool, arguments);
        let parse = || {
            let mut parsed =
                json_text::parse(arguments).unwrap_or_else(|_| Value::String(arguments.to_owned()));
            parsed.sort_all_objects();
            parsed
        };
        let subject = match command_of(tool, arguments) {
            Some(command) => command,
            None if kind == ResultKind::FileRead => files_in(&parse()),
            None => parse().to_string(),
        };
        Self { kind, tool: tool.to_ascii_lowercase(), subject }
    }
}

fn files_in(arguments: &Value) -> String {
    let files = paths_at(arguments, &PATH_KEYS);
    if files.is_empty() { arguments.to_string() } else { files.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_9_a_read_is_told_by_its_file_a_command_by_itself_and_any_other_call_by_all_it_says() {
        let same = |tool: &str, one: &str, other: &str| {
            Fetch::of_call(tool, one) == Fetch::of_call(&tool.to_uppercase(), other)
        };
        assert!(same("Read", r#"{"file_path":"a.ts"}"#, r#"{"file_path":"a.ts","offset":9}"#));
        assert!(!same("Read", r#"{"file_path":"a.ts"}"#, r#"{"file_path":"b.ts"}"#));
        assert!(same(
            "bash",
            r#"{"command":"ls -l "}"#,
            r#"{"command":"ls -l","description":"Looks","timeout":9}"#
        ));
        assert!(!same("bash", r#"{"command":"ls -l"}"#, r#"{"command":"ls"}"#));
        assert!(same("ask_database", r#"{"sql":"select 1","n":2}"#, r#"{"n": 2, "sql": "select 1"}"#));
        assert!(!same("Grep", r#"{"pattern":"x","path":"a"}"#, r#"{"pattern":"x","path":"b"}"#));
        assert!(!same("Read", "{}", "not JSON"));
    }
}
