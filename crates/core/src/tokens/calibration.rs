//! Learns from a provider's usage reports how many tokens a prompt really takes (R6.3): `a`, which the application adds outside its messages,
//! and `b` for each estimated token. A plain ratio `real / estimate` mixes them, and is 13 to 21 % off right after a compression. While a
//! conversation only grows, only the part after the last reported figure, the *anchor*, is estimated. When the prompt becomes smaller,
//! the rest is assumed to be its newest part.

use super::fitted_line::{FittedLine, sd_of_sum};
use super::growth::Growth;
pub use super::growth::Sample;
use super::models::{EstimatedIn, prior_line};
use crate::provider::usage::Unusable;

/// With this many samples the line is used without a margin.
const SETTLED_SAMPLES: u32 = 3;
/// Standard deviations in a margin: 19 of 20 figures lie within.
const MARGIN_SDS: f64 = 2.0;
/// Images and PDFs are billed by other formulas; a prompt with a larger share of them says little about text.
const MAX_MEDIA: f64 = 0.1;
/// A prompt cannot take less than this share of its estimate: a smaller figure covers only part of it.
const MIN_RATIO: f64 = 0.5;
/// A figure further off than this factor belongs to another conversation. A doubled figure is off by 2.
const OUTLIER_RATIO: f64 = 1.8;
/// Short prompts may differ by more for good reasons: one more tool can add half as much again.
const OUTLIER_TOKENS: f64 = 2_000.0;
/// If this many rejected figures in a row agree with each other, they are right, and the learnt state is wrong.
const AGREEING_REJECTIONS: u32 = 3;
/// Two figures agree if the later one is off by at most this share of what the earlier one predicts.
const AGREEMENT_SHARE: f64 = 0.05;
/// A jump of at most `JUMP_SHARE` of the prompt plus `JUMP_SHARE_OF_NEW` of the new part is the estimate's own error.
const JUMP_SHARE: f64 = 0.02;
const JUMP_SHARE_OF_NEW: f64 = 0.25;
/// A figure within these standard deviations of the line is no jump either.
const LINE_SDS: f64 = 4.0;
/// A figure that repeats for a different prompt is stale. This many figures are remembered.
const REMEMBERED: usize = 16;
/// Two prompts whose estimates differ by no more tokens may have the same figure by chance.
const SAME_FIGURE_TOKENS: f64 = 8.0;

/// What decides whether a figure says something about the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleConditions {
    /// True if the previously sent messages are all in the estimate, unchanged.
    pub prefix_unchanged: bool,
    /// Share of images and PDFs in the estimate, 0 to 1.
    pub media_share: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    pub tokens: f64,
    /// Tokens to add for safety; zero once the calibration is settled.
    pub margin: f64,
    pub settled: bool,
}

/// The state for one provider and model, to be stored and restored; excludes the growth of the current conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct LearntState {
    pub line: FittedLine,
    pub samples: u32,
    /// The last request with a trusted figure.
    pub anchor: Option<Sample>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learning {
    /// The line was fitted to the figure, which is also the new anchor.
    Learned,
    /// The figure is only the new anchor.
    Anchored(LearningReason),
    Ignored(LearningReason),
}

named_enum! {
    /// Why the line was not fitted to a figure.
    LearningReason {
        Missing = "missing",
        Zero = "zero",
        /// The figure contradicts itself, the model's window or the estimate.
        Impossible = "impossible",
        /// The figure was reported before, for another prompt.
        Stale = "stale",
        /// The figure is far from any possible count of the conversation.
        Outlier = "outlier",
        /// The messages are not those that were sent.
        Edited = "edited",
        /// Images and PDFs take too much of the prompt.
        Media = "media",
        /// The figure was reported before, for the same prompt.
        Repeated = "repeated",
    }
}

