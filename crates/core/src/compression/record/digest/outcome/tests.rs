use proptest::prelude::*;
use serde_json::json;

use super::*;

fn call(name: &str) -> Call {
    Call { id: "call_1".into(), name: name.into(), arguments: "{}".into() }
}

fn result(text: &str) -> Message {
    Message { text: text.to_owned(), answers: vec!["call_1".into()], ..Message::default() }
}

fn of_command(text: &str) -> Outcome {
    Outcome::of(&call("bash"), &result(text))
}

fn of_read(text: &str) -> Outcome {
    Outcome::of(&call("read_file"), &result(text))
}

#[test]
fn r7_6_an_exit_code_of_zero_is_no_failure_whatever_stderr_says() {
    for text in [
        r#"{"stdout":"","stderr":"Cloning into 'x'...","exitCode":0}"#,
        r#"{"stdout":"","stderr":"warning: unused","exit_code":0,"error":"x"}"#,
        r#"{"output":"Error: a line of a log","metadata":{"exit_code":0,"duration_seconds":0.1}}"#,
        r#"{"output":"x","metadata":{"exit":0}}"#,
        r#"{"stderr":["npm notice"],"exitCode":"0"}"#,
        r#"{"stderr":"x","exitCode":0} [output was shortened]"#,
        r#"{"chunk_id":"a","wall_time_seconds":0.1,"exit_code":0,"original_token_count":1,"output":"panicked"}"#,
        "Error: this is what the program printed\nProcess exited with code 0",
        "Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nerror: x",
        "Command: ls\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 7",
        "ok\n[The command completed with exit code 0.]",
        "<returncode>0</returncode>\n<output>\nerror\n</output>",
    ] {
        assert_eq!(of_command(text), Outcome::Succeeded, "{text}");
    }
}

#[test]
fn r7_6_every_recorded_form_of_a_failure_is_understood() {
    for text in [
        r#"{"stdout":"","stderr":"","exitCode":2}"#,
        r#"{"output":"x","metadata":{"exit_code":101,"duration_seconds":1.5}}"#,
        r#"{"metadata":{"exit":1},"output":"x"}"#,
        r#"{"exit_code":null,"output":"x"}"#,
        r#"{"exitCode":"137","output":"x"} and a warning"#,
        r#"{"success":false,"output":"x"}"#,
        r#"{"success":false,"error":null}"#,
        r#"{"error":"no such file"}"#,
        r#"{"stderr":"make: *** no rule","stdout":""}"#,
        r#"[{"toolCallId":"call_0","success":true},{"toolCallId":"call_1","success":false,"error":"x"}]"#,
        "Exit code 1\nls: x",
        "fine\nCommand exited with code 2",
        "x\nCommand failed with exit code: 1.",
        "Output: (empty)\nError: killed\nExit Code: (none)\nSignal: 9\nBackground PIDs: (none)\nProcess Group PGID: 7",
        "x\n[The command completed with exit code 127.]",
        "<returncode>1</returncode>\n<output></output>",
        "  Error: ENOENT",
        "Script failed\nWall time 0.0 seconds",
    ] {
        assert_eq!(of_command(text), Outcome::Failed, "{text}");
    }
}

#[test]
fn r7_6_an_error_of_none_is_none() {
    for text in [
        "Error: (none)",
        "Error: none\nOutput: x",
        "Error: null",
        r#"{"success":true,"error":null}"#,
        r#"{"success":true,"error":"x"}"#,
        r#"{"output":"x","error":""}"#,
        r#"{"output":"x","error":"(none)"}"#,
        r#"{"output":"x","error":[],"stderr":""}"#,
        r#"{"output":"x","errors":{}}"#,
    ] {
        assert_eq!(of_command(text), Outcome::Succeeded, "{text}");
        assert_eq!(of_read(text), Outcome::Succeeded, "{text}");
    }
}

#[test]
fn r7_6_a_file_that_holds_errors_was_read_all_the_same() {
    let theme = r##"{"background":"#000","error":"red","errors":["x"],"text":"white","muted":"grey"}"##;
    let log = "1: exit code 1\n2: Error: x\n3: success: false";
    for text in [theme, log, "{\"error\":\"cut of", "[1,2,{\"success\":false}]"] {
        assert_eq!(of_read(text), Outcome::Succeeded, "{text}");
    }
    let failed = r#"{"success":false,"error":"ENOENT"}"#;
    assert_eq!(of_read(failed), Outcome::Failed);
}

#[test]
fn r7_6_the_hosts_own_mark_is_believed_before_anything_else() {
    let marked = Message { failed: true, ..result(r#"{"exitCode":0}"#) };
    assert_eq!(Outcome::of(&call("bash"), &marked), Outcome::Failed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn r7_6_no_text_beside_an_exit_code_of_zero_makes_a_failure(
        stderr in "(\\PC|error|Error: |\n|exit code 1){0,20}",
        stdout in "(\\PC|fatal|Exit Code: 2|\n){0,20}",
        key in prop::sample::select(vec!["exitCode", "exit_code", "returncode"]),
        code in prop::sample::select(vec![json!(0), json!("0"), json!(0.0)]),
        is_nested in any::<bool>(),
    ) {
        let exit = json!({key: code});
        let mut answer = json!({"stdout": stdout, "stderr": stderr, "error": "x"});
        if is_nested { answer["metadata"] = exit } else { answer[key] = exit[key].clone() }
        prop_assert_eq!(of_command(&answer.to_string()), Outcome::Succeeded);
    }

    #[test]
    fn r7_6_any_other_exit_code_is_a_failure_whatever_the_output_says(code in 1_i64..256, output in "(\\PC|success|\n){0,20}") {
        let json = json!({"output": output, "success": true, "metadata": {"exit_code": code}}).to_string();
        let line = format!("x\n{}\nCommand exited with code {code}", output.replace("exit", ""));
        prop_assert_eq!(of_command(&json), Outcome::Failed);
        prop_assert_eq!(of_command(&line), Outcome::Failed);
    }
}
