//! Reads messages from the JavaScript side: all texts in one array, all numbers in another.

use napi::Unknown;
use palimpsest_core::compression::message::{
    ChatMessage, ChatRole, Compaction, CreatedKind, Linkage, ToolCall,
};

use crate::layouts::{FlatForm, SaidFlag, SaidMessage, SaidRole};
use crate::units::Strings;

/// Inconsistent input reads as empty: the JavaScript side writes both arrays together.
pub fn read_messages(texts: &Unknown<'_>, numbers: &[f64]) -> Vec<ChatMessage> {
    let mut strings = Strings::new(texts);
    let mut texts = (0..).map(|index| strings.utf8(index));
    numbers
        .chunks_exact(SaidMessage::LENGTH)
        .filter_map(|numbers| read_message(&mut texts, numbers))
        .collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole numbers written by the JavaScript side
fn read_message(texts: &mut impl Iterator<Item = String>, numbers: &[f64]) -> Option<ChatMessage> {
    let mut next = || texts.next().unwrap_or_default();
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
        text: next(),
        calls: (0..calls as usize)
            .map(|_| ToolCall { id: next(), name: next(), arguments: next() })
            .collect(),
        answers: (0..answers as usize).map(|_| next()).collect(),
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
