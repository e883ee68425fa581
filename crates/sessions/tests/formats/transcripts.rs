//! Session files of Cursor and Droid, Gemini CLI's stream, opencode's storage, and files that are hardly understood.

use std::fs;
use std::path::Path;

use palimpsest_sessions::{
    Agent, ContextStart, ReadError, Session, ThreadKind, find_files, read_sessions, read_source,
};
use serde_json::{Value, json};

use crate::{lines, sent_by_main, short};

fn cursor(role: &str, content: Value) -> Value {
    json!({"role": role, "message": {"content": content}})
}

#[test]
fn cursor_calls_without_ids_are_paired_with_their_results_by_name() {
    let prompt = "<timestamp>Wednesday, Sep 16, 2026, 3:37 PM (UTC-4)</timestamp>\n<user_query>ship it</user_query>";
    let session = lines(&[
        cursor("user", json!([{"type": "text", "text": prompt}])),
        cursor(
            "assistant",
            json!([{"type": "text", "text": "Reading."}, {"type": "tool_use", "name": "Read", "input": {"path": "a"}},
            {"type": "tool_use", "name": "Shell", "parameters": {"command": "ls"}}]),
        ),
        cursor("tool", json!([{"type": "tool_result", "name": "Shell", "result": {"failure": "no"}}])),
        cursor("tool", json!([{"type": "tool_result", "name": "Read", "result": {"success": "text"}}])),
        cursor("assistant", json!("Done.")),
        cursor("assistant", json!([{"type": "turn_ended", "status": "success"}])),
        json!({"type": "turn_ended", "status": "success"}),
    ]);
    assert_eq!(session.agent, Agent::Cursor);
    assert_eq!(
        sent_by_main(&session)[1],
        [
            format!("u:{prompt}"),
            "a:Reading.+Read#call-1{\"path\":\"a\"}+Shell#call-2{\"command\":\"ls\"}".to_owned(),
            "t:!#call-2=no".to_owned(),
            "t:#call-1=text".to_owned(),
        ]
    );
    assert_eq!(session.messages[0].at_ms, Some(1_789_587_420_000));
    assert_eq!(session.requests().count(), 2, "`turn_ended` is not a request");
    assert!(session.notes.is_empty(), "{:?}", session.notes);
}

#[test]
fn cursor_a_long_text_is_read_whole() {
    let words = "word ".repeat(1000);
    let session = lines(&[
        cursor("user", json!([{"type": "text", "text": words}])),
        cursor("assistant", json!([{"type": "text", "text": "ok"}])),
    ]);
    assert_eq!(session.messages[0].text_bytes(), 5000);
}

fn droid(id: &str, role: &str, content: Value) -> Value {
    json!({"type": "message", "id": id, "timestamp": "2026-01-01T00:00:00Z", "parentId": null, "message": {"role": role, "content": content}})
}

fn droid_session() -> Vec<Value> {
    vec![
        json!({"type": "session_start", "id": "s", "title": "go", "owner": "me", "cwd": "/p", "version": 2}),
        droid("1", "user", json!([{"type": "text", "text": "go"}])),
        droid(
            "2",
            "assistant",
            json!([{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "id": "c", "name": "Execute", "input": {}}]),
        ),
        droid("3", "user", json!([{"type": "tool_result", "tool_use_id": "c", "content": "ok"}])),
        json!({"type": "todo_state", "id": "t", "todos": {"todos": "1."}}),
        droid("4", "assistant", json!([{"type": "text", "text": "one"}])),
    ]
}

