//! Agents that write JSON lines: pi, Gemini CLI, opencode, Kimi CLI, Qwen Code, Copilot.

use palimpsest_sessions::{ContextStart, RequestKind, ThreadKind};
use serde_json::{Value, json};

use crate::{lines, sent, sent_by_main};

fn pi(id: &str, parent: Option<&str>, message: Value) -> Value {
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00Z", "message": message})
}

fn pi_answer(id: &str, parent: &str, text: &str) -> Value {
    pi(
        id,
        Some(parent),
        json!({"role": "assistant", "content": [{"type": "text", "text": text}], "model": "m",
        "usage": {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "cost": {"total": 0.5}}}),
    )
}

fn pi_user(id: &str, parent: Option<&str>, text: &str) -> Value {
    pi(id, parent, json!({"role": "user", "content": text}))
}

fn pi_header() -> Value {
    json!({"type": "session", "version": 3, "id": "s", "cwd": "/p", "timestamp": "2026-01-01T00:00:00Z"})
}

#[test]
fn pi_the_newest_leaf_of_the_tree_is_the_session_and_another_leaf_is_a_branch() {
    let session = lines(&[
        pi_header(),
        pi_user("1", None, "go"),
        pi_answer("2", "1", "one"),
        pi_user("3", Some("2"), "left"),
        pi_answer("4", "3", "two"),
        pi_user("5", Some("2"), "right"),
        pi_answer("6", "5", "three"),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:go", "a:one", "u:right"]]);
    let branch = &session.threads[1];
    assert_eq!(
        (branch.kind, sent(&session, branch, &branch.requests[0])),
        (ThreadKind::Branch, vec!["u:go".to_owned(), "a:one".to_owned(), "u:left".to_owned()])
    );
    assert_eq!(session.threads[0].requests[0].cost_usd, Some(0.5));
}

#[test]
fn pi_a_compaction_sends_the_summary_and_the_kept_entries() {
    let compaction = json!({"type": "compaction", "id": "5", "parentId": "4", "timestamp": "2026-01-01T00:00:00Z",
        "summary": "sum", "firstKeptEntryId": "3", "tokensBefore": 9});
    let session = lines(&[
        pi_header(),
        pi_user("1", None, "go"),
        pi_answer("2", "1", "one"),
        pi_user("3", Some("2"), "on"),
        pi_answer("4", "3", "two"),
        compaction,
        pi_user("6", Some("5"), "more"),
        pi_answer("7", "6", "three"),
    ]);
    assert_eq!(sent_by_main(&session)[2], ["u:sum", "u:on", "a:two", "u:more"]);
}

#[test]
fn pi_a_cyclic_chain_of_entries_ends() {
    let session =
        lines(&[pi_header(), pi_answer("1", "2", "one"), pi_answer("2", "1", "two"), pi_answer("3", "2", "three")]);
    assert_eq!(session.requests().count(), 3);
}

#[test]
fn pi_an_aborted_call_with_zero_usage_has_no_usage() {
    let mut aborted = pi_answer("2", "1", "");
    aborted["message"]["usage"] = json!({"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0});
    let session = lines(&[pi_header(), pi_user("1", None, "go"), aborted]);
    assert_eq!((session.requests().count(), session.threads[0].usage().0), (1, 0));
}

fn gemini(id: &str, calls: Value) -> Value {
    json!({"id": id, "timestamp": "2026-01-01T00:00:00Z", "type": "gemini", "content": id, "model": "m", "toolCalls": calls,
        "tokens": {"input": 10, "output": 1, "cached": 4, "thoughts": 2, "tool": 0, "total": 13}})
}

#[test]
fn gemini_cli_a_rewritten_record_replaces_the_earlier_one() {
    let calls = json!([{"id": "c", "name": "ls", "args": {}, "status": "error", "timestamp": "2026-01-01T00:00:05Z",
        "result": [{"functionResponse": {"id": "c", "name": "ls", "response": {"output": "no"}}}]}]);
    let session = lines(&[
        json!({"sessionId": "s", "projectHash": "h", "kind": "main"}),
        json!({"id": "u", "type": "user", "content": [{"text": "go"}]}),
        gemini("one", json!([])),
        json!({"$set": {"lastUpdated": "x"}}),
        gemini("one", calls),
        gemini("two", json!([])),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:go", "a:one+ls#c{}", "t:!#c=no"]]);
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.uncached, usage.cache_read, usage.output, usage.reasoning), (2, 12, 8, 6, 4));
}

#[test]
fn gemini_cli_a_rewind_leaves_a_branch() {
    let session = lines(&[
        json!({"sessionId": "s", "projectHash": "h"}),
        json!({"id": "u", "type": "user", "content": "go"}),
        gemini("one", json!([])),
        json!({"$rewindTo": "one"}),
        gemini("two", json!([])),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"]]);
    assert_eq!((session.threads[1].kind, session.threads[1].requests.len()), (ThreadKind::Branch, 1));
}

#[test]
fn opencode_each_step_of_a_message_is_a_request() {
    let part = |id: &str, rest: Value| {
        let mut part = json!({"id": id, "sessionID": "s", "messageID": "m"});
        part.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        json!({"event": {"type": "message.part.updated", "properties": {"part": part}}})
    };
    let tokens = json!({"input": 5, "output": 1, "reasoning": 2, "cache": {"read": 3, "write": 4}});
    let tool = json!({"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "completed", "input": {}, "output": "ok"}});
    let session = lines(&[
        json!({"event": {"type": "message.updated", "properties": {"info": {"id": "m", "sessionID": "s", "role": "assistant", "modelID": "x"}}}}),
        part("1", json!({"type": "step-start"})),
        part("2", json!({"type": "text", "text": "half"})),
        part("2", json!({"type": "text", "text": "whole"})),
        part("3", tool),
        part("4", json!({"type": "step-finish", "tokens": tokens})),
        part("5", json!({"type": "step-start"})),
        part("6", json!({"type": "text", "text": "done"})),
        part("7", json!({"type": "step-finish", "tokens": tokens})),
    ]);
    assert_eq!(sent_by_main(&session), [vec![], vec!["a:whole+bash#c{}", "t:#c=ok"]]);
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.total(), usage.output), (2, 24, 6));
}

#[test]
fn kimi_a_compaction_is_a_request_and_keeps_the_newest_user_messages() {
    let user = |text: &str| json!({"type": "context.append_message", "message": {"role": "user", "content": [{"type": "text", "text": text}]}});
    let request = |kind: &str| json!({"type": "llm.request", "kind": kind, "model": "k", "messageCount": 1, "time": 1_785_612_812_829_u64});
    let usage = json!({"type": "usage.record", "usage": {"inputOther": 1, "output": 2, "inputCacheRead": 3, "inputCacheCreation": 4}});
    let event = |event: Value| json!({"type": "context.append_loop_event", "event": event});
    let session = lines(&[
        json!({"type": "metadata", "protocol_version": "1.4"}),
        user("first"),
        user("second"),
        request("loop"),
        event(json!({"type": "content.part", "part": {"type": "think", "think": "hm"}})),
        event(json!({"type": "tool.call", "toolCallId": "c", "name": "Bash", "args": {}})),
        event(json!({"type": "tool.result", "toolCallId": "c", "result": {"output": "ok"}})),
        event(json!({"type": "step.end", "usage": usage["usage"]})),
        usage.clone(),
        request("compaction"),
        usage,
        json!({"type": "context.apply_compaction", "summary": "sum", "keptUserMessageCount": 1}),
        request("loop"),
    ]);
    assert_eq!(sent_by_main(&session)[2], ["u:second", "u:sum"]);
    assert_eq!(session.threads[0].requests[1].kind, RequestKind::Compaction);
    assert_eq!(session.threads[0].usage().0, 2);
}

#[test]
fn qwen_a_compression_starts_a_new_history() {
    let line = |kind: &str, rest: Value| {
        let mut line = json!({"uuid": "u", "sessionId": "s", "type": kind, "timestamp": "2026-01-01T00:00:00Z"});
        line.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        line
    };
    let usage = json!({"promptTokenCount": 10, "cachedContentTokenCount": 4, "candidatesTokenCount": 1, "thoughtsTokenCount": 2});
    let model = json!({"message": {"role": "model", "parts": [{"text": "one"}]}, "usageMetadata": usage});
    let session = lines(&[
        line("user", json!({"message": {"role": "user", "parts": [{"text": "go"}]}})),
        line("assistant", model.clone()),
        line("system", json!({"systemPayload": {"compressedHistory": [{"role": "user", "parts": [{"text": "sum"}]}]}})),
        line("assistant", model),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:sum"]]);
    assert!(matches!(session.threads[0].contexts[1].start, ContextStart::Compaction { .. }));
    assert_eq!(session.threads[0].usage().1.cache_read, 8);
}

#[test]
fn copilot_usage_is_known_per_session_and_is_missing_per_request() {
    let line =
        |kind: &str, data: Value| json!({"type": kind, "data": data, "timestamp": "2026-01-01T00:00:00Z", "id": "i"});
    let metrics = json!({"m": {"requests": {"count": 1}, "usage": {"inputTokens": 10, "outputTokens": 2, "cacheReadTokens": 6, "cacheWriteTokens": 0}}});
    let session = lines(&[
        line("session.start", json!({"sessionId": "s", "context": {"cwd": "/p"}})),
        line("user.message", json!({"content": "go", "transformedContent": "go now"})),
        line(
            "assistant.message",
            json!({"content": "one", "toolRequests": [{"toolCallId": "c", "name": "bash", "arguments": {}}]}),
        ),
        line("tool.execution_complete", json!({"toolCallId": "c", "success": false, "error": {"message": "no"}})),
        line("assistant.message", json!({"content": "two", "toolRequests": []})),
        line("session.shutdown", json!({"modelMetrics": metrics})),
    ]);
    assert_eq!(sent_by_main(&session)[1], ["u:go now", "a:one+bash#c{}", "t:!#c=no"]);
    assert!(session.requests().all(|request| request.usage.is_none()));
    assert_eq!((session.totals[0].usage.total(), session.totals[0].usage.uncached), (10, 4));
}

#[test]
fn copilot_a_compaction_sends_the_system_prompt_and_the_summary() {
    let line =
        |kind: &str, data: Value| json!({"type": kind, "data": data, "timestamp": "2026-01-01T00:00:00Z", "id": "i"});
    let session = lines(&[
        line("session.start", json!({"sessionId": "s"})),
        line("system.message", json!({"content": "be brief"})),
        line("user.message", json!({"content": "go"})),
        line("assistant.message", json!({"content": "one", "toolRequests": []})),
        line(
            "session.compaction_complete",
            json!({"success": true, "preCompactionTokens": 900, "summaryContent": "so far"}),
        ),
        line("user.message", json!({"content": "on"})),
        line("assistant.message", json!({"content": "two", "toolRequests": []})),
    ]);
    assert_eq!(sent_by_main(&session)[1], ["s:be brief", "u:so far", "u:on"]);
}
