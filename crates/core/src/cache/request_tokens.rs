//! Defines the token counts of one request by our estimate and by the provider's report, and learns the ratio between the two.

use crate::cache::prices::Prices;
use crate::cache::prompt::{Compared, PromptTokens};

/// The ratio of counts is measured only once the prompt has grown by this many tokens since the first report.
const TOKENS_TO_COMPARE: f64 = 2_000.0;
/// The growth must also be this share of the prompt; with less, the ratio measures only the estimates' error.
const SHARE_TO_COMPARE: f64 = 0.25;
/// A ratio outside these bounds comes from a system prompt or tools that we do not know.
const MIN_RATIO: f64 = 0.7;
const MAX_RATIO: f64 = 1.4;
/// A reported prompt that is longer or shorter than expected by this factor belongs to another request.
const MAX_FACTOR_OFF: f64 = 2.0;

/// Tokens of one request by our estimate.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestTokens {
    pub total: Compared,
    /// The prefix that is unchanged since the previous request: a warm cache holds at most this.
    pub readable: Compared,
    /// Best estimate of the tokens read from the cache; 0 if it is cold.
    pub cached: Compared,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestReport {
    pub prompt_tokens: f64,
    pub cached_tokens: f64,
}

impl RequestTokens {
    /// The tokens if the cache also holds the prompt of the `interrupted` request; `None` if `prompt`, which is this request's, does not
    /// begin with that one, or if the cache is cold.
    pub fn continuing(&self, interrupted: &Self, prompt: &PromptTokens, prices: &Prices) -> Option<Self> {
        let is_warm = self.cached.unmodified > 0.0;
        let repeated = Self::repeated(interrupted.total, prices);
        (is_warm && prompt.has_prefix(interrupted.total)).then(|| Self {
            readable: self.readable.zip(repeated.readable, f64::max),
            cached: self.cached.zip(repeated.cached, f64::max),
            ..*self
        })
    }

    pub fn repeated(total: Compared, prices: &Prices) -> Self {
        Self { total, readable: total, cached: total.map(|tokens| prices.cacheable_tokens(tokens)) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountRatio {
    /// Tokens of the provider's count that we do not know, such as those of tools.
    unknown: f64,
    /// The provider's tokens for each of ours.
    pub(super) per_token: f64,
    /// Our count and the provider's count of the first reported prompt.
    first_counts: Option<(f64, f64)>,
}

impl Default for CountRatio {
    fn default() -> Self {
        Self { unknown: 0.0, per_token: 1.0, first_counts: None }
    }
}

impl CountRatio {
    pub(super) fn is_believable(self, request: &RequestTokens, report: RequestReport) -> bool {
        let RequestReport { prompt_tokens, cached_tokens } = report;
        let expected = self.provider_total(request.total.sent);
        let is_possible = prompt_tokens > 0.0 && prompt_tokens.is_finite();
        let is_cached_possible = (0.0..=prompt_tokens).contains(&cached_tokens);
        let is_near = prompt_tokens <= MAX_FACTOR_OFF * expected && prompt_tokens * MAX_FACTOR_OFF >= expected;
        is_possible && is_cached_possible && (self.first_counts.is_none() || is_near)
    }

    /// The provider's count of a prompt that has `ours` tokens by our estimate.
    pub(super) fn provider_total(self, ours: f64) -> f64 {
        self.unknown + self.per_token * ours
    }

    /// The provider's count of a prompt's prefix; an empty one has none of the unknown tokens.
    pub(super) fn provider_prefix(self, ours: f64) -> f64 {
        if ours > 0.0 { self.provider_total(ours) } else { 0.0 }
    }

    /// Our estimate of a prefix that has `theirs` tokens by the provider's count.
    pub(super) fn our_prefix(self, theirs: f64) -> f64 {
        ((theirs - self.unknown) / self.per_token).max(0.0)
    }

    pub(super) fn learn(&mut self, ours: f64, theirs: f64) {
        let is_first = self.first_counts.is_none();
        let (first_ours, first_theirs) = *self.first_counts.get_or_insert((ours, theirs));
        let grown = ours - first_ours;
        let slope = if grown.abs() >= TOKENS_TO_COMPARE.max(SHARE_TO_COMPARE * ours) {
            (theirs - first_theirs) / grown
        } else if !is_first {
            self.per_token
        } else {
            theirs / ours.max(1.0)
        };
        self.per_token = slope.clamp(MIN_RATIO, MAX_RATIO);
        self.unknown = (theirs - self.per_token * ours).max(0.0);
        if self.unknown <= 0.0 && ours > 0.0 {
            self.per_token = theirs / ours;
        }
    }
}
