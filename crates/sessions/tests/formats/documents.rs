//! Formats that are one JSON value: Cline, OpenHands, LangGraph, the AI SDK, message lists in any dialect.

use palimpsest_sessions::Agent;
use serde_json::{Value, json};

use crate::{sent_by_main, text_of};

/// Reads the session from one line and checks that many lines give the same.
fn document(value: &Value) -> palimpsest_sessions::Session {
    let session = text_of(&value.to_string());
    assert_eq!(text_of(&serde_json::to_string_pretty(value).unwrap()).messages, session.messages);
    session
}

#[test]
fn cline_each_message_with_metrics_is_a_request() {
    let session = document(
        &json!({"version": 1, "sessionId": "s", "agent": "lead", "system_prompt": "be good", "messages": [
        {"role": "user", "content": [{"type": "text", "text": "go"}, {"type": "file", "path": "a.md", "content": "file"}], "ts": 1},
        {"role": "assistant", "content": [{"type": "text", "text": "one"}], "ts": 2,
            "metrics": {"inputTokens": 10, "outputTokens": 1, "cacheReadTokens": 6, "cacheWriteTokens": 2, "cost": 0.5}}]}),
    );
    assert_eq!(sent_by_main(&session), [vec!["s:be good", "u:go+file"]]);
    assert_eq!(session.threads[0].usage().1.uncached, 2);
}

#[test]
fn cline_each_finished_request_of_the_classic_ui_file_counts_once() {
    let account = json!({"tokensIn": 5, "tokensOut": 1, "cacheWrites": 2, "cacheReads": 3, "cost": 0.1}).to_string();
    let session = document(&json!([
        {"ts": 1_700_000_000_000_u64, "type": "say", "say": "text", "text": "go"},
        {"ts": 1_700_000_000_001_u64, "type": "say", "say": "api_req_started", "text": account},
        {"ts": 1_700_000_000_002_u64, "type": "say", "say": "api_req_started", "text": "{}", "partial": true}]));
    assert_eq!(
        (session.agent, session.threads[0].usage().0, session.threads[0].usage().1.total()),
        (Agent::Cline, 1, 10)
    );
}

#[test]
fn cline_the_two_classic_files_are_one_session_with_messages_and_usage() {
    let folder = tempfile::tempdir().unwrap();
    let request = |read: u64, extra: Value| {
        let account = json!({"tokensIn": 5, "tokensOut": 1, "cacheWrites": 2, "cacheReads": read}).to_string();
        let mut event =
            json!({"ts": 1_700_000_000_001_u64 + read, "type": "say", "say": "api_req_started", "text": account});
        event.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        event
    };
    let ui_messages = json!([{"ts": 1_700_000_000_000_u64, "type": "say", "say": "text", "text": "go"},
        request(0, json!({})), request(10, json!({})),
        request(20, json!({"conversationHistoryDeletedRange": [1, 2]}))]);
    let message = |role: &str, text: &str| json!({"role": role, "content": [{"type": "text", "text": text}]});
    let api_messages = json!([
        message("user", "go"),
        message("assistant", "one"),
        message("user", "more"),
        message("assistant", "two"),
        message("user", "again"),
        message("assistant", "three")
    ]);
    for (name, value) in [("ui_messages.json", &ui_messages), ("api_conversation_history.json", &api_messages)] {
        std::fs::write(folder.path().join(name), serde_json::to_string_pretty(value).unwrap()).unwrap();
    }
    let sources = palimpsest_sessions::find_files(&[folder.path().to_path_buf()]).sources;
    let [source] = sources.as_slice() else { panic!("{sources:?}") };
    let sessions = palimpsest_sessions::read_source(source).unwrap();
    let [session] = sessions.as_slice() else { panic!() };
    assert_eq!(session.agent, Agent::Cline);
    assert_eq!(
        sent_by_main(session),
        [vec!["u:go"], vec!["u:go", "a:one", "u:more"], vec!["u:go", "a:two", "u:again"]]
    );
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.cache_read, usage.total()), (3, 30, 51));
}

