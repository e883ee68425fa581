//! Learns, from what a provider reports, how many tokens a prompt really takes (R6.3).
//!
//! Two things are unknown: how many tokens the host adds that are not among its messages (`a`), and how many
//! tokens of this model one estimated token is (`b`). A plain ratio `real / estimate` mixes them up and is 13 to
//! 21 % wrong right after a compression, when it matters. So a line is fitted; and while a conversation only
//! grows, the last real figure is the anchor and nothing but the new part is estimated. When it becomes smaller,
//! what is left is taken for its newest part.

use super::growth::Growth;
pub use super::growth::Sample;
use super::line::{FittedLine, sd_of_sum};
pub use super::outcome::{Learning, LearningReason};
use super::priors::{EstimatedIn, prior};
use crate::provider::usage::Unusable;

/// With so many samples the line is taken as it is.
const SETTLED: u32 = 3;
/// Standard deviations in a margin: 19 of 20 figures lie within.
const MARGIN_SDS: f64 = 2.0;
/// Images and PDFs are billed by formulas of their own; a prompt with a larger share of them says little of text.
const MOST_MEDIA: f64 = 0.1;
/// A prompt can't take less than this share of its estimate: a smaller figure covers only part of it.
const LEAST_RATIO: f64 = 0.5;
/// A figure further than this from what is expected is none of this conversation. A doubled figure is twice that.
const OUTLIER_RATIO: f64 = 1.8;
/// Short prompts differ by more for good reasons: one more tool is half as much again.
const OUTLIER_TOKENS: f64 = 2_000.0;
/// So many refused figures in a row that agree with each other are right, and what was learnt is wrong.
const AGREEING_REFUSALS: u32 = 3;
const AGREEMENT: f64 = 0.05;
/// A step that is off by this share of the prompt and of itself, or less, is the estimate's own error.
const STEP_SHARE: f64 = 0.02;
const STEP_OF_NEW: f64 = 0.25;
/// A figure within these standard deviations of the line is none either.
const LINE_SDS: f64 = 4.0;
/// A figure that comes again for another prompt is an old one. So many are remembered.
const REMEMBERED: usize = 16;
/// The same figure for a prompt that differs by less is chance.
const SAME_PROMPT: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circumstances {
    /// The messages that are estimated are, unchanged, those that were sent.
    pub prefix_unchanged: bool,
    /// The share of the estimate that is images and PDFs, 0 to 1.
    pub media_share: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    pub tokens: f64,
    /// Added for safety; zero once the calibration has settled.
    pub margin: f64,
    pub settled: bool,
}

/// What is remembered of one provider and model, to be stored and restored; the costs of a conversation's stretches are not in it.
#[derive(Debug, Clone, PartialEq)]
pub struct LearntState {
    pub line: FittedLine,
    pub samples: u32,
    /// The last request whose figure is trusted.
    pub anchor: Option<Sample>,
}

#[derive(Debug, Clone)]
pub struct Calibration {
    prior: FittedLine,
    window: f64,
    state: LearntState,
    growth: Growth,
    recent: Vec<Sample>,
    refused: Option<Sample>,
    refusals: u32,
}

impl Calibration {
    /// `window` is the most tokens that a prompt can have; infinite where that isn't known.
    #[must_use]
    pub fn new(model: &str, estimated_in: EstimatedIn, window: f64) -> Self {
        let prior = prior(model, estimated_in);
        let state = LearntState { line: prior, samples: 0, anchor: None };
        let growth = Growth::default();
        Self { prior, window, state, growth, recent: Vec::new(), refused: None, refusals: 0 }
    }

    /// `None` when `state` can't be one.
    #[must_use]
    pub fn restore(mut self, state: LearntState) -> Option<Self> {
        let valid_anchor = state.anchor.is_none_or(|Sample { estimate, real }| {
            estimate >= 0.0 && real > 0.0 && (estimate + real).is_finite()
        });
        if !state.line.is_possible() || !valid_anchor {
            return None;
        }
        self.recent = state.anchor.into_iter().collect();
        self.recent.iter().for_each(|&anchor| self.growth.push(anchor));
        self.state = state;
        Some(self)
    }

    #[must_use]
    pub const fn state(&self) -> &LearntState {
        &self.state
    }

    /// `real` is what [`crate::provider::usage`] made of a report.
    pub fn observe(
        &mut self,
        estimate: f64,
        real: Result<f64, Unusable>,
        circumstances: Circumstances,
    ) -> Learning {
        let outcome = match real {
            Ok(real) => self.judge(Sample { estimate, real }, circumstances),
            Err(unusable) => Learning::Ignored(unusable.into()),
        };
        if let Learning::Ignored(reason) = outcome {
            let real = real.unwrap_or(0.0);
            tracing::debug!(reason = reason.name(), tokens = real, estimate, "usage figure ignored");
        }
        outcome
    }

