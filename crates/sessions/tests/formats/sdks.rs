//! Files of SDKs: LangChain, LangGraph's checkpoints, Mastra, the OpenAI Agents SDK, UI messages, and bodies of requests.

use palimpsest_sessions::{Agent, ContextStart, NoteKind, Session, read_sessions};
use serde_json::{Value, json};

use crate::{lines, sent_by_main, text_of};

fn read(value: Value) -> Session {
    text_of(&value.to_string())
}

fn all(value: Value) -> Vec<Session> {
    read_sessions(value.to_string().as_bytes()).unwrap()
}

fn lc_message(class: &str, fields: Value) -> Value {
    json!({"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", class], "kwargs": fields})
}

fn lc_messages() -> Vec<Value> {
    vec![
        lc_message("SystemMessage", json!({"content": "be good", "id": "1"})),
        lc_message("HumanMessage", json!({"content": "go", "id": "2"})),
        lc_message(
            "AIMessageChunk",
            json!({"content": "", "id": "3", "tool_calls": [{"id": "c", "name": "ls", "args": {}}],
            "response_metadata": {"model_name": "m", "timestamp": 1_767_225_600_000_u64}, "usage_metadata": {"input_tokens": 9, "output_tokens": 1}}),
        ),
        lc_message("ToolMessage", json!({"tool_call_id": "c", "content": "no", "status": "error", "id": "4"})),
        lc_message("AIMessage", json!({"content": "done", "id": "5"})),
    ]
}

const LC_SENT: [&[&str]; 2] = [&["s:be good", "u:go"], &["s:be good", "u:go", "a:ls#c{}", "t:!#c=no"]];

#[test]
fn langchain_serialised_messages_are_read_in_every_wrapping() {
    let kinds = ["system", "human", "ai", "tool", "ai"];
    let stored: Vec<Value> = kinds
        .into_iter()
        .zip(lc_messages())
        .map(|(kind, message)| json!({"type": kind, "data": message["kwargs"]}))
        .collect();
    for session in [
        read(json!(lc_messages())),
        read(json!({"id": "s", "messages": lc_messages()})),
        lines(&lc_messages()),
        read(json!(stored)),
        lines(&stored),
    ] {
        assert_eq!(session.agent, Agent::LangChain);
        assert_eq!(sent_by_main(&session), LC_SENT);
        let first = &session.threads[0].requests[0];
        assert_eq!(
            (first.at_ms, first.model.as_deref(), first.usage.unwrap().uncached),
            (Some(1_767_225_600_000), Some("m"), 9)
        );
        assert!(session.notes.is_empty());
    }
}

fn tuple(thread: &str, namespace: &str, second: u32, messages: &[Value]) -> Value {
    json!({"config": {"configurable": {"thread_id": thread, "checkpoint_ns": namespace}},
        "checkpoint": {"v": 4, "ts": format!("2026-01-01T00:00:{second:02}Z"), "channel_values": {"messages": messages}},
        "metadata": {"step": second}})
}

#[test]
fn langgraph_a_checkpoint_is_read_with_or_without_its_tuple() {
    let whole = tuple("t", "", 1, &lc_messages());
    let session = read(whole.clone());
    assert_eq!(
        (session.agent, session.id.as_deref(), sent_by_main(&session)),
        (Agent::LangGraph, Some("t"), LC_SENT.map(<[&str]>::to_vec).map(owned).to_vec())
    );
    assert_eq!(sent_by_main(&read(whole["checkpoint"].clone())), LC_SENT);
}

fn owned(texts: Vec<&str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}

#[test]
fn langgraph_a_list_of_checkpoints_has_one_session_per_thread_and_one_request_per_assistant_message() {
    let messages = lc_messages();
    let sessions = all(json!([
        tuple("t", "", 3, &messages),
        tuple("u", "", 2, &messages[1..]),
        tuple("t", "", 2, &messages[..3]),
        tuple("t", "", 1, &[]),
    ]));
    let found: Vec<_> =
        sessions.iter().map(|session| (session.id.as_deref().unwrap(), session.requests().count())).collect();
    assert_eq!(found, [("t", 2), ("u", 2)]);
    assert_eq!(sent_by_main(&sessions[0]), LC_SENT);
}

