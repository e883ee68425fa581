//! The steps that a session requests, and its result.

use std::ops::Range;

use super::settings::{Settings, WindowSource};
use crate::compression::hard_limit::ShortenedMessage;
use crate::compression::plan::Skip;
use crate::compression::summary::acceptance::Rejection;
use crate::compression::summary::exchange::{CallFailure, Spent, SummaryRequest};
use crate::provider::request::RequestForm;

/// The next step for the caller, which holds the messages, and the method that takes its result.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Pass the messages' texts to [`super::CompressionSession::read`].
    Read,
    /// Remember the current state of these messages, then call [`super::CompressionSession::ask`] on any thread.
    Summarise(Range<usize>),
    /// Call the model, then [`super::CompressionSession::answer`].
    Ask(Box<Ask>),
    /// Shorten the texts of copies of these messages, then pass their token counts to
    /// [`super::CompressionSession::shortened`].
    Shorten(Vec<ShortenedMessage>),
    /// Apply this change to the history, then pass the new token counts to [`super::CompressionSession::proceed`].
    Apply(Box<HistoryChange>),
    /// Count the history again, since time has passed, and call [`super::CompressionSession::proceed`].
    Recount,
    Done(SessionResult),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// As configured; empty if the client chooses the model.
    pub model: String,
    pub request: SummaryRequest,
    pub form: RequestForm,
    pub timeout_ms: f64,
}

/// A change of the history, applied at once. Indices refer to the array that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryChange {
    pub id: String,
    /// The messages that the new message replaces.
    pub range: Range<usize>,
    pub place: ChangePlace,
    pub content: String,
    pub tokens: f64,
    /// Its record as JSON, without the originals; [`ContextFigures`] are filled in later.
    pub record: String,
}

/// Which messages of the range stay, and where the new message is inserted.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangePlace {
    /// The range is removed, except the messages that are repeated before and after the summary.
    Summary { pinned: Vec<usize>, carried: Vec<usize> },
    /// The dropped messages are removed. The notice is inserted before message `notice_at`; `None` if only texts were
    /// shortened.
    Cut { dropped: Vec<Range<usize>>, notice_at: Option<usize> },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextFigures {
    pub before_count: usize,
    pub after_count: usize,
    pub tokens_after: f64,
    /// `tokens_after` as a share of the window.
    pub usage_after: f64,
}

named_enum! {
    #[derive(Default)]
    HistoryEffect {
        #[default]
        Nothing = "nothing",
        Summarised = "summarised",
        /// Messages were removed or shortened, with or without a summary.
        Cut = "cut",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct SessionResult {
    pub effect: HistoryEffect,
    /// `None` if a summary was made.
    pub no_summary_reason: Option<NoSummaryReason>,
    /// The result is above the hard limit: it can't be made to fit, or cutting was not allowed.
    pub is_over_limit: bool,
    pub window_tokens: f64,
    pub window_source: WindowSource,
    /// One entry for each call of the summary model.
    pub spent: Vec<Spent>,
    pub tokens_before: f64,
    pub tokens_after: f64,
}

impl SessionResult {
    /// The result of a session that changed nothing.
    pub(super) fn new(
        settings: &Settings,
        tokens_before: f64,
        tokens_after: f64,
        no_summary_reason: Option<NoSummaryReason>,
    ) -> Self {
        Self {
            effect: HistoryEffect::Nothing,
            no_summary_reason,
            is_over_limit: tokens_after > settings.hard_limit_tokens(),
            window_tokens: settings.max_context_tokens,
            window_source: settings.window_source,
            spent: Vec::new(),
            tokens_before: tokens_before.round(),
            tokens_after: tokens_after.round(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum NoSummaryReason {
    BelowThreshold,
    Disabled,
    Skipped(Skip),
    Rejected(Rejection),
    Failed(CallFailure),
    /// The summary came too late: the messages had changed, or the application had aborted.
    Discarded,
    Aborted,
}

impl NoSummaryReason {
    /// The word that users see, one for all failures of the model; docs/errors.md lists all words.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::BelowThreshold => "below_threshold",
            Self::Disabled => "disabled",
            Self::Skipped(skip) => skip.name(),
            Self::Rejected(rejection) => rejection.name(),
            Self::Failed(_) => "summary_failed",
            Self::Discarded => "discarded",
            Self::Aborted => "aborted",
        }
    }

    pub const fn failure(&self) -> Option<&CallFailure> {
        if let Self::Failed(failure) = self { Some(failure) } else { None }
    }
}

named_enum! {
    /// The outcome of [`Step::Apply`] or [`Step::Recount`].
    StepProgress {
        /// The change is about to be applied; the token counts include it.
        Applied = "applied",
        RangeChanged = "range_changed",
        Aborted = "aborted",
        Unchanged = "unchanged",
    }
}
