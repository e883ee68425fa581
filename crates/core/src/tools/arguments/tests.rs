use super::*;

#[test]
fn r14_4_two_calls_fetch_the_same_by_file_command_or_all_arguments() {
    let is_same =
        |tool: &str, one: &str, other: &str| Fetch::of_call(tool, one) == Fetch::of_call(&tool.to_uppercase(), other);
    assert!(is_same("Read", r#"{"file_path":"a.ts"}"#, r#"{"file_path":"a.ts","offset":9}"#));
    assert!(!is_same("Read", r#"{"file_path":"a.ts"}"#, r#"{"file_path":"b.ts"}"#));
    assert!(is_same("bash", r#"{"command":"ls -l "}"#, r#"{"command":"ls -l","description":"Looks","timeout":9}"#));
    assert!(!is_same("bash", r#"{"command":"ls -l"}"#, r#"{"command":"ls"}"#));
    assert!(is_same("ask_database", r#"{"sql":"select 1","n":2}"#, r#"{"n": 2, "sql": "select 1"}"#));
    assert!(!is_same("Grep", r#"{"pattern":"x","path":"a"}"#, r#"{"pattern":"x","path":"b"}"#));
    assert!(!is_same("Read", "{}", "not JSON"));
}
