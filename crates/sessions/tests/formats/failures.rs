//! A picture shows failed results by the same flags and texts as rules and summaries use.

use palimpsest_sessions::Session;
use palimpsest_sessions::account::picture::MessagePage;
use palimpsest_sessions::account::to_json;
use serde_json::{Value, json};

/// Shared with the tests of the core and of the JavaScript side.
const FIXTURE: &str = include_str!("../../../../__test__/fixtures/failures.json");

fn forms(kind: &str) -> Vec<Value> {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    fixture[kind].as_array().unwrap().clone()
}

/// True if the picture shows a result as failed.
fn shows_failure(session: &Session) -> bool {
    let page: Value = serde_json::from_str(&to_json(&MessagePage::of(session, 0..10))).unwrap();
    let messages = page["messages"].as_array().unwrap();
    messages.iter().flat_map(|message| message["parts"].as_array().unwrap()).any(|part| part["isError"] == true)
}

#[test]
fn r11_3_a_picture_shows_every_flagged_failure_of_every_dialect() {
    for form in forms("marks") {
        let mut messages = vec![json!({"role": "user", "content": "go"})];
        messages.extend(form["messages"].as_array().unwrap().iter().cloned());
        let session = super::text_of(&Value::from(messages).to_string());
        assert_eq!(Value::from(shows_failure(&session)), form["failed"], "{form}");
    }
}

#[test]
fn r11_3_a_picture_shows_every_failure_in_a_text_and_no_doubtful_one() {
    for form in forms("texts") {
        for (tool, verdict) in [("bash", &form["command"]), ("read_file", &form["other"])] {
            let call = json!({"id": "call_1", "type": "function", "function": {"name": tool, "arguments": "{}"}});
            let messages = json!([
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "call_1", "content": form["text"]},
            ]);
            let session = super::text_of(&messages.to_string());
            assert_eq!(shows_failure(&session), verdict == "failed", "{tool}: {}", form["text"]);
        }
    }
}
