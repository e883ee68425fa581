//! Files that are not sessions are refused with a helpful message.

use palimpsest_sessions::{Agent, ReadError, read_sessions};

fn refusal(text: &str) -> ReadError {
    read_sessions(text.as_bytes()).expect_err("no session")
}

#[test]
fn an_empty_file_is_reported_as_empty() {
    for text in ["", "\n\n", "   "] {
        assert_eq!(refusal(text).code(), "ERR_SESSION_EMPTY", "{text:?}");
    }
}

#[test]
fn the_error_for_an_unknown_format_names_every_known_format() {
    let error = refusal("{\"secret\": \"content\"}");
    let text = error.to_string();
    assert_eq!(error.code(), "ERR_SESSION_FORMAT");
    assert!(Agent::ALL.iter().all(|agent| text.contains(agent.name())), "{text}");
    assert!(text.contains("line 1") && !text.contains("secret") && !text.contains("content"), "{text}");
}

#[test]
fn the_error_for_a_file_similar_to_a_format_states_what_it_expects() {
    let near = format!("{}{}", "{\"type\": \"summary\", \"leafUuid\": \"x\"}\n", "{\"a\": 1}\n".repeat(5));
    let error = refusal(&near);
    assert!(matches!(error, ReadError::UnknownFormat { nearest: Some((Agent::ClaudeCode, _)), .. }), "{error}");
    assert!(error.to_string().contains("expected an object with `type` \"user\""), "{error}");
}

#[test]
fn prose_and_binary_data_are_refused() {
    for text in ["# A heading\n\nand words", "\0\0\0\0", "[1, 2, 3]", "[]", "{}", "null", "interactions: [\n"] {
        assert_eq!(refusal(text).code(), "ERR_SESSION_FORMAT", "{text:?}");
    }
}

#[test]
fn a_database_given_as_bytes_is_refused_with_a_hint_to_the_export() {
    let error = refusal("SQLite format 3\0\u{10}\0\u{1}\u{1}");
    assert_eq!(error.code(), "ERR_SESSION_DATABASE");
    assert!(error.to_string().contains("opencode export"), "{error}");
}
