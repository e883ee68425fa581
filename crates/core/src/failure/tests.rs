use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::compression::message::{ChatMessage, ToolCall};
use crate::compression::record::digest::CallOutcome;

/// Result forms and their verdicts; the tests of sessions and of the JavaScript side read the same file.
const FIXTURE: &str = include_str!("../../../../__test__/fixtures/failures.json");

fn verdict_from(name: &str) -> Verdict {
    match name {
        "failed" => Verdict::Failed,
        "doubtful" => Verdict::Doubtful,
        "succeeded" => Verdict::Succeeded,
        other => panic!("no verdict: {other}"),
    }
}

/// Each text with its verdict as the result of a command, and of another tool.
fn forms() -> Vec<(String, [(ToolKind, Verdict); 2])> {
    let fixture: serde_json::Value = serde_json::from_str(FIXTURE).unwrap();
    let texts = fixture["texts"].as_array().unwrap().iter().map(|entry| {
        let verdict = |key: &str| verdict_from(entry[key].as_str().unwrap());
        let text = entry["text"].as_str().unwrap().to_owned();
        (text, [(ToolKind::Command, verdict("command")), (ToolKind::Other, verdict("other"))])
    });
    texts.collect()
}

#[test]
fn r1_5_r7_6_every_form_of_a_failure_has_its_verdict() {
    for (text, verdicts) in forms() {
        for (tool, expected) in verdicts {
            assert_eq!(verdict(&units(&text), tool, None), expected, "{tool:?}: {text}");
            assert_eq!(verdict_of(&text, tool, None), expected, "UTF-8, {tool:?}: {text}");
        }
    }
}

#[test]
fn r1_5_the_verdict_by_the_beginning_never_contradicts_the_whole_text() {
    for (text, verdicts) in forms() {
        let text = units(&text);
        for (tool, expected) in verdicts {
            for length in 0..=text.len() {
                let head = verdict_by_head(&text[..length], length == text.len(), tool);
                assert!(head.is_none_or(|head| head == expected), "{tool:?}, {length}: {head:?}");
            }
        }
    }
}

#[test]
fn r7_6_a_summary_reports_failed_calls_and_no_doubtful_ones() {
    for (text, [(_, command), (_, other)]) in forms() {
        for (name, verdict) in [("Bash", command), ("mcp__files__read", other)] {
            let call = ToolCall { id: "call_9".into(), name: name.into(), arguments: "{}".into() };
            let result = ChatMessage { text: text.clone(), answers: vec!["call_9".into()], ..ChatMessage::default() };
            let has_failed = CallOutcome::read(&call, &result) == CallOutcome::Failed;
            // Among several results only the call's own is read, and this call has none there.
            let is_several = text.contains("call_0");
            assert_eq!(has_failed, verdict == Verdict::Failed && !is_several, "{name}: {text}");
        }
    }
}

#[test]
fn r7_6_an_array_of_results_is_read_at_the_entry_of_the_call() {
    let text = r#"[{"toolCallId":"a","success":true},{"toolCallId":"b","success":false,"error":"x"}]"#;
    assert_eq!(verdict_of(text, ToolKind::Other, Some("a")), Verdict::Succeeded);
    assert_eq!(verdict_of(text, ToolKind::Other, Some("b")), Verdict::Failed);
    assert_eq!(
        verdict_of(text, ToolKind::Other, None),
        Verdict::Doubtful,
        "which entry belongs to the call isn't known"
    );
}

#[test]
fn r7_6_the_failure_flag_of_a_message_overrides_its_text() {
    let call = ToolCall { id: "a".into(), name: "bash".into(), arguments: "{}".into() };
    let flagged = ChatMessage { failed: true, text: r#"{"exitCode":0}"#.to_owned(), ..ChatMessage::default() };
    assert_eq!(CallOutcome::read(&call, &flagged), CallOutcome::Failed);
}

#[test]
fn r1_5_has_stderr_reads_only_a_whole_json_object() {
    for text in [r#"{"stderr":"x"}"#, r#"{"stderr":"x","exitCode":0}"#, r#"{"stderr":[""]}"#] {
        assert!(has_stderr(&units(text)), "{text}");
    }
    for text in [r#"{"exitCode":1}"#, r#"{"stderr":"x"} trailing"#, r#"{"stderr":"x","stderr":""}"#, "Exit code: 1"] {
        assert!(!has_stderr(&units(text)), "{text}");
    }
}

#[test]
fn r1_5_white_space_before_error_is_what_javascript_trims() {
    assert_eq!(starts_as_error(&units("\u{FEFF}\u{2028} \tError: x"), true), Some(true));
    assert_eq!(starts_as_error(&units("error: x"), true), Some(false));
    assert_eq!(starts_as_error(&units("   Err"), false), None);
    assert_eq!(starts_as_error(&units("   Err"), true), Some(false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn r7_6_no_text_next_to_an_exit_code_of_zero_makes_a_failure(
        stderr in "(\\PC|error|Error: |\n|exit code 1){0,20}",
        stdout in "(\\PC|fatal|Exit Code: 2|\n){0,20}",
        key in prop::sample::select(vec!["exitCode", "exit_code", "returncode"]),
        code in prop::sample::select(vec![json!(0), json!("0"), json!(0.0)]),
        is_nested in any::<bool>(),
    ) {
        let exit = json!({key: code});
        let mut answer = json!({"stdout": stdout, "stderr": stderr, "error": "x"});
        if is_nested { answer["metadata"] = exit } else { answer[key] = exit[key].clone() }
        prop_assert_ne!(verdict_of(&answer.to_string(), ToolKind::Command, None), Verdict::Failed);
    }

    #[test]
    fn r7_6_any_other_exit_code_is_a_failure_whatever_the_output(code in 1_i64..256, output in "(\\PC|success|\n){0,20}") {
        let json = json!({"output": output, "success": true, "metadata": {"exit_code": code}}).to_string();
        let line = format!("x\n{}\nCommand exited with code {code}", output.replace("exit", ""));
        prop_assert_eq!(verdict_of(&json, ToolKind::Command, None), Verdict::Failed);
        prop_assert_eq!(verdict_of(&line, ToolKind::Command, None), Verdict::Failed);
    }
}
