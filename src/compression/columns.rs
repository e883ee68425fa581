//! Reads the messages that the JavaScript side writes as arrays: their token figures, and their texts.

use napi::Unknown;
use palimpsest_core::compression::message::{ChatMessage, ChatRole, CreatedKind, ProviderSummary, ToolCall};
use palimpsest_core::compression::session::usage::{CountedHistory, ReportedTokens, TokenRow};
use palimpsest_core::provider::usage::{Usage, field_names, prompt_tokens};

use crate::layouts::{FlatForm, SaidFlag, SaidMessage, WeighedMessage};
use crate::units::Strings;
use crate::usage::figure_in;

/// `rows`: one `WeighedMessage` per message. `reports`: for each message with a provider's report, its index and a
/// figure, or NaN, for each of `usageNames`. `fixed_tokens`: what a request takes in addition to its messages.
pub fn read_history(rows: &[f64], reports: &[f64], fixed_tokens: f64) -> CountedHistory {
    let row = |numbers: &[f64]| {
        let Some(WeighedMessage { tokens, counted }) = WeighedMessage::read(numbers) else {
            return TokenRow::default();
        };
        TokenRow { tokens, counted: unless_nan(counted), report: None }
    };
    let mut rows: Vec<TokenRow> = rows.chunks_exact(WeighedMessage::LENGTH).map(row).collect();
    for numbers in reports.chunks_exact(1 + field_names().count()) {
        let Some((&index, figures)) = numbers.split_first() else { continue };
        let figures: Vec<Option<f64>> = figures.iter().map(|&figure| unless_nan(figure)).collect();
        if let Some(row) = rows.get_mut(index as usize) {
            let completion = Usage::read(figure_in(&figures)).output_tokens();
            row.report = Some(ReportedTokens { prompt: prompt_tokens(figure_in(&figures)), completion });
        }
    }
    CountedHistory { rows, fixed_tokens }
}

fn unless_nan(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(number)
}

/// Reads messages from all their texts and all their numbers. Inconsistent input reads as empty: the JavaScript side
/// writes both arrays together.
pub fn read_messages(texts: &Unknown<'_>, numbers: &[f64]) -> Vec<ChatMessage> {
    let mut strings = Strings::new(texts);
    let mut texts = (0..).map(|index| strings.utf8(index));
    numbers.chunks_exact(SaidMessage::LENGTH).filter_map(|numbers| read_message(&mut texts, numbers)).collect()
}

fn read_message(texts: &mut impl Iterator<Item = String>, numbers: &[f64]) -> Option<ChatMessage> {
    let mut next_text = || texts.next().unwrap_or_default();
    let SaidMessage { role, flags, level, tokens, calls, answers, units_beside_results } = SaidMessage::read(numbers)?;
    let has = |flag: SaidFlag| flags as u32 & flag as u32 != 0;
    // In the order of `SaidRole`.
    let chat_roles = [ChatRole::System, ChatRole::User, ChatRole::Assistant, ChatRole::Tool];
    let created_kinds = [
        (SaidFlag::Summary, CreatedKind::Summary),
        (SaidFlag::Truncation, CreatedKind::Notice),
        (SaidFlag::PinnedCopy, CreatedKind::Pinned),
    ];
    let summaries = [(SaidFlag::Sealed, ProviderSummary::Sealed), (SaidFlag::Compaction, ProviderSummary::Text)];
    Some(ChatMessage {
        role: chat_roles.get(role as usize).copied().unwrap_or_default(),
        text: next_text(),
        calls: (0..calls as usize)
            .map(|_| ToolCall { id: next_text(), name: next_text(), arguments: next_text() })
            .collect(),
        answers: (0..answers as usize).map(|_| next_text()).collect(),
        units_beside_results: units_beside_results as usize,
        tokens,
        failed: has(SaidFlag::Failed),
        has_thinking: has(SaidFlag::Thinking),
        pinned: has(SaidFlag::Pinned),
        provider_summary: summaries.into_iter().find(|&(flag, _)| has(flag)).map(|(_, form)| form),
        created_as: created_kinds.into_iter().find(|&(flag, _)| has(flag)).map(|(_, kind)| kind),
        level: level as u32,
        is_joined: has(SaidFlag::Joined),
    })
}
