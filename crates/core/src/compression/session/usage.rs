//! Computes how full the context window is, from providers' reports, applications' counts and the tokenizer (R7.3).

use std::ops::Range;

use crate::provider::usage::Unusable;

/// A report within this share of twice the expected value was counted twice (EDGE 6).
const DOUBLED_SHARE: f64 = 0.05;

/// A figure below this share of the estimate is raised to it: it is old or covers only a part of the prompt.
const MIN_SHARE_OF_ESTIMATE: f64 = 0.5;
/// A report below this share of the estimate is ignored: it counts another prompt, or only the uncached part of one.
const MIN_SHARE_TO_COUNT: f64 = 0.1;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TokenRow {
    /// The tokenizer's count, including the message's chat format.
    pub tokens: f64,
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

#[derive(Debug, Clone, PartialEq, Default)]
pub struct CountedHistory {
    pub rows: Vec<TokenRow>,
    pub fixed_tokens: f64,
}

named_enum! {
    UsageSource {
        /// The provider's newest report, plus the tokenizer's count of later messages.
        Reported = "reported",
        /// The application's counts, and the tokenizer's for messages without one.
        Counted = "counted",
        Estimated = "estimated",
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowUsage {
    /// Tokens of the next request, without its output.
    pub tokens: f64,
    pub source: UsageSource,
    /// The tokenizer's count of the same.
    pub estimate: f64,
    /// The newest figure that was too small to be true: it was ignored, or raised to half of the estimate.
    pub doubted_tokens: Option<f64>,
}

/// `fixed_tokens` is what a request takes in addition to its messages, `window` the most tokens that a prompt can have.
/// The caller must omit reports and counts from before the last compression (EDGE 5). O(rows).
pub fn window_usage(rows: &[TokenRow], fixed_tokens: f64, window: f64) -> WindowUsage {
    let estimate = fixed_tokens + rows.iter().map(|row| row.tokens).sum::<f64>();
    let (newest, ignored) = newest_usable_report(rows, fixed_tokens, window);
    let counted = || fixed_tokens + rows.iter().map(counted_or_estimated).sum::<f64>();
    let (tokens, source) = match newest {
        Some(tokens) => (tokens, UsageSource::Reported),
        None if rows.iter().any(|row| application_count(row).is_some()) => (counted(), UsageSource::Counted),
        None => (estimate, UsageSource::Estimated),
    };
    let least = MIN_SHARE_OF_ESTIMATE * estimate;
    let doubted_tokens = ignored.or((tokens < least).then_some(tokens));
    WindowUsage { tokens: tokens.max(least), source, estimate, doubted_tokens }
}

impl WindowUsage {
    /// The share of these messages in [`WindowUsage::tokens`]: savings are measured by the same count as the whole.
    pub fn tokens_of_part(&self, rows: &[TokenRow], indices: impl IntoIterator<Item = usize>) -> f64 {
        let part = indices.into_iter().filter_map(|index| rows.get(index));
        match self.source {
            UsageSource::Counted if self.doubted_tokens.is_none() => part.map(counted_or_estimated).sum(),
            UsageSource::Estimated => part.map(|row| row.tokens).sum(),
            _ if self.estimate > 0.0 => part.map(|row| row.tokens).sum::<f64>() / self.estimate * self.tokens,
            _ => 0.0,
        }
    }
}

/// Each message's tokens, the larger of the application's and the tokenizer's count, scaled up to add up to the
/// provider's figure: a cut thus removes as much as the provider counts.
pub fn scaled_tokens(usage: &WindowUsage, counted: &CountedHistory) -> Vec<f64> {
    let larger_count = |row: &TokenRow| application_count(row).map_or(row.tokens, |count| count.max(row.tokens));
    let counts: Vec<f64> = counted.rows.iter().map(larger_count).collect();
    let total = counts.iter().sum::<f64>();
    let factor = if total > 0.0 { ((usage.tokens - counted.fixed_tokens) / total).max(1.0) } else { 1.0 };
    counts.into_iter().map(|count| count * factor).collect()
}

/// The tokens of a range on the scale in which its summary is counted: the application's counts if those are the
/// source, else the tokenizer's. A provider's figure doesn't apply to a part of its prompt.
pub fn replaced_tokens(usage: &WindowUsage, rows: &[TokenRow], range: Range<usize>) -> f64 {
    match usage.source {
        UsageSource::Counted => usage.tokens_of_part(rows, range),
        _ => rows.get(range).unwrap_or_default().iter().map(|row| row.tokens).sum(),
    }
}

/// The newest plausible report, with the tokens of the conversation by it; and the newest figure ignored as too small.
fn newest_usable_report(rows: &[TokenRow], fixed_tokens: f64, window: f64) -> (Option<f64>, Option<f64>) {
    let (mut newest, mut ignored, mut estimate) = (None::<f64>, None, fixed_tokens);
    for row in rows {
        // True if the prompt was counted twice, by what earlier reports say. Applications may add tools and hidden
        // prompts during a session, so other jumps are accepted.
        let is_doubled =
            |prompt: f64| newest.is_some_and(|old| (prompt - 2.0 * old).abs() <= DOUBLED_SHARE * 2.0 * old);
        // Streaming gateways omit the completion tokens or report zero.
        let is_possible = |tokens: &f64| *tokens > 0.0 && *tokens <= window && tokens.is_finite();
        let prompt = row.report.and_then(|report| report.prompt.ok());
        let least = MIN_SHARE_TO_COUNT * estimate;
        if let Some(prompt) = prompt.filter(|&prompt| prompt >= least && prompt <= window && !is_doubled(prompt)) {
            let completion = row.report.and_then(|report| report.completion).filter(is_possible);
            newest = Some(prompt + completion.unwrap_or(row.tokens));
            ignored = None;
        } else {
            newest = newest.map(|tokens| tokens + row.tokens);
            ignored = prompt.filter(|&prompt| prompt < least).or(ignored);
        }
        estimate += row.tokens;
    }
    (newest, ignored)
}

fn application_count(row: &TokenRow) -> Option<f64> {
    row.counted.filter(|tokens| tokens.is_finite() && *tokens > 0.0)
}

fn counted_or_estimated(row: &TokenRow) -> f64 {
    application_count(row).unwrap_or(row.tokens)
}

#[cfg(test)]
mod tests;