#[test]
fn langgraph_messages_missing_from_a_later_checkpoint_were_removed_and_no_request_counts_twice() {
    let messages = lc_messages();
    let mut later = vec![lc_message("HumanMessage", json!({"content": "so far", "id": "9"}))];
    let mut edited = messages[2].clone();
    edited["kwargs"]["content"] = json!("cleared");
    later.extend([edited, messages[3].clone(), messages[4].clone()]);
    later.push(lc_message("AIMessage", json!({"content": "more", "id": "10"})));
    let session = read(json!([tuple("t", "", 2, &later), tuple("t", "", 1, &messages)]));
    let sent = sent_by_main(&session);
    assert_eq!(sent.len(), 3);
    assert_eq!(sent[2], ["u:so far", "a:cleared+ls#c{}", "t:!#c=no", "a:done"]);
    assert_eq!(session.threads[0].contexts[1].start, ContextStart::Changed);
}

#[test]
fn langgraph_checkpoints_of_a_sub_graph_are_a_separate_thread() {
    let messages = lc_messages();
    let session = read(json!([tuple("t", "child:1", 2, &messages[1..]), tuple("t", "", 1, &messages)]));
    let threads: Vec<_> = session.threads.iter().map(|thread| (thread.id.as_deref(), thread.requests.len())).collect();
    assert_eq!(threads, [(None, 2), (Some("child:1"), 2)]);
}

fn mastra_message(role: &str, second: u32, content: Value) -> Value {
    json!({"id": second.to_string(), "role": role, "threadId": "t", "resourceId": "r", "type": "v2",
        "createdAt": format!("2026-01-01T00:00:{second:02}Z"), "content": content})
}

fn mastra_messages() -> Vec<Value> {
    let call = |id: &str, state: &str, more: Value| {
        let mut invocation = json!({"state": state, "toolCallId": id, "toolName": "ls", "args": {}});
        invocation.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"type": "tool-invocation", "toolInvocation": invocation})
    };
    let step = json!({"type": "step-start"});
    let content = json!({"format": 2, "metadata": {"modelId": "m"}, "content": "done", "parts": [
        call("a", "result", json!({"result": {"n": 1}})), call("b", "result", json!({"result": "no", "isError": true})), step,
        call("c", "output-error", json!({"errorText": "worse"})), step,
        call("d", "output-denied", json!({"approval": {"id": "x", "approved": false}})), step,
        {"type": "text", "text": "done"}]});
    vec![
        mastra_message("user", 1, json!({"format": 2, "parts": [{"type": "text", "text": "go"}], "content": "go"})),
        mastra_message("assistant", 2, content),
    ]
}

#[test]
fn mastra_memory_is_read_with_its_errors_times_and_model_in_every_wrapping() {
    let messages = mastra_messages();
    let mut table = messages.clone();
    for row in &mut table {
        row["content"] = json!(row["content"].to_string());
    }
    table.reverse();
    for value in [
        json!(messages),
        json!({"messages": messages, "total": 2}),
        json!({"thread": {"id": "t"}, "messages": messages}),
        json!({"threads": [{"id": "t", "messages": messages}]}),
        json!(table),
    ] {
        let session = read(value);
        assert_eq!((session.agent, session.id.as_deref()), (Agent::Mastra, Some("t")));
        let sent = sent_by_main(&session);
        assert_eq!(sent.len(), 4);
        assert_eq!(
            sent[3],
            [
                "u:go", "a:ls#a{}+ls#b{}", "t:#a={\"n\":1}+!#b=no", "a:ls#c{}", "t:!#c=worse", "a:ls#d{}",
                "t:!#d=Tool execution denied."
            ]
        );
        let first = &session.threads[0].requests[0];
        assert_eq!((first.at_ms, first.model.as_deref()), (Some(1_767_225_602_000), Some("m")));
        assert!(session.notes.is_empty());
    }
    assert_eq!(sent_by_main(&lines(&messages)).len(), 4);
}

#[test]
fn mastra_each_thread_of_a_memory_is_a_session() {
    let mut other = mastra_messages();
    for message in &mut other {
        message["threadId"] = json!("u");
    }
    let mixed: Vec<Value> = mastra_messages().into_iter().zip(other).flat_map(|(one, two)| [one, two]).collect();
    let found: Vec<_> =
        all(json!(mixed)).iter().map(|session| (session.id.clone().unwrap(), session.requests().count())).collect();
    assert_eq!(found, [("t".to_owned(), 4), ("u".to_owned(), 4)]);
}

