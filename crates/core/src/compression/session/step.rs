//! The wishes of a session, and its end.

use std::ops::Range;

use super::attempt::Skip;
use super::settings::WindowSource;
use super::spending::Spent;
use crate::compression::hard_limit::Shorten;
use crate::compression::summary::acceptance::Refusal;
use crate::compression::summary::exchange::SummaryRequest;
use crate::provider::request::RequestForm;

/// The next work of whoever holds the messages, and the method that takes its result.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Hand over what the messages say: [`super::CompressionSession::read`].
    Read,
    /// Note what these messages hold now, then [`super::CompressionSession::ask`], on any thread.
    Summarise(Range<usize>),
    /// Call the model: [`super::CompressionSession::answer`].
    Ask(Box<Ask>),
    /// Cut the texts of these messages on copies, and say what they take then: [`super::CompressionSession::shortened`].
    Shorten(Vec<Shorten>),
    /// Put this into the history, and say what that weighs: [`super::CompressionSession::proceed`].
    Apply(Box<HistoryChange>),
    /// Weigh the history anew, since time has passed: [`super::CompressionSession::proceed`].
    Weigh,
    Done(SessionEnd),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// As configured; empty for a model that the client itself knows.
    pub model: String,
    pub request: SummaryRequest,
    /// The parameters that the model takes.
    pub form: RequestForm,
    pub temperature: f64,
    pub timeout_ms: f64,
}

/// All of it is made at once. Indices count messages of the array that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryChange {
    pub id: String,
    /// The messages that the new message stands for.
    pub range: Range<usize>,
    pub place: ChangePlace,
    pub content: String,
    /// Tokens of the new message, with its share of the chat format.
    pub tokens: f64,
    /// Its record as JSON, without the originals and with [`ContextFigures`] still to be filled in.
    pub record: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ChangePlace {
    /// The range goes, and these messages of it are repeated.
    Summary {
        /// Repeated before the summary: the host pins them.
        pinned: Vec<usize>,
        /// Repeated after the summary: the rest can't be sent without them.
        carried: Vec<usize>,
    },
    /// These messages go; the rest of [`HistoryChange::range`] is repeated.
    Cut {
        dropped: Vec<Range<usize>>,
        /// The notice goes before this message; `None` where nothing but texts was cut.
        notice_at: Option<usize>,
    },
}

/// The figures of a change, for the record of the new message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextFigures {
    pub before_count: usize,
    pub after_count: usize,
    pub tokens_after: f64,
    /// `tokens_after` as a share of the window.
    pub usage_after: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Did {
    #[default]
    Nothing,
    /// A part of the history became a summary.
    Summarised,
    /// Messages were cut out or cut short, after a summary or without one.
    Cut,
}

impl Did {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Summarised => "summarised",
            Self::Cut => "cut",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct SessionEnd {
    pub did: Did,
    /// Why there is no summary; `None` where one was made.
    pub ended: Option<Ended>,
    /// What is left is above the hard limit: it can't be made to fit, or was not to be cut.
    pub is_over_limit: bool,
    pub window_tokens: f64,
    pub window_source: WindowSource,
    /// One for each call of the summary model.
    pub spent: Vec<Spent>,
    pub tokens_before: f64,
    pub tokens_after: f64,
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    BelowThreshold,
    /// Compression is switched off.
    Disabled,
    Skipped(Skip),
    /// The model's answer is no summary.
    Refused(Refusal),
    /// The model didn't answer: its error's code, its provider's class, and the HTTP status.
    Failed {
        code: String,
        class: String,
        status: Option<f64>,
    },
    /// The summary came too late: the messages had changed, or the host had aborted.
    Discarded,
    Aborted,
}

impl Ended {
    /// The code that users see; docs/errors.md lists them all.
    pub fn code(&self) -> &str {
        match self {
            Self::BelowThreshold => "below_threshold",
            Self::Disabled => "disabled",
            Self::Skipped(skip) => skip.code(),
            Self::Refused(refusal) => refusal.as_str(),
            Self::Failed { code, .. } => code,
            Self::Discarded => "discarded",
            Self::Aborted => "aborted",
        }
    }
    /// Like the code, but the same word for every failure of the model.
    pub fn reason(&self) -> &str {
        if matches!(self, Self::Failed { .. }) { "summary_failed" } else { self.code() }
    }

    /// The code, the class and the status of a failure of the model.
    pub fn failure(&self) -> Option<(&str, &str, Option<f64>)> {
        let Self::Failed { code, class, status } = self else { return None };
        Some((code, class, *status))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discard {
    /// The summarised messages are no longer what they were.
    RangeChanged,
    Aborted,
}

impl Discard {
    pub const fn code(self) -> &'static str {
        match self {
            Self::RangeChanged => "range_changed",
            Self::Aborted => "aborted",
        }
    }
}

/// How [`Step::Apply`] or [`Step::Weigh`] went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepProgress {
    /// The change is about to be made; the weights include it.
    Applied,
    Discarded(Discard),
    Unchanged,
}
