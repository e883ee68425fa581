//! Names a compression so that the same history, compressed at the same time, gets the same name (R0.4).

use crate::compression::message::Message;

/// `cmp_` and sixteen hexadecimal digits. O(text).
#[must_use]
pub fn compression_id(messages: &[Message], now_ms: f64) -> String {
    let mut hash = Fnv1a::new();
    hash.take(&now_ms.to_bits().to_le_bytes());
    for message in messages {
        hash.take(&[message.role as u8]);
        hash.take(message.text.as_bytes());
        for call in &message.calls {
            for text in [&call.id, &call.name, &call.arguments] {
                hash.take(text.as_bytes());
            }
        }
        for id in &message.answers {
            hash.take(id.as_bytes());
        }
    }
    format!("cmp_{:016x}", hash.0)
}

/// FNV-1a, 64 bits: names need not resist attacks, only differ.
struct Fnv1a(u64);

impl Fnv1a {
    const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn take(&mut self, bytes: &[u8]) {
        // A byte that no UTF-8 text has ends each field.
        for &byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Message {
        Message { text: text.to_owned(), ..Message::default() }
    }

    #[test]
    fn r0_4_a_name_depends_on_what_is_compressed_and_when_and_on_nothing_else() {
        let history = [said("a"), said("b")];
        assert_eq!(compression_id(&history, 1.0), compression_id(&history, 1.0));
        assert_ne!(compression_id(&history, 1.0), compression_id(&history, 2.0));
        assert_ne!(compression_id(&history, 1.0), compression_id(&[said("ab"), said("")], 1.0));
    }
}
