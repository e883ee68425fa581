//! Reads the token figures of a conversation, message by message.

use palimpsest_core::compression::session::usage::{CountedHistory, ReportedTokens, TokenRow};
use palimpsest_core::provider::usage::{Usage, field_names, prompt_tokens};

use crate::layouts::{FlatForm, WeighedMessage};
use crate::usage::figure_in;

/// `rows`: one `WeighedMessage` per message. `reports`: for each message with a provider's report, its index and a
/// figure, or NaN, for each of `usageNames`. `fixed_tokens`: what a request takes in addition to its messages.
pub fn read(rows: &[f64], reports: &[f64], fixed_tokens: f64) -> CountedHistory {
    let row = |numbers: &[f64]| {
        let Some(WeighedMessage { tokens, counted }) = WeighedMessage::read(numbers) else {
            return TokenRow::default();
        };
        TokenRow { tokens, counted: given(counted), report: None }
    };
    let mut rows: Vec<TokenRow> = rows.chunks_exact(WeighedMessage::LENGTH).map(row).collect();
    for numbers in reports.chunks_exact(1 + field_names().count()) {
        let Some((&index, figures)) = numbers.split_first() else { continue };
        let figures: Vec<Option<f64>> = figures.iter().map(|&figure| given(figure)).collect();
        if let Some(row) = rows.get_mut(count(index)) {
            let completion = Usage::read(figure_in(&figures)).output_tokens();
            row.report = Some(ReportedTokens { prompt: prompt_tokens(figure_in(&figures)), completion });
        }
    }
    CountedHistory { rows, fixed_tokens }
}

fn given(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(number)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole numbers
pub fn count(number: f64) -> usize {
    number as usize
}

pub fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
