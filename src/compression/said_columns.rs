//! Reads messages from the JavaScript side: all texts in one array, all numbers in another.

use napi::Unknown;
use palimpsest_core::compression::message::{
    ChatMessage, ChatRole, Compaction, CreatedKind, Linkage, ToolCall,
};
use palimpsest_core::text::utf16::to_utf8;

use crate::layouts::{FlatForm, SaidFlag, SaidMessage, SaidRole};
use crate::units::Strings;

/// Inconsistent input reads as empty: the JavaScript side writes both arrays together.
pub fn read_messages(texts: &Unknown<'_>, numbers: &[f64]) -> Vec<ChatMessage> {
    let mut texts = SaidTexts { strings: Strings::new(texts), next: 0 };
    numbers
        .chunks_exact(SaidMessage::LENGTH)
        .filter_map(|numbers| read_message(&mut texts, numbers))
        .collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole numbers written by the JavaScript side
fn read_message(texts: &mut SaidTexts, numbers: &[f64]) -> Option<ChatMessage> {
    let SaidMessage { role, flags, level, tokens, calls, answers, units_beside_results } =
        SaidMessage::read(numbers)?;
    let (role, flags) = (role as u32, flags as u32);
    let has = |flag: SaidFlag| flags & flag as u32 != 0;
    let roles = [
        (SaidRole::System, ChatRole::System),
        (SaidRole::User, ChatRole::User),
        (SaidRole::Assistant, ChatRole::Assistant),
        (SaidRole::Tool, ChatRole::Tool),
    ];
    let made = [
        (SaidFlag::Summary, CreatedKind::Summary),
        (SaidFlag::Truncation, CreatedKind::Notice),
        (SaidFlag::PinnedCopy, CreatedKind::Pinned),
    ];
    let compactions = [(SaidFlag::Sealed, Compaction::Sealed), (SaidFlag::Compaction, Compaction::Text)];
    Some(ChatMessage {
        role: roles.into_iter().find(|&(of, _)| of as u32 == role).map_or(ChatRole::Other, |(_, role)| role),
        text: texts.next(),
        calls: (0..calls as usize)
            .map(|_| ToolCall { id: texts.next(), name: texts.next(), arguments: texts.next() })
            .collect(),
        answers: (0..answers as usize).map(|_| texts.next()).collect(),
        units_outside_results: units_beside_results as usize,
        tokens,
        failed: has(SaidFlag::Failed),
        has_thinking: has(SaidFlag::Thinking),
        pinned: has(SaidFlag::Pinned),
        compaction: compactions.into_iter().find(|&(flag, _)| has(flag)).map(|(_, form)| form),
        created_as: made.into_iter().find(|&(flag, _)| has(flag)).map(|(_, made)| made),
        level: level as u32,
        linkage: if has(SaidFlag::Joined) { Linkage::Joined } else { Linkage::Separate },
    })
}

struct SaidTexts {
    strings: Strings,
    next: usize,
}

impl SaidTexts {
    fn next(&mut self) -> String {
        let text = self.strings.head(self.next, usize::MAX).map(|(units, _)| to_utf8(units));
        self.next += 1;
        text.unwrap_or_default()
    }
}