#[test]
fn openhands_parallel_calls_are_one_assistant_message_and_condensed_events_are_not_sent() {
    let response = |id: &str, calls: &[&str]| {
        let calls: Vec<Value> =
            calls.iter().map(|call| json!({"id": call, "function": {"name": "run", "arguments": "{}"}})).collect();
        json!({"id": id, "model": "m", "choices": [{"message": {"role": "assistant", "content": id, "tool_calls": calls}}],
            "usage": {"prompt_tokens": 4, "completion_tokens": 1, "cache_creation_input_tokens": 9, "cache_read_input_tokens": 0}})
    };
    let action = |id: u64, call: &str, response: &Value| json!({"id": id, "source": "agent", "action": "run", "tool_call_metadata": {"tool_call_id": call, "model_response": response}});
    let observation = |id: u64, call: &str| json!({"id": id, "source": "agent", "observation": "run", "content": "ok", "tool_call_metadata": {"tool_call_id": call}});
    let both = response("one", &["a", "b"]);
    let session = document(&json!([
        {"id": 0, "source": "user", "action": "message", "args": {"content": "go"}},
        action(1, "a", &both), observation(2, "a"), action(3, "b", &both), observation(4, "b"),
        {"id": 5, "source": "agent", "action": "condensation", "args": {"forgotten_event_ids": [1, 2, 4], "summary": "sum", "summary_offset": 1}},
        action(6, "c", &response("two", &["c"]))]));
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:go", "u:sum"]]);
    let usage = session.threads[0].usage();
    assert_eq!((usage.0, usage.1.total(), usage.1.cache_write), (2, 26, 18));
}

#[test]
fn openhands_resolver_events_of_2024_are_paired_by_order_without_ids() {
    let session = document(
        &json!({"issue": {"owner": "me", "repo": "viewer", "number": 5}, "instruction": "go", "git_patch": "",
        "history": [
            {"action": "message", "content": "go", "images_urls": null, "wait_for_response": false, "action_risk": null},
            {"action": "run", "command": "touch L", "thought": "first", "keep_prompt": true, "is_confirmed": "confirmed"},
            {"observation": "run", "content": "done", "command": "touch L", "exit_code": 0},
            {"action": "run_ipython", "code": "1", "thought": "", "kernel_init_code": "import x"},
            {"observation": "run_ipython", "content": "1", "code": "1"},
            {"action": "message", "content": "right?", "wait_for_response": true},
            {"action": "message", "content": "yes", "wait_for_response": false},
            {"action": "finish", "outputs": {}, "thought": "all"}],
        "metrics": {"accumulated_cost": 0.07, "costs": [0.02, 0.02, 0.02, 0.01]}, "success": true}),
    );
    assert_eq!((session.agent, session.project.as_deref()), (Agent::OpenHands, Some("viewer")));
    let sent = sent_by_main(&session);
    assert_eq!(sent.len(), 4);
    let ran = [
        "u:go",
        r#"a:first+run#action-1{"command":"touch L","thought":null}"#,
        "t:#action-1=done",
        r#"a:run_ipython#action-3{"code":"1","thought":null}"#,
        "t:#action-3=1",
    ];
    assert_eq!(sent[2], ran);
    assert_eq!(sent[3][5..], ["a:right?", "u:yes"]);
    // The resolver records dollars without tokens.
    assert_eq!(session.threads[0].usage().0, 0);
}

