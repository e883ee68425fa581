//! What a calibration made of a reported figure, and why.

use crate::provider::usage::Unusable;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learning {
    /// The line was fitted to the figure, which is also the anchor.
    Learned,
    /// The figure is the anchor only.
    Anchored(LearningReason),
    Ignored(LearningReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearningReason {
    Missing,
    Zero,
    Impossible,
    /// It was reported before, for another prompt.
    Stale,
    /// It is far from what the conversation can have come to.
    Outlier,
    /// The messages aren't those that were sent.
    Edited,
    /// Too much of the prompt is images and PDFs.
    Media,
    /// The same report again.
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
    #[must_use]
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
