//! Session files of Codex.

use palimpsest_sessions::ThreadKind;
use serde_json::{Value, json};

use crate::{lines, sent_by_main};

fn line(kind: &str, payload: Value) -> Value {
    json!({"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload})
}

fn meta() -> Value {
    line(
        "session_meta",
        json!({"id": "s", "cwd": "/p", "cli_version": "0.144", "base_instructions": {"text": "be good"}}),
    )
}

fn message(role: &str, text: &str) -> Value {
    line("response_item", json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}))
}

fn call(id: &str) -> Value {
    line("response_item", json!({"type": "function_call", "name": "ls", "arguments": "{}", "call_id": id}))
}

fn output(id: &str) -> Value {
    line("response_item", json!({"type": "function_call_output", "call_id": id, "output": "ok"}))
}

fn count(total: u64, input: u64, cached: u64) -> Value {
    line(
        "event_msg",
        json!({"type": "token_count", "info": {
        "total_token_usage": {"total_tokens": total},
        "last_token_usage": {"input_tokens": input, "cached_input_tokens": cached, "output_tokens": 2, "reasoning_output_tokens": 1}}}),
    )
}

#[test]
fn parallel_calls_are_one_assistant_message_with_the_usage_after_their_outputs() {
    let session = lines(&[
        meta(),
        message("user", "go"),
        call("a"),
        call("b"),
        output("a"),
        output("b"),
        count(100, 90, 64),
        count(100, 90, 64),
        message("assistant", "done"),
        count(200, 95, 80),
    ]);
    let first = vec!["s:be good", "u:go"];
    let mut second = first.clone();
    second.extend(["a:ls#a{}+ls#b{}", "t:#a=ok", "t:#b=ok"]);
    assert_eq!(sent_by_main(&session), [first, second]);
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.uncached, usage.cache_read, usage.output, usage.reasoning), (2, 41, 144, 4, 2));
}

#[test]
fn usage_before_the_assistant_message_is_assigned_to_it() {
    let session = lines(&[
        meta(),
        message("user", "go"),
        count(100, 90, 0),
        call("a"),
        output("a"),
        count(200, 95, 0),
        message("assistant", "done"),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["s:be good", "u:go"], vec!["s:be good", "u:go", "a:ls#a{}", "t:#a=ok"]]);
    let answers: Vec<_> = session.threads[0].requests.iter().map(|request| request.answer).collect();
    assert!(answers.iter().all(Option::is_some));
}

#[test]
fn an_assistant_message_without_usage_is_a_request_without_usage() {
    let session = lines(&[
        meta(),
        message("user", "go"),
        message("assistant", "x"),
        count(9, 5, 0),
        message("user", "on"),
        call("a"),
    ]);
    let usages: Vec<bool> = session.threads[0].requests.iter().map(|request| request.usage.is_some()).collect();
    assert_eq!(usages, [true, false]);
}

#[test]
fn a_compaction_replaces_the_history_and_keeps_the_instructions() {
    let history = json!([{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "kept"}]},
        {"type": "compaction", "encrypted_content": "x"}]);
    let session = lines(&[
        meta(),
        message("user", "go"),
        message("assistant", "one"),
        count(100, 90, 0),
        line("compacted", json!({"message": "", "replacement_history": history})),
        message("user", "on"),
        message("assistant", "two"),
        count(200, 20, 0),
    ]);
    assert_eq!(sent_by_main(&session)[1], ["s:be good", "u:kept", "a:()", "u:on"]);
}

#[test]
fn the_summary_of_a_local_compaction_is_sent_once_as_part_of_the_recorded_history() {
    let text =
        |text: &str| json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]});
    let session = lines(&[
        meta(),
        message("user", "go"),
        message("assistant", "one"),
        count(100, 90, 0),
        line("compacted", json!({"message": "summary", "replacement_history": [text("go"), text("summary")]})),
        message("assistant", "two"),
        count(200, 20, 0),
    ]);
    assert_eq!(sent_by_main(&session)[1], ["s:be good", "u:go", "u:summary"]);
}

#[test]
fn an_old_compaction_keeps_the_user_messages_and_the_summary() {
    let session = lines(&[
        meta(),
        message("user", "go"),
        message("assistant", "one"),
        count(100, 90, 0),
        line("compacted", json!({"message": "summary"})),
        message("assistant", "two"),
        count(200, 20, 0),
    ]);
    assert_eq!(sent_by_main(&session)[1], ["s:be good", "u:go", "u:summary"]);
}

#[test]
fn the_rollout_of_a_sub_agent_is_a_sub_agent_thread() {
    let mut child = meta();
    child["payload"]["source"] = json!({"subagent": "review"});
    let session = lines(&[child, message("user", "go"), message("assistant", "one"), count(9, 5, 0)]);
    assert_eq!(session.threads[0].kind, ThreadKind::SubAgent);
}
