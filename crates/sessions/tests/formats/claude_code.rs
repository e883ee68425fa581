//! Session files of Claude Code.

use palimpsest_sessions::{ContextStart, NoteKind, ThreadKind};
use serde_json::{Value, json};

use crate::{lines, sent, sent_by_main};

fn record(kind: &str, uuid: &str, parent: Option<&str>, message: Value) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": false,
        "cwd": "/p", "version": "2.1", "timestamp": "2026-01-01T00:00:00.000Z", "message": message})
}

fn user(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    record("user", uuid, parent, json!({"role": "user", "content": text}))
}

fn result(uuid: &str, parent: &str, id: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": format!("r-{id}")});
    record("user", uuid, Some(parent), json!({"role": "user", "content": [block]}))
}

fn answer(uuid: &str, parent: &str, id: &str, block: Value, output: u64) -> Value {
    let usage = json!({"input_tokens": 1, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 5,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 5}, "output_tokens": output});
    record(
        "assistant",
        uuid,
        Some(parent),
        json!({"role": "assistant", "id": id, "model": "m", "content": [block], "usage": usage}),
    )
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Read", "input": {}})
}

#[test]
fn blocks_of_one_assistant_message_are_one_request_even_if_a_result_is_between_them() {
    let session = lines(&[
        user("1", None, "go"),
        answer("2", "1", "m1", call("a"), 1),
        result("3", "2", "a"),
        answer("4", "2", "m1", call("b"), 7),
        result("5", "4", "b"),
        answer("6", "5", "m2", text("done"), 3),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:go", "a:Read#a{}+Read#b{}", "t:#a=r-a+#b=r-b"]]);
    let (requests, usage) = session.threads[0].usage();
    assert_eq!((requests, usage.output, usage.total(), usage.cache_write_1h), (2, 10, 32, 10));
    assert_eq!((session.id.as_deref(), session.project.as_deref()), (Some("s"), Some("/p")));
}

#[test]
fn after_a_compaction_boundary_only_the_summary_is_sent() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "3", "parentUuid": null,
        "sessionId": "s", "isSidechain": false, "compactMetadata": {"trigger": "auto", "preTokens": 176_700}});
    let session = lines(&[
        user("1", None, "go"),
        answer("2", "1", "m1", text("one"), 1),
        boundary,
        user("4", Some("3"), "summary"),
        answer("5", "4", "m2", text("two"), 1),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:summary"]]);
    assert_eq!(session.threads[0].contexts[1].start, ContextStart::Compaction { tokens_before: Some(176_700) });
}

#[test]
fn messages_after_a_rewind_point_become_a_branch() {
    let session = lines(&[
        user("1", None, "go"),
        answer("2", "1", "m1", text("one"), 1),
        user("3", Some("2"), "left"),
        answer("4", "3", "m2", text("two"), 1),
        user("5", Some("2"), "right"),
        answer("6", "5", "m3", text("three"), 1),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"], vec!["u:go", "a:one", "u:right"]]);
    let branch = &session.threads[1];
    assert_eq!(branch.kind, ThreadKind::Branch);
    assert_eq!(sent(&session, branch, &branch.requests[0]), ["u:go", "a:one", "u:left"]);
    assert_eq!(session.requests().count(), 3);
}

#[test]
fn two_user_messages_on_one_parent_without_an_assistant_message_are_not_a_rewind() {
    let session = lines(&[
        user("1", None, "a"),
        user("2", Some("1"), "b"),
        user("3", Some("1"), "c"),
        answer("4", "3", "m1", text("one"), 1),
    ]);
    assert_eq!(sent_by_main(&session), [vec!["u:a", "u:b", "u:c"]]);
    assert_eq!(session.threads.len(), 1);
}

#[test]
fn sub_agents_are_separate_threads_by_agent_id_or_by_their_chain() {
    let mut child = user("c1", None, "task");
    child["isSidechain"] = json!(true);
    let mut reply = answer("c2", "c1", "mc", text("found"), 1);
    reply["isSidechain"] = json!(true);
    let mut with_agent_id = user("d1", None, "other");
    with_agent_id["isSidechain"] = json!(true);
    with_agent_id["agentId"] = json!("x7");
    let progress = json!({"type": "progress", "uuid": "p", "parentUuid": "1", "sessionId": "s", "isSidechain": false,
        "data": {"type": "agent_progress", "agentId": "x7", "message": answer("d2", "d1", "md", text("seen"), 1)}});
    let session =
        lines(&[user("1", None, "go"), child, reply, with_agent_id, progress, answer("2", "1", "m1", text("one"), 1)]);
    assert_eq!(sent_by_main(&session), [vec!["u:go"]]);
    let others: Vec<_> = session.threads[1..]
        .iter()
        .map(|thread| (thread.kind, thread.id.as_deref(), sent(&session, thread, &thread.requests[0])))
        .collect();
    let sub = ThreadKind::SubAgent;
    assert_eq!(others, [(sub, Some("c1"), vec!["u:task".to_owned()]), (sub, Some("x7"), vec!["u:other".to_owned()])]);
}

#[test]
fn the_file_of_a_sub_agent_is_a_thread_of_its_session_and_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let agents = folder.path().join("s/subagents");
    std::fs::create_dir_all(&agents).unwrap();
    let write = |path: std::path::PathBuf, records: &[Value]| {
        let lines: Vec<String> = records.iter().map(Value::to_string).collect();
        std::fs::write(path, lines.join("\n")).unwrap();
    };
    let mut task = user("d1", None, "other");
    let mut seen = answer("d2", "d1", "md", text("seen"), 1);
    for record in [&mut task, &mut seen] {
        record["isSidechain"] = json!(true);
        record["agentId"] = json!("x7");
    }
    let progress = json!({"type": "progress", "uuid": "p", "parentUuid": "1", "sessionId": "s", "isSidechain": false,
        "data": {"type": "agent_progress", "agentId": "x7", "message": seen.clone()}});
    write(folder.path().join("s.jsonl"), &[user("1", None, "go"), progress, answer("2", "1", "m1", text("one"), 1)]);
    write(agents.join("agent-x7.jsonl"), &[task, seen]);
    let found = palimpsest_sessions::find_files(&[folder.path().to_path_buf()]);
    assert_eq!(found.sources.len(), 1);
    let session = palimpsest_sessions::read_source(&found.sources[0]).unwrap().remove(0);
    let requests: Vec<_> = session.threads.iter().map(|thread| (thread.kind, thread.requests.len())).collect();
    assert_eq!(requests, [(ThreadKind::Main, 1), (ThreadKind::SubAgent, 1)]);
}

#[test]
fn attachments_are_sent_and_synthetic_messages_are_not() {
    let mut attachment = record("attachment", "2", Some("1"), Value::Null);
    attachment["attachment"] = json!({"rendered": [{"content": "reminder"}]});
    let mut synthetic = answer("3", "2", "x", text("No response requested."), 0);
    synthetic["message"]["model"] = json!("<synthetic>");
    let session = lines(&[user("1", None, "go"), attachment, synthetic, answer("4", "2", "m1", text("one"), 1)]);
    assert_eq!(sent_by_main(&session), [vec!["u:go", "u:reminder"]]);
}

#[test]
fn repeated_records_of_a_resumed_file_count_once() {
    let records = [user("1", None, "go"), answer("2", "1", "m1", text("one"), 4)];
    let repeated: Vec<Value> = records.iter().chain(&records).cloned().collect();
    let session = lines(&repeated);
    assert_eq!(session.threads[0].usage().1.output, 4);
    assert_eq!(session.notes.count(NoteKind::RepeatedRecord), 2);
}

#[test]
fn unknown_records_torn_lines_and_lone_surrogates_are_counted_with_their_line() {
    let text = format!(
        "{}\n{}\nnot json\n{}\n{{\"type\": \"user\", \"mess",
        user("1", None, "go"),
        json!({"type": "brand-new", "x": 1}),
        answer("2", "1", "m1", text("one"), 1).to_string().replace("one", "\\ud83d"),
    );
    let session = crate::text_of(&text);
    let notes: Vec<_> = session.notes.iter().map(|(kind, count)| (kind, count.count, count.first[0].line)).collect();
    let expected = [
        (NoteKind::TornLine, 1, 5),
        (NoteKind::BadLine, 1, 3),
        (NoteKind::LoneSurrogate, 1, 4),
        (NoteKind::UnknownRecord, 1, 2),
        (NoteKind::PartialOutput, 1, 0),
    ];
    assert_eq!(notes, expected);
    let unknown = session.notes.iter().find(|(kind, _)| *kind == NoteKind::UnknownRecord).unwrap().1;
    let note = unknown.first[0].to_string();
    assert_eq!(note, "line 2: record type brand-new, expected user, assistant, system, progress or attachment");
}
