//! Decides how full the context window is, from what the provider reports, what the host counts and what the
//! tokenizer says (R7.3).

use std::ops::Range;

use crate::provider::usage::Unusable;

/// A report within this share of twice what was expected has been counted twice (EDGE 6).
const DOUBLED_SHARE: f64 = 0.05;

/// A prompt can't take less than this share of its estimate: a smaller figure is an old one, or covers a part.
const LEAST_SHARE: f64 = 0.5;
/// A figure below this share says nothing at all: it is what of a prompt wasn't cached, another prompt, or a placeholder.
const LEAST_SHARE_OF_A_REPORT: f64 = 0.1;

/// The token figures of one message.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TokenRow {
    /// The tokenizer's count, with the message's share of the chat format.
    pub tokens: f64,
    /// The host's own count of this message.
    pub counted: Option<f64>,
    /// The provider's report on the request that this message answers.
    pub report: Option<ReportedTokens>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportedTokens {
    /// Tokens of everything before the message, as [`crate::provider::usage::prompt_tokens`] reads the report.
    pub prompt: Result<f64, Unusable>,
    pub completion: Option<f64>,
}

/// The token figures of a conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weighed {
    pub rows: Vec<TokenRow>,
    /// Tokens that a request takes besides its messages.
    pub fixed_tokens: f64,
}

/// Where the figure for a conversation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageSource {
    /// The provider's report on this message, and the tokenizer for what came after it.
    Reported {
        index: usize,
    },
    /// The host's counts, and the tokenizer for messages without one.
    Counted,
    Estimated,
}

impl UsageSource {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reported { .. } => "reported",
            Self::Counted => "counted",
            Self::Estimated => "estimated",
        }
    }
}

/// How many tokens the conversation takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowUsage {
    /// Tokens of the next request, its answer not included.
    pub tokens: f64,
    pub source: UsageSource,
    /// The tokenizer's figure for the same.
    pub estimate: f64,
    /// The newest figure that was too small to be true: it was passed over, or raised to half of the estimate.
    pub doubted_tokens: Option<f64>,
}

/// `fixed_tokens` is what a request takes besides its messages, `window` the most tokens that a prompt can have. Reports and
/// counts from before the last compression are the caller's to leave out (EDGE 5). O(rows).
#[must_use]
pub fn used(rows: &[TokenRow], fixed_tokens: f64, window: f64) -> WindowUsage {
    let estimate = fixed_tokens + rows.iter().map(|row| row.tokens).sum::<f64>();
    let (newest, passed_over) = newest_usable_report(rows, fixed_tokens, window);
    let least = LEAST_SHARE * estimate;
    let floored = |tokens: f64, source: UsageSource| {
        let raised = (tokens < least).then_some(tokens);
        WindowUsage { tokens: tokens.max(least), source, estimate, doubted_tokens: passed_over.or(raised) }
    };
    if let Some((index, tokens)) = newest {
        return floored(tokens, UsageSource::Reported { index });
    }
    if rows.iter().any(|row| own_count(row).is_some()) {
        return floored(fixed_tokens + rows.iter().map(counted).sum::<f64>(), UsageSource::Counted);
    }
    WindowUsage { tokens: estimate, source: UsageSource::Estimated, estimate, doubted_tokens: passed_over }
}

impl WindowUsage {
    /// The share of these messages in [`WindowUsage::tokens`], so that a gain is given in the same figures as the whole.
    #[must_use]
    pub fn of_part(&self, rows: &[TokenRow], indices: impl IntoIterator<Item = usize>) -> f64 {
        let part = indices.into_iter().filter_map(|index| rows.get(index));
        match self.source {
            UsageSource::Counted if self.doubted_tokens.is_none() => part.map(counted).sum(),
            UsageSource::Estimated => part.map(|row| row.tokens).sum(),
            UsageSource::Reported { .. } | UsageSource::Counted if self.estimate > 0.0 => {
                part.map(|row| row.tokens).sum::<f64>() / self.estimate * self.tokens
            }
            UsageSource::Reported { .. } | UsageSource::Counted => 0.0,
        }
    }
}

/// The weight of each message in the currency of `usage`: the host's own count, else its share of the provider's figure, so
/// that a cut removes what has to go and not what the tokenizer believes.
#[must_use]
pub fn weights(usage: &WindowUsage, weighed: &Weighed) -> Vec<f64> {
    let own = |row: &TokenRow| own_count(row).map_or(row.tokens, |counted| counted.max(row.tokens));
    let own: Vec<f64> = weighed.rows.iter().map(own).collect();
    let total = own.iter().sum::<f64>();
    let factor = if total > 0.0 { ((usage.tokens - weighed.fixed_tokens) / total).max(1.0) } else { 1.0 };
    own.into_iter().map(|count| count * factor).collect()
}

/// The weight of a range in the currency of its summary: the host's own counts where those decide, else the tokenizer's. A
/// provider's figure says nothing about a part of its prompt.
#[must_use]
pub fn replaced_tokens(usage: &WindowUsage, rows: &[TokenRow], range: Range<usize>) -> f64 {
    match usage.source {
        UsageSource::Counted => usage.of_part(rows, range),
        _ => rows.get(range).unwrap_or_default().iter().map(|row| row.tokens).sum(),
    }
}

/// The newest report that can be believed, with the tokens of the whole conversation by it; and the newest figure that was
/// passed over as too small.
fn newest_usable_report(
    rows: &[TokenRow],
    fixed_tokens: f64,
    window: f64,
) -> (Option<(usize, f64)>, Option<f64>) {
    let mut newest: Option<(usize, f64)> = None;
    let mut passed_over = None;
    let mut estimate = fixed_tokens;
    for (index, row) in rows.iter().enumerate() {
        // The prompt that `row` answers should take what the reports so far lead to.
        let expected = newest.map(|(_, tokens)| tokens);
        let report = row.report.and_then(|report| Some((report, report.prompt.ok()?)));
        match report {
            Some((_, prompt)) if prompt < LEAST_SHARE_OF_A_REPORT * estimate => {
                passed_over = Some(prompt);
                newest = newest.map(|(index, tokens)| (index, tokens + row.tokens));
            }
            Some((report, prompt))
                if prompt <= window && !expected.is_some_and(|expected| is_doubled(prompt, expected)) =>
            {
                passed_over = None;
                newest = Some((index, prompt + completion(&report, row, window)));
            }
            _ => newest = newest.map(|(index, tokens)| (index, tokens + row.tokens)),
        }
        estimate += row.tokens;
    }
    (newest, passed_over)
}

/// Whether a prompt was counted twice. Other jumps are believed: hosts add tools and hidden prompts during a session.
fn is_doubled(prompt: f64, expected: f64) -> bool {
    (prompt - 2.0 * expected).abs() <= DOUBLED_SHARE * 2.0 * expected
}

/// Gateways that stream leave the completion out, or say zero.
fn completion(report: &ReportedTokens, row: &TokenRow, window: f64) -> f64 {
    let is_possible = |tokens: &f64| *tokens > 0.0 && *tokens <= window && tokens.is_finite();
    report.completion.filter(is_possible).unwrap_or(row.tokens)
}

fn own_count(row: &TokenRow) -> Option<f64> {
    row.counted.filter(|tokens| tokens.is_finite() && *tokens > 0.0)
}

fn counted(row: &TokenRow) -> f64 {
    own_count(row).unwrap_or(row.tokens)
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