#[test]
fn langgraph_times_are_read_from_ids_and_usage_from_usage_metadata() {
    let session = document(&json!({"values": {"messages": [
        {"type": "human", "content": "go"},
        {"type": "ai", "id": "lc_run--019bf2c7-6a76-75e0-bb46-000000000000", "content": "", "tool_calls": [{"id": "c", "name": "ls", "args": {}}],
            "usage_metadata": {"input_tokens": 10, "output_tokens": 1, "input_token_details": {"cache_read": 4, "cache_creation": 2}}},
        {"type": "tool", "tool_call_id": "c", "content": "no", "status": "error"},
        {"type": "ai", "content": "done"}]}, "metadata": {"thread_id": "t"}}));
    assert_eq!(sent_by_main(&session)[1], ["u:go", "a:ls#c{}", "t:!#c=no"]);
    let first = &session.threads[0].requests[0];
    assert_eq!((first.at_ms, first.usage.unwrap().uncached), (Some(0x019b_f2c7_6a76), 4));
}

#[test]
fn ai_sdk_a_ui_message_has_several_steps_with_their_results() {
    let session = document(&json!([
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "go"}]},
        {"id": "2", "role": "assistant", "parts": [
            {"type": "step-start"},
            {"type": "tool-ls", "toolCallId": "a", "state": "output-available", "input": {}, "output": {"n": 1}},
            {"type": "step-start"},
            {"type": "tool-invocation", "toolInvocation": {"state": "result", "toolCallId": "b", "toolName": "cat", "args": {}, "result": "x"}},
            {"type": "step-start"},
            {"type": "text", "text": "done"}]}]));
    let sent = sent_by_main(&session);
    assert_eq!(sent.len(), 3);
    assert_eq!(sent[2], ["u:go", "a:ls#a{}", "t:#a={\"n\":1}", "a:cat#b{}", "t:#b=x"]);
}

#[test]
fn r11_1_one_conversation_in_every_dialect_gives_the_same_messages() {
    let chat = json!([{"role": "user", "content": "go"},
        {"role": "assistant", "content": "one", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "ok"}, {"role": "assistant", "content": "done"}]);
    let anthropic = json!([{"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "text", "text": "one"}, {"type": "tool_use", "id": "c", "name": "ls", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "ok"}]}, {"role": "assistant", "content": "done"}]);
    let responses = json!([{"role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "one"}]},
        {"type": "function_call", "call_id": "c", "name": "ls", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}]);
    let gemini = json!([{"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [{"text": "one"}, {"functionCall": {"id": "c", "name": "ls", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "c", "name": "ls", "response": {"output": "ok"}}}]},
        {"role": "model", "parts": [{"text": "done"}]}]);
    let ai_sdk = json!([{"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "text", "text": "one"}, {"type": "tool-call", "toolCallId": "c", "toolName": "ls", "input": {}}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "ls", "output": {"type": "text", "value": "ok"}}]},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]}]);
    let langchain = json!([{"type": "human", "content": "go"},
        {"type": "ai", "content": "one", "tool_calls": [{"id": "c", "name": "ls", "args": {}}]},
        {"type": "tool", "tool_call_id": "c", "content": "ok"}, {"type": "ai", "content": "done"}]);
    let pi = json!([{"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "text", "text": "one"}, {"type": "toolCall", "id": "c", "name": "ls", "arguments": {}}]},
        {"role": "toolResult", "toolCallId": "c", "content": [{"type": "text", "text": "ok"}], "isError": false},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]}]);
    let agents = json!([{"role": "user", "content": "go"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "one"}]},
        {"type": "function_call", "callId": "c", "name": "ls", "arguments": "{}"},
        {"type": "function_call_result", "callId": "c", "output": {"type": "text", "text": "ok"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}]);
    let expected = [vec!["u:go"], vec!["u:go", "a:one+ls#c{}", "t:#c=ok"]];
    for (name, list) in [
        ("chat", chat),
        ("anthropic", anthropic),
        ("responses", responses),
        ("gemini", gemini),
        ("ai-sdk", ai_sdk),
        ("langchain", langchain),
        ("pi", pi),
        ("openai-agents", agents),
    ] {
        assert_eq!(sent_by_main(&document(&list)), expected, "{name}");
        assert_eq!(sent_by_main(&document(&json!({"messages": list}))), expected, "{name} in an object");
    }
}