    /// `prefix_unchanged`: the messages that the last figure is about are still there, and others may have come after them.
    #[must_use]
    pub fn predict(&self, estimate: f64, prefix_unchanged: bool) -> Prediction {
        let line = &self.state.line;
        let (tokens, sd) = if let Some(anchor) = self.anchor_below(estimate, prefix_unchanged) {
            let new = estimate - anchor.estimate;
            (line.slope.mul_add(new, anchor.real), line.slope_sd() * new)
        } else {
            let newest = self.growth.newest(estimate, line.overhead);
            (newest.unwrap_or_else(|| line.at(estimate)), line.sd_at(estimate))
        };
        let settled = self.state.samples >= SETTLED;
        Prediction { tokens, margin: if settled { 0.0 } else { MARGIN_SDS * sd }, settled }
    }

    /// A prompt that became smaller has lost messages, whatever its caller says.
    fn anchor_below(&self, estimate: f64, prefix_unchanged: bool) -> Option<Sample> {
        self.state.anchor.filter(|anchor| prefix_unchanged && estimate >= anchor.estimate)
    }

    fn judge(&mut self, sample: Sample, circumstances: Circumstances) -> Learning {
        if !circumstances.prefix_unchanged {
            self.state.anchor = None;
            self.growth.clear();
            return Learning::Ignored(LearningReason::Edited);
        }
        if let Some(reason) = self.seen_before(sample) {
            return Learning::Ignored(reason);
        }
        if sample.real > self.window || sample.real < LEAST_RATIO * sample.estimate {
            return Learning::Ignored(LearningReason::Impossible);
        }
        if self.is_outlier(sample) && !self.insists(sample) {
            return Learning::Ignored(LearningReason::Outlier);
        }
        (self.refused, self.refusals) = (None, 0);
        let outcome = if circumstances.media_share > MOST_MEDIA {
            Learning::Anchored(LearningReason::Media)
        } else {
            self.learn(sample);
            Learning::Learned
        };
        self.trust(sample);
        outcome
    }

    fn seen_before(&self, sample: Sample) -> Option<LearningReason> {
        let same_figure = |earlier: &&Sample| (earlier.real - sample.real).abs() < 0.5;
        let earlier = self.recent.iter().rev().find(same_figure)?;
        let difference = (earlier.estimate - sample.estimate).abs();
        match difference {
            ..0.5 => Some(LearningReason::Repeated),
            ..=SAME_PROMPT => None,
            _ => Some(LearningReason::Stale),
        }
    }

    /// Far from the line *and* from the anchor: after an edit that nobody told of only one of them holds.
    fn is_outlier(&self, sample: Sample) -> bool {
        if self.state.samples == 0 && self.state.anchor.is_none() {
            return false;
        }
        let far = |prefix_unchanged| {
            let expected = self.predict(sample.estimate, prefix_unchanged).tokens;
            let least = (expected / OUTLIER_RATIO).min(expected - OUTLIER_TOKENS);
            let most = (expected * OUTLIER_RATIO).max(expected + OUTLIER_TOKENS);
            !(least..=most).contains(&sample.real)
        };
        far(true) && far(false)
    }

    /// When figures like this one have been refused too often for all of them to be wrong, what was learnt is dropped.
    fn insists(&mut self, sample: Sample) -> bool {
        let agrees = self.refused.is_some_and(|refused| {
            let expected = self.prior.slope.mul_add(sample.estimate - refused.estimate, refused.real);
            (sample.real - expected).abs() <= AGREEMENT * expected
        });
        self.refusals = if agrees { self.refusals + 1 } else { 1 };
        self.refused = Some(sample);
        let insists = self.refusals >= AGREEING_REFUSALS;
        if insists {
            self.state = LearntState { line: self.prior, samples: 0, anchor: None };
            self.growth.clear();
        }
        insists
    }

    fn learn(&mut self, sample: Sample) {
        if let Some(jump) = self.jump(sample) {
            let variance = (STEP_SHARE * sample.real).powi(2);
            self.state.line.shift(jump, variance);
            self.growth.shift(jump);
        }
        self.state.line.learn(sample.estimate, sample.real, &self.prior);
        self.state.samples = self.state.samples.saturating_add(1);
    }

    /// The change of the hidden part since the anchor: tools that were added, another system prompt. Slopes drift, they don't jump.
    fn jump(&self, sample: Sample) -> Option<f64> {
        let anchor = self.anchor_below(sample.estimate, true)?;
        let new = self.state.line.slope * (sample.estimate - anchor.estimate);
        let step = sample.real - anchor.real - new;
        let off = sample.real - self.state.line.at(sample.estimate);
        let step_noise = STEP_OF_NEW.mul_add(new, STEP_SHARE * sample.real);
        let line_sd = sd_of_sum(self.state.line.sd_at(sample.estimate), STEP_SHARE / LINE_SDS * sample.real);
        let line_noise = LINE_SDS * line_sd;
        (step.abs() > step_noise && off.abs() > line_noise).then_some(step)
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
#[path = "calibration_tests.rs"]
mod tests;
