//! Tests of each format with small sessions written for them.

// Tests and examples may panic; the library may not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
// Values of `json!` are passed directly.
#![allow(clippy::needless_pass_by_value)]

mod account;
mod agents;
mod claude_code;
mod codex;
mod documents;
mod failures;
mod logs;
mod opencode_database;
mod opencode_fixture;
mod picture;
mod refusals;
mod sdks;
#[path = "../support/mod.rs"]
mod support;
mod trajectories;
mod transcripts;

use palimpsest_sessions::{Message, Part, Request, Role, Session, Thread, read_sessions};
use serde_json::Value;

/// The only session in the given JSON lines.
fn lines(records: &[Value]) -> Session {
    let text: Vec<String> = records.iter().map(Value::to_string).collect();
    text_of(&text.join("\n"))
}

fn text_of(text: &str) -> Session {
    let mut sessions = read_sessions(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sessions.len(), 1);
    sessions.remove(0)
}

/// The messages that a request sent, each as its role's first letter and its texts and results.
fn sent(session: &Session, thread: &Thread, request: &Request) -> Vec<String> {
    session.sent_messages(thread, request).map(short).collect()
}

fn sent_by_main(session: &Session) -> Vec<Vec<String>> {
    let main = &session.threads[0];
    main.requests.iter().map(|request| sent(session, main, request)).collect()
}

fn short(message: &Message) -> String {
    let role = match message.role {
        Role::System => "s",
        Role::Developer => "d",
        Role::User => "u",
        Role::Assistant => "a",
        Role::Tool => "t",
    };
    let parts: Vec<String> = message.parts.iter().map(short_part).collect();
    format!("{role}:{}", parts.join("+"))
}

fn short_part(part: &Part) -> String {
    match part {
        Part::Text(text) => text.clone(),
        Part::Reasoning { text, .. } => format!("({text})"),
        Part::Call { id, name, arguments, .. } => format!("{name}#{id}{arguments}"),
        Part::Result { id, content, is_error } => {
            let content: Vec<String> = content.iter().map(short_part).collect();
            format!("{}#{id}={}", if *is_error { "!" } else { "" }, content.join("+"))
        }
        Part::Media(media) => format!("{:?}", media.kind),
        Part::Tools(json) => format!("tools{json}"),
        Part::Other { kind, .. } => format!("?{kind}"),
    }
}
