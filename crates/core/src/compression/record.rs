//! Composes what a compression stores: its id, its text, and what it keeps of the messages word for word.

pub mod api_fields;
pub mod digest;
pub mod fields;
pub mod summary_text;

use std::iter::once;

use crate::compression::message::ChatMessage;
use crate::text::hash::fnv1a;

/// Ends each field: no UTF-8 text contains this byte.
const FIELD_END: [u8; 1] = [0xFF];

/// `cmp_` and sixteen hexadecimal digits, derived from the messages that the compression removes, not from the time. A
/// compression that is repeated, because the process or the reply was lost, thus gets the same archive batch. A summary
/// and a cut of the same messages have different ids. O(text).
pub fn compression_id(messages: &[ChatMessage], is_cut: bool) -> String {
    let fields = messages.iter().flat_map(|message| {
        let calls = message.calls.iter().flat_map(|call| [&call.id, &call.name, &call.arguments]);
        let texts = [&message.text].into_iter().chain(calls).chain(&message.answers);
        once(message.role as u8).chain(FIELD_END).chain(texts.flat_map(|text| text.bytes().chain(FIELD_END)))
    });
    let bytes = once(u8::from(is_cut)).chain(FIELD_END).chain(fields);
    format!("cmp_{:016x}", fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> ChatMessage {
        ChatMessage { text: text.to_owned(), ..ChatMessage::default() }
    }

    #[test]
    fn r0_4_a_name_depends_on_what_is_compressed_and_how_and_on_nothing_else() {
        let history = [message("a"), message("b")];
        assert_eq!(compression_id(&history, false), compression_id(&history, false));
        assert_ne!(compression_id(&history, false), compression_id(&history, true));
        assert_ne!(compression_id(&history, false), compression_id(&[message("ab"), message("")], false));
    }
}
