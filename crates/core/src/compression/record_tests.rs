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