#[test]
fn droid_a_compaction_leaves_the_summary_and_the_messages_after_its_anchor() {
    let mut records = droid_session();
    records.push(json!({"type": "compaction_state", "id": "x", "summaryText": "so far", "anchorMessage": {"id": "3"}}));
    records.push(droid("5", "user", json!("more")));
    records.push(droid("6", "assistant", json!("two")));
    records.push(
        json!({"type": "compaction_state", "id": "y", "summaryText": "so far, too", "anchorMessage": {"id": "5"}}),
    );
    records.push(droid("7", "assistant", json!("three")));
    let session = lines(&records);
    let sent = sent_by_main(&session);
    assert_eq!(sent[2], ["u:so far", "a:one", "u:more"]);
    assert_eq!(sent[3], ["u:so far, too", "a:two"]);
    assert!(matches!(session.threads[0].contexts[1].start, ContextStart::Compaction { .. }));
    assert_eq!(session.project.as_deref(), Some("/p"));
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn only_under(path: &Path) -> Session {
    let found = find_files(&[path.to_path_buf()]);
    assert_eq!(found.sources.len(), 1, "{:?}", found.sources);
    read_source(&found.sources[0]).unwrap().remove(0)
}

#[test]
fn droid_usage_is_read_from_the_settings_file_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<String> = droid_session().iter().map(Value::to_string).collect();
    write(&folder.path().join("a.jsonl"), &records.join("\n"));
    let usage = json!({"inputTokens": 34_045, "outputTokens": 12_641, "cacheCreationTokens": 7, "cacheReadTokens": 784_768, "thinkingTokens": 3_890});
    let settings = json!({"model": "gpt-5.3-codex", "tokenUsage": usage, "tags": [{"name": "exec"}]});
    write(&folder.path().join("a.settings.json"), &format!("{settings:#}"));
    let session = only_under(folder.path());
    let total = &session.totals[0];
    assert_eq!((total.model.as_str(), total.requests), ("gpt-5.3-codex", 2));
    assert_eq!((total.usage.total(), total.usage.cache_read, total.usage.output), (818_820, 784_768, 12_641));
    assert!(session.requests().all(|request| request.model.as_deref() == Some("gpt-5.3-codex")));
    fs::write(folder.path().join("a.settings.json"), "{ torn").unwrap();
    let session = only_under(folder.path());
    assert_eq!((session.requests().count(), session.totals.len()), (2, 0));
    assert_eq!(session.notes.count(palimpsest_sessions::NoteKind::UnreadableFile), 1);
}

#[test]
fn droid_a_session_called_by_another_is_a_sub_agent() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<String> = droid_session().iter().map(Value::to_string).collect();
    write(&folder.path().join("a.jsonl"), &records.join("\n"));
    let settings = json!({"model": "x", "tags": [{"name": "task", "metadata": {"callingSessionId": "other"}}]});
    write(&folder.path().join("a.settings.json"), &settings.to_string());
    assert_eq!(only_under(folder.path()).threads[0].kind, ThreadKind::SubAgent);
}

#[test]
fn gemini_cli_a_stream_has_its_deltas_joined_and_usage_for_the_run() {
    let event = |kind: &str, rest: Value| {
        let mut record = json!({"type": kind, "timestamp": "2026-01-01T00:00:00.000Z"});
        record.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        record
    };
    let delta = |text: &str| event("message", json!({"role": "assistant", "content": text, "delta": true}));
    let tool = |id: &str| event("tool_use", json!({"tool_name": "ls", "tool_id": id, "parameters": {}}));
    let models = json!({"gemini-3-flash": {"total_tokens": 120, "input_tokens": 100, "output_tokens": 15, "cached": 60},
        "gemini-2.5-flash-lite": {"total_tokens": 12, "input_tokens": 10, "output_tokens": 2, "cached": 0}});
    let session = lines(&[
        event("init", json!({"session_id": "s", "model": "auto"})),
        event("message", json!({"role": "user", "content": "go"})),
        delta("I "),
        delta("look."),
        tool("a"),
        tool("b"),
        event("tool_result", json!({"tool_id": "a", "status": "success", "output": "x"})),
        event("tool_result", json!({"tool_id": "b", "status": "error", "error": {"type": "t", "message": "no"}})),
        event("error", json!({"severity": "warning", "message": "slow"})),
        delta("Done."),
        event(
            "result",
            json!({"status": "success", "stats": {"total_tokens": 132, "input_tokens": 110, "output_tokens": 17, "cached": 60, "models": models}}),
        ),
    ]);
    assert_eq!((session.agent, session.id.as_deref()), (Agent::GeminiCli, Some("s")));
    assert_eq!(sent_by_main(&session)[1], ["u:go", "a:I look.+ls#a{}+ls#b{}", "t:#a=x+!#b=no"]);
    let totals: Vec<_> = session
        .totals
        .iter()
        .map(|total| (total.model.as_str(), total.usage.uncached, total.usage.cache_read, total.usage.output))
        .collect();
    assert_eq!(totals, [("gemini-3-flash", 40, 60, 20), ("gemini-2.5-flash-lite", 10, 0, 2)]);
}

