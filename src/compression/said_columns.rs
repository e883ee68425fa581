//! Conversations as the face hands them over: all texts in one array, all numbers in another.

use napi::Unknown;
use palimpsest_core::compression::message::{Call, Made, Message, Role, Standing};
use palimpsest_core::text::utf16::to_utf8;

use crate::units::Strings;

/// Role, flags, level, tokens, calls, answers, units beside results; as `lib/compression/said-columns.js` writes them.
const NUMBERS: usize = 7;
const FAILED: u32 = 1;
const THINKING: u32 = 2;
const PINNED: u32 = 4;
const MADE_SHIFT: u32 = 3;
const MADE_MASK: u32 = 3;
const JOINED: u32 = 32;

/// Reads the messages. What doesn't fit together reads as nothing: the face writes both arrays in one go.
pub fn read_messages(texts: &Unknown<'_>, numbers: &[f64]) -> Vec<Message> {
    let mut texts = Texts { strings: Strings::new(texts), next: 0 };
    numbers.chunks_exact(NUMBERS).filter_map(|numbers| read_message(&mut texts, numbers)).collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole numbers of the face's own
fn read_message(texts: &mut Texts, numbers: &[f64]) -> Option<Message> {
    let &[role, flags, level, tokens, calls, answers, beside] = numbers else { return None };
    let flags = flags as u32;
    Some(Message {
        role: match role as u32 {
            0 => Role::System,
            1 => Role::User,
            2 => Role::Assistant,
            3 => Role::Tool,
            _ => Role::Other,
        },
        text: texts.next(),
        calls: (0..calls as usize)
            .map(|_| Call { id: texts.next(), name: texts.next(), arguments: texts.next() })
            .collect(),
        answers: (0..answers as usize).map(|_| texts.next()).collect(),
        units_beside_results: beside as usize,
        tokens,
        failed: flags & FAILED != 0,
        has_thinking: flags & THINKING != 0,
        pinned: flags & PINNED != 0,
        made: match (flags >> MADE_SHIFT) & MADE_MASK {
            1 => Some(Made::Summary),
            2 => Some(Made::Notice),
            3 => Some(Made::Pinned),
            _ => None,
        },
        level: level as u32,
        standing: if flags & JOINED == 0 { Standing::Apart } else { Standing::Joined },
    })
}

struct Texts {
    strings: Strings,
    next: usize,
}

impl Texts {
    fn next(&mut self) -> String {
        let text = self.strings.head(self.next, usize::MAX).map(|(units, _)| to_utf8(units));
        self.next += 1;
        text.unwrap_or_default()
    }
}