/// What is learnt about one provider and model, in one conversation.
#[derive(Debug, Clone)]
pub struct Calibration {
    prior: FittedLine,
    window: f64,
    state: LearntState,
    growth: Growth,
    /// The last trusted figures, oldest first.
    recent: Vec<Sample>,
    /// The last figure, if it was rejected as an outlier.
    rejected: Option<Sample>,
    agreeing_rejections: u32,
}

impl Calibration {
    /// `window`: the maximum tokens of a prompt; infinite if unknown.
    pub fn new(model: &str, estimated_in: EstimatedIn, window: f64) -> Self {
        let prior = prior_line(model, estimated_in);
        let state = LearntState { line: prior, samples: 0, anchor: None };
        let growth = Growth::default();
        Self { prior, window, state, growth, recent: Vec::new(), rejected: None, agreeing_rejections: 0 }
    }

    /// `None` if `state` is invalid.
    pub fn restore(mut self, state: LearntState) -> Option<Self> {
        let has_valid_anchor = state
            .anchor
            .is_none_or(|Sample { estimate, real }| estimate >= 0.0 && real > 0.0 && (estimate + real).is_finite());
        if !state.line.is_possible() || !has_valid_anchor {
            return None;
        }
        self.recent = state.anchor.into_iter().collect();
        self.recent.iter().for_each(|&anchor| self.growth.push(anchor));
        self.state = state;
        Some(self)
    }

    pub const fn state(&self) -> &LearntState {
        &self.state
    }

    /// `real`: the prompt tokens that [`crate::provider::usage`] read from a report.
    pub fn observe(&mut self, estimate: f64, real: Result<f64, Unusable>, conditions: SampleConditions) -> Learning {
        let outcome = match real {
            Ok(real) => self.learn_from(Sample { estimate, real }, conditions),
            Err(Unusable::Missing) => Learning::Ignored(LearningReason::Missing),
            Err(Unusable::Zero) => Learning::Ignored(LearningReason::Zero),
            Err(Unusable::Impossible) => Learning::Ignored(LearningReason::Impossible),
        };
        if let Learning::Ignored(reason) = outcome {
            let real = real.unwrap_or(0.0);
            tracing::debug!(reason = reason.name(), tokens = real, estimate, "usage figure ignored");
        }
        outcome
    }

    /// `prefix_unchanged`: the messages of the last figure are all still there, possibly followed by others.
    pub fn predict(&self, estimate: f64, prefix_unchanged: bool) -> Prediction {
        let line = &self.state.line;
        let (tokens, sd) = if let Some(anchor) = self.anchor_below(estimate, prefix_unchanged) {
            let new = estimate - anchor.estimate;
            (line.slope.mul_add(new, anchor.real), line.slope_sd() * new)
        } else {
            let newest = self.growth.newest(estimate, line.overhead);
            (newest.unwrap_or_else(|| line.at(estimate)), line.sd_at(estimate))
        };
        let settled = self.state.samples >= SETTLED_SAMPLES;
        Prediction { tokens, margin: if settled { 0.0 } else { MARGIN_SDS * sd }, settled }
    }

    /// The anchor, if a prompt of this estimate continues its prompt. A smaller prompt has lost messages, whatever the caller says.
    fn anchor_below(&self, estimate: f64, prefix_unchanged: bool) -> Option<Sample> {
        self.state.anchor.filter(|anchor| prefix_unchanged && estimate >= anchor.estimate)
    }

    fn learn_from(&mut self, sample: Sample, conditions: SampleConditions) -> Learning {
        if !conditions.prefix_unchanged {
            self.state.anchor = None;
            self.growth = Growth::default();
            return Learning::Ignored(LearningReason::Edited);
        }
        if let Some(reason) = self.repetition(sample) {
            return Learning::Ignored(reason);
        }
        if sample.real > self.window || sample.real < MIN_RATIO * sample.estimate {
            return Learning::Ignored(LearningReason::Impossible);
        }
        if self.is_outlier(sample) && !self.reset_if_confirmed(sample) {
            return Learning::Ignored(LearningReason::Outlier);
        }
        (self.rejected, self.agreeing_rejections) = (None, 0);
        let outcome = if conditions.media_share > MAX_MEDIA {
            Learning::Anchored(LearningReason::Media)
        } else {
            self.learn(sample);
            Learning::Learned
        };
        self.trust(sample);
        outcome
    }

