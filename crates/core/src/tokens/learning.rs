//! Defines what a calibration does with one reported figure, and why.

use crate::provider::usage::Unusable;

/// What was done with a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learning {
    /// The line was fitted to the figure, which is also the new anchor.
    Learned,
    /// The figure is only the new anchor.
    Anchored(LearningReason),
    Ignored(LearningReason),
}

/// Why the line was not fitted to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearningReason {
    /// The report has no figure.
    Missing,
    Zero,
    /// The figure contradicts itself, the model's window or the estimate.
    Impossible,
    /// The figure was reported before, for another prompt.
    Stale,
    /// The figure is far from any possible count of the conversation.
    Outlier,
    /// The messages are not those that were sent.
    Edited,
    /// Images and PDFs take too much of the prompt.
    Media,
    /// The figure was reported before, for the same prompt.
    Repeated,
}

impl From<Unusable> for LearningReason {
    fn from(unusable: Unusable) -> Self {
        match unusable {
            Unusable::Missing => Self::Missing,
            Unusable::Zero => Self::Zero,
            Unusable::Impossible => Self::Impossible,
        }
    }
}

impl LearningReason {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Zero => "zero",
            Self::Impossible => "impossible",
            Self::Stale => "stale",
            Self::Outlier => "outlier",
            Self::Edited => "edited",
            Self::Media => "media",
            Self::Repeated => "repeated",
        }
    }
}
