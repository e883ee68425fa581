//! What a session wants next, and how it ended.

use std::ops::Range;

use super::attempt::Skip;
use super::settings::WindowSource;
use super::spending::Spent;
use crate::compression::hard_limit::Shorten;
use crate::compression::summary::acceptance::Refusal;
use crate::compression::summary::exchange::Request;
use crate::provider::request::RequestForm;

/// What whoever holds the messages is to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Hand over what the messages say: [`super::Session::read`].
    Read,
    /// Note what these messages hold now, then [`super::Session::ask`], on any thread.
    Summarise(Range<usize>),
    /// Call the model: [`super::Session::answer`].
    Ask(Box<Ask>),
    /// Cut the texts of these messages to so many of the tokenizer's tokens, on copies, and say what they take then:
    /// [`super::Session::shortened`].
    Shorten(Vec<Shorten>),
    /// Put this into the history, and say what that weighs: [`super::Session::proceed`].
    Apply(Box<Edit>),
    /// Nothing was changed, and time has passed: weigh the history anew, [`super::Session::proceed`].
    Weigh,
    /// There is nothing more to do.
    Done(Outcome),
}

/// One call of the model that summarises.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Its name as configured; empty for one that the client itself knows.
    pub model: String,
    /// What it is told.
    pub request: Request,
    /// Which parameters the model takes.
    pub form: RequestForm,
    /// For a model that takes one.
    pub temperature: f64,
    /// For how long to wait.
    pub timeout_ms: f64,
}

/// A change of the history, all of it at once. Indices count messages of the array that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The compression's name.
    pub id: String,
    /// The messages that the new one stands for.
    pub range: Range<usize>,
    /// What goes and where the new message stands.
    pub place: Place,
    /// The new message's content.
    pub content: String,
    /// What it takes, chat format and all.
    pub tokens: f64,
    /// Its record as JSON, without the originals; the figures of [`Figures`] are still to be filled in.
    pub record: String,
}

/// How the history changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// The range goes. These of it are repeated before the summary and behind it.
    Summary {
        /// Before: what the host pins.
        pinned: Vec<usize>,
        /// Behind: what the rest can't be without.
        carried: Vec<usize>,
    },
    /// These messages go; what of [`Edit::range`] stays is repeated.
    Cut {
        /// Ascending.
        dropped: Vec<Range<usize>>,
        /// The notice goes before this message; `None` where nothing but texts was cut.
        notice_at: Option<usize>,
    },
}

/// What a change has come to, for the record of the new message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Messages before.
    pub before_count: usize,
    /// Messages after.
    pub after_count: usize,
    /// Tokens after, rounded.
    pub tokens_after: f64,
}

/// What became of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Did {
    #[default]
    Nothing,
    /// A part of it became a summary.
    Summarised,
    /// Some of it was cut out or cut short, after a summary or without one.
    Cut,
}

impl Did {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Summarised => "summarised",
            Self::Cut => "cut",
        }
    }
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub did: Did,
    /// Why there is no summary; `None` where one was made.
    pub ended: Option<Ended>,
    /// Whether what is left is above the hard limit: it can't be made to fit, or was not to be cut.
    pub is_over_limit: bool,
    /// The window that was reckoned with ...
    pub window_tokens: f64,
    /// ... and how it is known.
    pub window_source: WindowSource,
    /// What each call of the summary model took.
    pub spent: Vec<Spent>,
    /// Tokens in use at the beginning, rounded.
    pub tokens_before: f64,
    /// Tokens in use now, rounded.
    pub tokens_after: f64,
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// None was needed.
    BelowThreshold,
    /// None was tried.
    Skipped(Skip),
    /// The model's answer is none.
    Refused(Refusal),
    /// The model didn't answer: its error's code, and the class that its provider names.
    Failed { code: String, class: String },
    /// It came too late: the messages had changed, or the host had given up.
    Discarded,
    /// The host gave up.
    Aborted,
}

impl Ended {
    /// The code that users see; docs/errors.md lists them all.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::BelowThreshold => "below_threshold",
            Self::Skipped(skip) => skip.code(),
            Self::Refused(refusal) => refusal.as_str(),
            Self::Failed { code, .. } => code,
            Self::Discarded => "discarded",
            Self::Aborted => "aborted",
        }
    }
}

impl Ended {
    /// A word for it that is the same whatever the model's provider says.
    #[must_use]
    pub fn reason(&self) -> &str {
        if matches!(self, Self::Failed { .. }) { "summary_failed" } else { self.code() }
    }

    /// The code and the class of what the model's client gave in place of an answer.
    #[must_use]
    pub fn failure(&self) -> Option<(&str, &str)> {
        let Self::Failed { code, class } = self else { return None };
        Some((code, class))
    }
}

/// Why a summary that came is not put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discard {
    /// The messages that it is of are no longer what they were.
    RangeChanged,
    /// The host gave up meanwhile.
    Aborted,
}

impl Discard {
    /// Its name in events.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::RangeChanged => "range_changed",
            Self::Aborted => "aborted",
        }
    }
}

/// What became of what a session wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The edit is about to be put in; the weights are those of the history with it.
    Applied,
    /// The edit was not put in.
    Discarded(Discard),
    /// Nothing was changed.
    Unchanged,
}
