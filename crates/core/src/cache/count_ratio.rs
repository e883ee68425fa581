//! Learns the ratio of the provider's token counts to ours from its reports.

use crate::cache::request_cost::RequestCost;

/// The ratio of counts is measured only once the prompt has grown by this many tokens since the first report.
const TOKENS_TO_COMPARE: f64 = 2_000.0;
/// The growth must also be this share of the prompt; with less, the ratio measures only the estimates' error.
const SHARE_TO_COMPARE: f64 = 0.25;
/// A ratio outside these bounds comes from a system prompt or tools that we do not know.
const OTHER_COUNT: (f64, f64) = (0.7, 1.4);
/// A prompt that is longer or shorter than expected by this factor belongs to another request.
const MAX_BEYOND_EXPECTED: f64 = 2.0;

/// Token counts reported by the provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestReport {
    pub prompt_tokens: f64,
    pub cached_tokens: f64,
}

/// Converts our counts: the provider has `own` tokens that we do not know, and counts `per_token` for each of ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountRatio {
    own: f64,
    pub(super) per_token: f64,
    /// The first report: our tokens, the provider's tokens.
    first: Option<(f64, f64)>,
}

impl Default for CountRatio {
    fn default() -> Self {
        Self { own: 0.0, per_token: 1.0, first: None }
    }
}

impl CountRatio {
    pub(super) fn is_believable(self, request: &RequestCost, report: RequestReport) -> bool {
        let RequestReport { prompt_tokens: total, cached_tokens: read } = report;
        let expected = self.total(request.sent);
        let is_possible = total > 0.0 && read >= 0.0 && read <= total && total.is_finite();
        let is_near = total <= MAX_BEYOND_EXPECTED * expected && total * MAX_BEYOND_EXPECTED >= expected;
        is_possible && (self.first.is_none() || is_near)
    }

    pub(super) fn total(self, ours: f64) -> f64 {
        self.own + self.per_token * ours
    }

    /// An empty prefix has none of the provider's own tokens.
    pub(super) fn prefix(self, ours: f64) -> f64 {
        if ours > 0.0 { self.total(ours) } else { 0.0 }
    }

    pub(super) fn ours(self, theirs: f64) -> f64 {
        ((theirs - self.own) / self.per_token).max(0.0)
    }

    pub(super) fn learn(&mut self, ours: f64, theirs: f64) {
        let (least, most) = OTHER_COUNT;
        let is_first = self.first.is_none();
        let (first_ours, first_theirs) = *self.first.get_or_insert((ours, theirs));
        let grown = ours - first_ours;
        let slope = if grown.abs() >= TOKENS_TO_COMPARE.max(SHARE_TO_COMPARE * ours) {
            (theirs - first_theirs) / grown
        } else if !is_first {
            self.per_token
        } else {
            theirs / ours.max(1.0)
        };
        self.per_token = slope.clamp(least, most);
        self.own = (theirs - self.per_token * ours).max(0.0);
        if self.own <= 0.0 && ours > 0.0 {
            self.per_token = theirs / ours;
        }
    }
}