#[test]
fn opencode_a_storage_is_assembled_from_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("storage");
    let put = |name: &str, value: Value| write(&root.join(name), &format!("{value:#}"));
    let session = |id: &str, parent: Value| json!({"id": id, "version": "0.14.0", "projectID": "p", "directory": "/w", "parentID": parent, "time": {"created": 1_767_225_600_000_u64}});
    let tokens = json!({"input": 5, "output": 1, "reasoning": 2, "cache": {"read": 3, "write": 4}});
    let answer = |session: &str| json!({"id": "msg_2", "sessionID": session, "role": "assistant", "modelID": "glm-4.6", "time": {"created": 1_767_225_601_000_u64}, "tokens": tokens, "cost": 0});
    put("session/p/ses_1.json", session("ses_1", Value::Null));
    put("message/ses_1/msg_2.json", answer("ses_1"));
    put(
        "message/ses_1/msg_1.json",
        json!({"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1_767_225_600_000_u64}}),
    );
    let part = |id: &str, message: &str, rest: Value| {
        let mut part = json!({"id": id, "sessionID": "ses_1", "messageID": message});
        part.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        put(&format!("part/{message}/{id}.json"), part);
    };
    part("prt_1", "msg_1", json!({"type": "text", "text": "go"}));
    part("prt_2", "msg_2", json!({"type": "step-start"}));
    part(
        "prt_3",
        "msg_2",
        json!({"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "completed", "input": {}, "output": "ok"}}),
    );
    part("prt_4", "msg_2", json!({"type": "step-finish", "tokens": tokens}));
    let read = only_under(&root);
    assert_eq!((read.agent, read.id.as_deref(), read.project.as_deref()), (Agent::OpenCode, Some("ses_1"), Some("/w")));
    assert_eq!(read.messages.iter().map(short).collect::<Vec<_>>(), ["u:go", "a:bash#c{}", "t:#c=ok"]);
    assert_eq!((read.threads[0].usage().0, read.threads[0].usage().1.total()), (1, 12));
    assert!(read.notes.is_empty(), "{:?}", read.notes);
    write(&root.join("part/msg_2/prt_3.json"), "{ torn");
    assert_eq!(only_under(&root).notes.count(palimpsest_sessions::NoteKind::BadLine), 1);
    put("session/p/ses_2.json", session("ses_2", json!("ses_1")));
    put("message/ses_2/msg_2.json", answer("ses_2"));
    assert_eq!(only_under(&root.join("session/p/ses_2.json")).threads[0].kind, ThreadKind::SubAgent);
}

#[test]
fn a_file_of_which_less_than_a_tenth_is_understood_is_refused() {
    let words = "word ".repeat(1000);
    let foreign = |role: &str| json!({"role": role, "content": "", "blob": {"said": words}});
    let messages = vec![foreign("user"), foreign("assistant")];
    let by_line: Vec<String> = messages.iter().map(Value::to_string).collect();
    for text in [Value::from(messages.clone()).to_string(), by_line.join("\n")] {
        let error = read_sessions(text.as_bytes()).expect_err("not understood");
        assert!(matches!(error, ReadError::NotUnderstood { .. }), "{error}");
        assert_eq!(error.code(), "ERR_SESSION_NOT_UNDERSTOOD");
        let message = error.to_string();
        assert!(message.contains(" of 100") && message.contains("Cursor") && !message.contains("word "), "{message}");
    }
    let mut understood = vec![json!({"role": "user", "content": "word ".repeat(200)})];
    understood.extend(messages);
    assert!(read_sessions(Value::from(understood).to_string().as_bytes()).is_ok(), "a tenth is understood");
}

#[test]
fn a_file_of_an_agent_with_almost_only_unknown_records_is_refused() {
    let known = json!({"type": "session_start", "id": "s", "cwd": "/p"});
    let mut records = vec![known, droid("1", "user", json!("go"))];
    records.extend((0..40).map(|number| json!({"type": "of_tomorrow", "id": number, "message": {"text": "words"}})));
    let text: Vec<String> = records.iter().map(Value::to_string).collect();
    let error = read_sessions(text.join("\n").as_bytes()).expect_err("not understood");
    assert!(error.to_string().contains("1 of 41 records"), "{error}");
}
