use super::*;
use crate::failure::{Verdict, verdict};
use crate::text::utf16::units;
use crate::tools::ToolKind;
use proptest::prelude::*;

fn by_end(content: &str) -> bool {
    ends_as_success(&units(content))
}

#[test]
fn r1_5_the_last_members_of_a_json_result_prove_a_success() {
    for content in [
        r#"rest of stdout","stderr":"","exitCode":0}"#,
        r#"rest of stdout","stderr":"","exitCode":"0"}"#,
        r#"rest of output","stderr":"","exit_code":0}"#,
        "…\",\n \"stderr\" : null , \"exitCode\" : 0 , \"command\": \"echo \\\"hi\\\"\" }",
        r#"{"output":"x","returncode":0}"#,
    ] {
        assert!(by_end(content), "{content}");
    }
}

#[test]
fn r1_5_other_endings_of_a_json_result_prove_no_success() {
    for content in [
        r#"","stderr":"x","exitCode":0}"#,
        r#"","stderr":"","exitCode":1}"#,
        r#"","stderr":"","exitCode":null}"#,
        r#"","stderr":"","exitCode":"ENOENT"}"#,
        r#"","stderr":[],"exitCode":0}"#,
        r#"","std\u0065rr":"","exitCode":0}"#,
        r#"nothing else fits","exitCode":0}"#,
        r#"\\\"":"","exitCode":0}"#,
        r#"{"a":1}"#,
        r#"{"success":false}"#,
        "",
    ] {
        assert!(!by_end(content), "{content}");
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
    let key = prop_oneof![
        Just("stderr"),
        Just("exitCode"),
        Just("exit_code"),
        Just("success"),
        Just("std\\u0065rr"),
        Just("k\\\"")
    ];
    prop::collection::vec((key, value), 0..6).prop_map(|members| {
        let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    })
}

/// Texts that applications append to a result, and texts that mislead a reader of the last members.
fn appended() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just(""),
        Just(" \n"),
        Just("\n[hook] warning"),
        Just("x"),
        Just(",\"stderr\":\"\",\"exitCode\":0"),
        Just("\n{\"stderr\":\"\",\"exitCode\":0}"),
        Just("}"),
        Just("\nCommand exited with code 1"),
    ]
}

/// The units that [`crate::conversation::RowTexts::content_to_only`] reads, cut at any place.
fn end_of(content: &[u16], cut: prop::sample::Index) -> Option<&[u16]> {
    let end = content.iter().position(|&unit| unit == CLOSE_BRACE).map_or(0, |at| at + 1);
    let is_only = !content[end..].contains(&CLOSE_BRACE);
    is_only.then(|| &content[if end == 0 { 0 } else { cut.index(end) }..end])
}

proptest! {
    #[test]
    fn r1_5_the_verdict_by_the_end_never_contradicts_the_whole_text(
        json in terminal_json(),
        appended in appended(),
        cut in any::<prop::sample::Index>(),
    ) {
        let content = units(&format!("{json}{appended}"));
        if end_of(&content, cut).is_some_and(ends_as_success) {
            prop_assert_eq!(verdict(&content, ToolKind::Command, None), Verdict::Succeeded, "{}{}", json, appended);
        }
    }
}