fn openai_agents_items() -> Vec<Value> {
    vec![
        json!({"type": "message", "role": "user", "content": "go"}),
        json!({"type": "function_call", "callId": "a", "name": "ls", "arguments": "{}"}),
        json!({"type": "function_call", "callId": "b", "name": "ls", "arguments": "{}"}),
        json!({"type": "function_call_result", "callId": "a", "name": "ls", "status": "completed", "output": {"type": "text", "text": "ok"}}),
        json!({"type": "function_call_result", "callId": "b", "name": "ls", "status": "incomplete", "output": "no"}),
        json!({"type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "done"}]}),
    ]
}

#[test]
fn openai_agents_items_are_read_from_a_session_a_history_and_a_run_state() {
    let messages = openai_agents_items();
    let response = |input: u64| json!({"usage": {"inputTokens": input, "outputTokens": 2, "inputTokensDetails": [{"cached_tokens": 4}]}, "output": []});
    let items: Vec<Value> = messages[1..].iter().map(|item| json!({"rawItem": item})).collect();
    let state = json!({"$schemaVersion": "1.22", "originalInput": "go", "generatedItems": items, "modelResponses": [response(10), response(20)]});
    let expected: [&[&str]; 2] = [&["u:go"], &["u:go", "a:ls#a{}+ls#b{}", "t:#a=ok", "t:!#b=no"]];
    for value in [json!(messages), json!({"items": messages}), json!({"history": messages}), state.clone()] {
        let session = read(value);
        assert_eq!((session.agent, sent_by_main(&session).len()), (Agent::OpenAiAgents, 2));
        assert_eq!(sent_by_main(&session), expected);
    }
    let usage = read(state).threads[0].usage();
    assert_eq!((usage.0, usage.1.total(), usage.1.cache_read, usage.1.output), (2, 30, 8, 4));
}

#[test]
fn ai_sdk_ui_messages_up_to_version_4_have_their_calls_next_to_the_text() {
    let session = read(json!([
        {"id": "1", "role": "user", "content": "go"},
        {"id": "2", "role": "assistant", "content": "done", "reasoning": "hm", "toolInvocations": [
            {"state": "result", "step": 0, "toolCallId": "a", "toolName": "ls", "args": {}, "result": "ok"},
            {"state": "result", "step": 1, "toolCallId": "b", "toolName": "ls", "args": {}, "result": "fine"}]}]));
    assert_eq!(session.agent, Agent::AiSdkUi);
    let sent = sent_by_main(&session);
    assert_eq!(sent.len(), 3);
    assert_eq!(sent[2], ["u:go", "a:(hm)+ls#a{}", "t:#a=ok", "a:ls#b{}", "t:#b=fine"]);
}

#[test]
fn a_request_body_has_its_system_prompt_first() {
    let messages = json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}]);
    let gemini = json!([{"role": "user", "parts": [{"text": "go"}]}, {"role": "model", "parts": [{"text": "done"}]}]);
    for (name, body) in [
        ("anthropic, text", json!({"system": "be good", "messages": messages})),
        ("anthropic, blocks", json!({"system": [{"type": "text", "text": "be good"}], "messages": messages})),
        ("responses", json!({"instructions": "be good", "input": messages})),
        ("gemini", json!({"systemInstruction": {"parts": [{"text": "be good"}]}, "contents": gemini})),
        ("gemini's SDK", json!({"config": {"systemInstruction": "be good"}, "contents": gemini})),
    ] {
        assert_eq!(sent_by_main(&read(body)), [["s:be good", "u:go"]], "{name}");
    }
}

#[test]
fn openai_a_response_is_the_assistant_message_with_its_usage() {
    let output = json!([{"type": "reasoning", "id": "r", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}]);
    for input in [json!("go"), json!([{"role": "user", "content": "go"}])] {
        let session = read(
            json!({"input": input, "output": output, "model": "m", "usage": {"input_tokens": 7, "output_tokens": 1}}),
        );
        assert_eq!(sent_by_main(&session), [["u:go"]]);
        let request = &session.threads[0].requests[0];
        assert_eq!((request.model.as_deref(), request.usage.unwrap().total()), (Some("m"), 7));
    }
    assert_eq!(read(json!({"id": "r", "output": output})).requests().count(), 1);
}

#[test]
fn a_part_of_unknown_form_is_noted_and_gives_no_empty_message() {
    let session = read(json!([{"role": "user", "content": "go"},
        {"role": "assistant", "content": {"odd": [1]}}, {"role": "assistant", "content": "done"}]));
    assert_eq!(session.notes.count(NoteKind::UnknownPart), 1);
    assert!(session.messages.iter().all(|message| !message.parts.is_empty()));
}
