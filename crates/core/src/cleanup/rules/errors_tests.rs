use super::*;
use crate::text::utf16::units;
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
fn r1_5_an_exit_code_other_than_zero_is_a_failure_and_so_are_null_and_other_texts() {
    for content in [
        r#"{"exitCode":1}"#,
        r#"{"exitCode":-1.5e3}"#,
        r#"{"exitCode":null}"#,
        r#"{"exitCode":"1"}"#,
        r#"{"exitCode":"ENOENT"}"#,
        r#"{"exitCode":""}"#,
    ] {
        assert!(failed(content), "{content}");
        assert!(!command_failed(&units(content), ErrorDetection::Stderr), "errors: 'seed': {content}");
    }
    for content in [
        r#"{"exitCode":0}"#,
        r#"{"exitCode":-0.0}"#,
        r#"{"exitCode":1e-999}"#,
        r#"{"exitCode":"0"}"#,
        r#"{"exitCode":"\u0030"}"#,
        r#"{"exitCode":false}"#,
        r#"{"exitCode":[1]}"#,
    ] {
        assert!(!failed(content), "{content}");
    }
}

#[test]
fn r1_5_last_duplicate_wins_and_nested_keys_do_not_count() {
    assert!(!failed(r#"{"stderr":"x","stderr":""}"#));
    assert!(failed(r#"{"stderr":"","std\u0065rr":"x"}"#));
    assert!(!failed(r#"{"result":{"stderr":"x","exitCode":2}}"#));
    assert!(!failed(r#"[{"stderr":"x"}]"#));
}

#[test]
fn r1_5_a_complete_object_is_read_whatever_follows_it_and_other_invalid_json_is_not_an_error() {
    assert!(failed("{\"stderr\":\"x\"} trailing"));
    assert!(failed("{\"exitCode\":1}\n[hook] {\"exitCode\":0}"), "the first object counts");
    assert!(!failed("{\"exitCode\":0}\n[hook] {\"exitCode\":1}"));
    assert!(!failed(r#"{"stderr":"x""#));
    assert!(!failed(r#"{"exitCode":1,}"#));
    assert!(!failed("warning\n{\"exitCode\":1}"));
    assert!(!failed("\u{FEFF}{\"stderr\":\"x\"}"));
    assert!(!command_failed(&units(r#"{"stderr":"x"} trailing"#), ErrorDetection::Stderr), "errors: 'seed'");
}

fn by_end(content: &str) -> Option<bool> {
    succeeded_by_end(&units(content), ErrorDetection::ExitCode)
}

#[test]
fn a_success_is_settled_by_its_last_members() {
    assert_eq!(by_end(r#"rest of stdout","stderr":"","exitCode":0}"#), Some(false));
    assert_eq!(by_end(r#"rest of stdout","stderr":"","exitCode":"0"}"#), Some(false));
    assert_eq!(
        by_end("…\",\n \"stderr\" : null , \"exitCode\" : 0 , \"command\": \"echo \\\"hi\\\"\" }"),
        Some(false)
    );
    assert_eq!(by_end(r#"{"a":1}"#), Some(false));
    assert_eq!(by_end(""), Some(false), "no object");
}

#[test]
fn what_the_end_cannot_settle_is_left_to_the_whole() {
    for content in [
        r#"","stderr":"x","exitCode":0}"#,
        r#"","stderr":"","exitCode":1}"#,
        r#"","stderr":"","exitCode":null}"#,
        r#"","stderr":"","exitCode":"ENOENT"}"#,
        r#"","stderr":[],"exitCode":0}"#,
        r#"","std\u0065rr":"","exitCode":0}"#,
        r#"nothing else fits","exitCode":0}"#,
        r#"\\\"":"","exitCode":0}"#,
    ] {
        assert_eq!(by_end(content), None, "{content}");
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
        Just("\"0\"".to_owned()),
        Just("\"ENOENT\"".to_owned()),
        Just("false".to_owned()),
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

/// What hosts write behind a result, and what would mislead whoever reads the last members alone.
fn appended() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just(""),
        Just(" \n"),
        Just("\n[hook] warning"),
        Just("x"),
        Just(",\"stderr\":\"\",\"exitCode\":0"),
        Just("\n{\"stderr\":\"\",\"exitCode\":0}"),
        Just("}"),
    ]
}

/// The units that [`crate::conversation::Texts::content_to_only`] gives, cut at any place.
fn end_of(content: &[u16], cut: prop::sample::Index) -> Option<&[u16]> {
    let end = content.iter().position(|&unit| unit == CLOSE_BRACE).map_or(0, |at| at + 1);
    let is_only = !content[end..].contains(&CLOSE_BRACE);
    is_only.then(|| &content[if end == 0 { 0 } else { cut.index(end) }..end])
}

proptest! {
    #[test]
    fn the_end_never_says_other_than_the_whole(
        json in terminal_json(),
        appended in appended(),
        cut in any::<prop::sample::Index>(),
        seed in any::<bool>(),
    ) {
        let content = units(&format!("{json}{appended}"));
        let detection = if seed { ErrorDetection::Stderr } else { ErrorDetection::ExitCode };
        if let Some(failed) = end_of(&content, cut).and_then(|end| succeeded_by_end(end, detection)) {
            prop_assert_eq!(failed, command_failed(&content, detection), "{}{}", json, appended);
        }
    }
}
