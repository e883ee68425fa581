use super::*;
use crate::utf16::units;
use proptest::prelude::*;

fn failed(content: &str) -> bool {
    command_failed(&units(content), ErrorDetection::ExitCode)
}

#[test]
fn r1_5_white_space_before_error_is_what_javascript_trims() {
    assert_eq!(starts_as_error(&units("\u{FEFF}\u{2028} \tError: x"), true), Some(true));
    assert_eq!(starts_as_error(&units("error: x"), true), Some(false));
    assert_eq!(starts_as_error(&units("TypeError: x"), true), Some(false));
    assert_eq!(starts_as_error(&units("   Err"), false), None);
    assert_eq!(starts_as_error(&units("   Err"), true), Some(false));
}

#[test]
fn r1_5_stderr_must_be_a_filled_string_or_array() {
    assert!(failed(r#"{"stderr":"boom"}"#));
    assert!(failed(r#"{"stderr":[""]}"#));
    for content in [
        r#"{"stderr":""}"#,
        r#"{"stderr":[ ]}"#,
        r#"{"stderr":null}"#,
        r#"{"stderr":{"a":1}}"#,
        r#"{"stderr":7}"#,
    ] {
        assert!(!failed(content), "{content}");
    }
}

#[test]
fn r1_5_exit_code_must_be_a_number_other_than_zero() {
    assert!(failed(r#"{"exitCode":1}"#));
    assert!(failed(r#"{"exitCode":-1.5e3}"#));
    for content in [
        r#"{"exitCode":0}"#,
        r#"{"exitCode":-0.0}"#,
        r#"{"exitCode":"1"}"#,
        r#"{"exitCode":null}"#,
        r#"{"exitCode":1e-999}"#,
    ] {
        assert!(!failed(content), "{content}");
    }
    assert!(!command_failed(&units(r#"{"exitCode":1}"#), ErrorDetection::Stderr), "errors: 'seed'");
}

#[test]
fn r1_5_last_duplicate_wins_and_nested_keys_do_not_count() {
    assert!(!failed(r#"{"stderr":"x","stderr":""}"#));
    assert!(failed(r#"{"stderr":"","std\u0065rr":"x"}"#));
    assert!(!failed(r#"{"result":{"stderr":"x","exitCode":2}}"#));
    assert!(!failed(r#"[{"stderr":"x"}]"#));
}

#[test]
fn r1_5_invalid_json_is_not_an_error() {
    assert!(!failed(r#"{"stderr":"x""#));
    assert!(!failed(r#"{"stderr":"x"} trailing"#));
    assert!(!failed("\u{FEFF}{\"stderr\":\"x\"}"));
}

fn by_tail(content: &str) -> Option<bool> {
    succeeded_by_tail(&units(content), ErrorDetection::ExitCode)
}

#[test]
fn a_success_is_settled_by_its_last_members() {
    assert_eq!(by_tail(r#"rest of stdout","stderr":"","exitCode":0}"#), Some(false));
    assert_eq!(
        by_tail("…\",\n \"stderr\" : null , \"exitCode\" : 0 , \"command\": \"echo \\\"hi\\\"\" } \n"),
        Some(false)
    );
    assert_eq!(by_tail(r#"{"a":1}"#), Some(false));
    assert_eq!(by_tail("Done in 3 s"), Some(false), "not an object");
    assert_eq!(by_tail(""), Some(false));
}

#[test]
fn what_the_tail_cannot_settle_is_left_to_the_whole() {
    for content in [
        r#"","stderr":"x","exitCode":0}"#,
        r#"","stderr":"","exitCode":1}"#,
        r#"","stderr":[],"exitCode":0}"#,
        r#"","std\u0065rr":"","exitCode":0}"#,
        r#"","exitCode":0,"nested":{"stderr":"","exitCode":0}}"#,
        r#"nothing else fits","exitCode":0}"#,
        r#"\\\"":"","exitCode":0}"#,
    ] {
        assert_eq!(by_tail(content), None, "{content}");
    }
}

fn terminal_json() -> impl Strategy<Value = String> {
    let text = "([a-z ]|\\\\|\\\\\\\\|\\\\\"|\\\\n|,|:|\\{|\\}){0,12}";
    let value = prop_oneof![
        Just("\"\"".to_owned()),
        Just("0".to_owned()),
        Just("null".to_owned()),
        Just("1".to_owned()),
        Just("[]".to_owned()),
        Just("{\"stderr\":\"x\"}".to_owned()),
        text.prop_map(|body| format!("\"{body}\"")),
    ];
    let key =
        prop_oneof![Just("stderr"), Just("exitCode"), Just("stdout"), Just("std\\u0065rr"), Just("k\\\"")];
    prop::collection::vec((key, value), 0..6).prop_map(|members| {
        let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    })
}

proptest! {
    #[test]
    fn the_tail_never_says_other_than_the_whole(content in terminal_json(), cut in any::<prop::sample::Index>(), seed in any::<bool>()) {
        let content = units(&content);
        let detection = if seed { ErrorDetection::Stderr } else { ErrorDetection::ExitCode };
        let tail = &content[cut.index(content.len())..];
        if let Some(failed) = succeeded_by_tail(tail, detection) {
            prop_assert_eq!(failed, command_failed(&content, detection));
        }
    }
}
