//! Names a compression so that the same history, compressed at the same time, gets the same name (R0.4).

use std::iter::once;

use crate::compression::message::ChatMessage;
use crate::text::fingerprint::fnv1a;

/// Ends each field: no UTF-8 text has this byte.
const END: [u8; 1] = [0xFF];

/// `cmp_` and sixteen hexadecimal digits. O(text).
#[must_use]
pub fn compression_id(messages: &[ChatMessage], now_ms: f64) -> String {
    let fields = messages.iter().flat_map(|message| {
        let calls = message.calls.iter().flat_map(|call| [&call.id, &call.name, &call.arguments]);
        let texts = [&message.text].into_iter().chain(calls).chain(&message.answers);
        once(message.role as u8).chain(END).chain(texts.flat_map(|text| text.bytes().chain(END)))
    });
    let bytes = now_ms.to_bits().to_le_bytes().into_iter().chain(END).chain(fields);
    format!("cmp_{:016x}", fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> ChatMessage {
        ChatMessage { text: text.to_owned(), ..ChatMessage::default() }
    }

    #[test]
    fn r0_4_a_name_depends_on_what_is_compressed_and_when_and_on_nothing_else() {
        let history = [said("a"), said("b")];
        assert_eq!(compression_id(&history, 1.0), compression_id(&history, 1.0));
        assert_ne!(compression_id(&history, 1.0), compression_id(&history, 2.0));
        assert_ne!(compression_id(&history, 1.0), compression_id(&[said("ab"), said("")], 1.0));
    }
}
