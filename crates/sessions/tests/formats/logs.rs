//! Logs of requests to a model, with their bodies as sent.

use palimpsest_sessions::{Agent, ContextStart, RequestKind, ThreadKind};
use serde_json::{Value, json};

use crate::{lines, sent_by_main, text_of};

fn exchange(second: u64, model: &str, texts: &[&str]) -> Value {
    let messages: Vec<Value> = texts.iter().map(|text| json!({"role": "user", "content": text})).collect();
    json!({"request": {"timestamp": format!("2026-01-01T00:00:{second:02}Z"), "body": {"model": model, "system": "be good", "messages": messages}},
        "response": {"body": {"role": "assistant", "content": [{"type": "text", "text": "x"}],
            "usage": {"input_tokens": 1, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 3, "output_tokens": 4}}}})
}

#[test]
fn requests_are_sorted_by_time_and_share_their_prefix() {
    let session = lines(&[exchange(3, "m", &["a", "b"]), exchange(1, "m", &["a"])]);
    assert_eq!((session.agent, session.threads.len(), session.threads[0].contexts.len()), (Agent::RequestLog, 1, 1));
    assert_eq!(sent_by_main(&session), [vec!["s:be good", "u:a"], vec!["s:be good", "u:a", "u:b"]]);
}

#[test]
fn a_summary_written_by_the_provider_is_a_billed_request_before_the_assistant_message() {
    let mut body = exchange(1, "m", &["a"]);
    let turn = |kind: &str, input: u64| json!({"type": kind, "input_tokens": input, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 3, "output_tokens": 4});
    let usage = json!({"input_tokens": 1, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 3, "output_tokens": 4,
        "iterations": [turn("compaction", 900), turn("message", 1)]});
    body["response"]["body"]["usage"] = usage.clone();
    let mut stream = body.clone();
    let started = json!({"type": "message_start", "message": {"id": "r", "model": "m", "usage": {"input_tokens": 1, "output_tokens": 1}}});
    let ended = json!({"type": "message_delta", "usage": usage});
    stream["response"] = json!({"body": format!("data: {started}\n\ndata: {ended}\n")});
    for log in [body, stream] {
        let session = lines(&[log]);
        let kinds: Vec<_> = session.threads[0].requests.iter().map(|request| request.kind).collect();
        assert_eq!(kinds, [RequestKind::Compaction, RequestKind::Turn]);
        let (requests, usage) = session.threads[0].usage();
        assert_eq!((requests, usage.uncached, usage.cache_read, usage.output), (2, 901, 4, 8));
    }
}

#[test]
fn an_edited_prefix_starts_a_new_context_of_unknown_cause() {
    let session = lines(&[exchange(1, "m", &["a", "b"]), exchange(2, "m", &["a", "edited", "c"])]);
    assert_eq!(session.threads[0].contexts[1].start, ContextStart::Changed);
    assert_eq!(sent_by_main(&session)[1], ["s:be good", "u:a", "u:edited", "u:c"]);
}

#[test]
fn side_requests_to_another_model_are_a_thread_of_their_own() {
    let mut side = exchange(2, "small", &["title?"]);
    side["request"]["body"]["system"] = json!("give a title");
    let session = lines(&[exchange(1, "m", &["a"]), side, exchange(3, "m", &["a", "b"])]);
    let kinds: Vec<_> = session.threads.iter().map(|thread| (thread.kind, thread.requests.len())).collect();
    assert_eq!(kinds, [(ThreadKind::Main, 2), (ThreadKind::SubAgent, 1)]);
}

#[test]
fn a_streamed_response_is_assembled_and_has_the_usage_of_its_last_event() {
    let stream = [
        json!({"type": "message_start", "message": {"id": "r", "model": "m", "usage": {"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "he"}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "llo"}}),
        json!({"type": "content_block_start", "content_block": {"type": "tool_use", "id": "c", "name": "ls"}}),
        json!({"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": "{}"}}),
        json!({"type": "message_delta", "usage": {"output_tokens": 9}}),
    ];
    let raw: Vec<String> = stream.iter().map(|event| format!("event: x\ndata: {event}\n")).collect();
    let mut logged = exchange(1, "m", &["a"]);
    logged["response"] = json!({"status_code": 200, "body_raw": raw.join("\n")});
    let session = lines(&[logged]);
    let request = &session.threads[0].requests[0];
    assert_eq!(crate::short(&session.messages[request.answer.unwrap() as usize]), "a:hello+ls#c{}");
    assert_eq!((request.usage.unwrap().total(), request.usage.unwrap().output), (24, 9));
}

#[test]
fn a_response_stored_by_the_server_is_part_of_later_requests() {
    let cassette = "interactions:\n- request:\n    parsed_body:\n      model: m\n      input: first\n  response:\n    parsed_body:\n      id: resp_1\n      created_at: 1776203679\n      output:\n      - {type: message, role: assistant, content: [{type: output_text, text: one}]}\n      usage: {input_tokens: 5, output_tokens: 1}\n- request:\n    parsed_body:\n      model: m\n      previous_response_id: resp_1\n      input:\n      - {role: user, content: second}\n  response:\n    parsed_body:\n      id: resp_2\n      created_at: 1776203680\n      output: []\n      usage: {input_tokens: 9, input_tokens_details: {cached_tokens: 4}, output_tokens: 1}\nversion: 1\n";
    let session = text_of(cassette);
    assert_eq!(sent_by_main(&session), [vec!["u:first"], vec!["u:first", "a:one", "u:second"]]);
    assert_eq!(session.threads[0].usage().1.cache_read, 4);
}
