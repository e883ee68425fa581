//! Names a compression by what it takes out and not by when: one that is repeated, because the process or the answer was lost,
//! names the same batch of the archive, which is then there already.

use crate::compression::message::Message;

/// The name of a compression that takes out `messages`: `cmp_` and sixteen hexadecimal digits. A summary and a cut of the same
/// messages are two. O(text).
#[must_use]
pub fn compression_id(messages: &[Message], is_cut: bool) -> String {
    let mut hash = Fnv1a::new();
    hash.take(&[u8::from(is_cut)]);
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
    fn r0_4_a_name_depends_on_what_is_compressed_and_how_and_on_nothing_else() {
        let history = [said("a"), said("b")];
        assert_eq!(compression_id(&history, false), compression_id(&history, false));
        assert_ne!(compression_id(&history, false), compression_id(&history, true));
        assert_ne!(compression_id(&history, false), compression_id(&[said("ab"), said("")], false));
    }
}
