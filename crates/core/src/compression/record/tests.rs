use super::*;

fn message(text: &str) -> ChatMessage {
    ChatMessage { text: text.to_owned(), ..ChatMessage::default() }
}

#[test]
fn r0_4_a_compression_id_depends_only_on_the_messages_and_the_kind() {
    let history = [message("a"), message("b")];
    assert_eq!(compression_id(&history, false), compression_id(&history, false));
    assert_ne!(compression_id(&history, false), compression_id(&history, true));
    assert_ne!(compression_id(&history, false), compression_id(&[message("ab"), message("")], false));
}

#[test]
fn r7_8_request_fields_include_no_field_of_an_application_and_no_usage() {
    let stored = ["timestamp", "id", "messageStatus", "isCompressed", "compressedAt", "compression", "editorContext"];
    assert!(REQUEST_FIELDS.iter().all(|field| !stored.contains(field) && !USAGE_FIELDS.contains(field)));
}

#[test]
fn edge_24_thinking_and_signatures_reach_the_provider() {
    for field in ["thinking", "redacted_thinking", "signature", "thoughtSignature", "reasoning_content"] {
        assert!(REQUEST_FIELDS.contains(&field), "{field}");
    }
}

#[test]
fn r7_3_every_field_that_a_usage_report_is_read_from_is_cleared() {
    assert!(crate::provider::usage::REPORT_FIELDS.iter().all(|field| USAGE_FIELDS.contains(field)));
}

#[test]
fn no_field_is_listed_twice() {
    let all: std::collections::HashSet<_> = REQUEST_FIELDS.iter().chain(&USAGE_FIELDS).collect();
    assert_eq!(all.len(), REQUEST_FIELDS.len() + USAGE_FIELDS.len());
}