    fn repetition(&self, sample: Sample) -> Option<LearningReason> {
        let same_figure = |earlier: &&Sample| (earlier.real - sample.real).abs() < 0.5;
        let earlier = self.recent.iter().rev().find(same_figure)?;
        match (earlier.estimate - sample.estimate).abs() {
            ..0.5 => Some(LearningReason::Repeated),
            ..=SAME_FIGURE_TOKENS => None,
            _ => Some(LearningReason::Stale),
        }
    }

    /// True if the figure is far from the line *and* from the anchor: after an unreported edit only one of them still fits.
    fn is_outlier(&self, sample: Sample) -> bool {
        if self.state.samples == 0 && self.state.anchor.is_none() {
            return false;
        }
        let is_far = |prefix_unchanged| {
            let expected = self.predict(sample.estimate, prefix_unchanged).tokens;
            let least = (expected / OUTLIER_RATIO).min(expected - OUTLIER_TOKENS);
            let most = (expected * OUTLIER_RATIO).max(expected + OUTLIER_TOKENS);
            !(least..=most).contains(&sample.real)
        };
        is_far(true) && is_far(false)
    }

    /// Drops the learnt state, and returns true, once figures like this one were rejected too often for all of them to be wrong.
    fn reset_if_confirmed(&mut self, sample: Sample) -> bool {
        let agrees = self.rejected.is_some_and(|rejected| {
            let expected = self.prior.slope.mul_add(sample.estimate - rejected.estimate, rejected.real);
            (sample.real - expected).abs() <= AGREEMENT_SHARE * expected
        });
        self.agreeing_rejections = if agrees { self.agreeing_rejections + 1 } else { 1 };
        self.rejected = Some(sample);
        let is_confirmed = self.agreeing_rejections >= AGREEING_REJECTIONS;
        if is_confirmed {
            self.state = LearntState { line: self.prior, samples: 0, anchor: None };
            self.growth = Growth::default();
        }
        is_confirmed
    }

    fn learn(&mut self, sample: Sample) {
        if let Some(jump) = self.jump(sample) {
            let variance = (JUMP_SHARE * sample.real).powi(2);
            self.state.line.shift(jump, variance);
            self.growth.shift(jump);
        }
        self.state.line.learn(sample.estimate, sample.real, &self.prior);
        self.state.samples = self.state.samples.saturating_add(1);
    }

    /// The change since the anchor of the tokens outside the messages: added tools, another system prompt. `None` if the estimate's error
    /// explains the difference: slopes drift, they don't jump.
    fn jump(&self, sample: Sample) -> Option<f64> {
        let anchor = self.anchor_below(sample.estimate, true)?;
        let new_tokens = self.state.line.slope * (sample.estimate - anchor.estimate);
        let jump = sample.real - anchor.real - new_tokens;
        let off_line = sample.real - self.state.line.at(sample.estimate);
        let jump_noise = JUMP_SHARE_OF_NEW.mul_add(new_tokens, JUMP_SHARE * sample.real);
        let line_sd = sd_of_sum(self.state.line.sd_at(sample.estimate), JUMP_SHARE / LINE_SDS * sample.real);
        let line_noise = LINE_SDS * line_sd;
        (jump.abs() > jump_noise && off_line.abs() > line_noise).then_some(jump)
    }

    fn trust(&mut self, sample: Sample) {
        self.state.anchor = Some(sample);
        self.growth.push(sample);
        if self.recent.len() == REMEMBERED {
            self.recent.remove(0);
        }
        self.recent.push(sample);
    }
}

#[cfg(test)]
mod tests;
