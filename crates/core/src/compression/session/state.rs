//! The state of a [`CompressionSession`] between its steps.

use std::sync::Arc;

use super::logged_once::UnrecognisedInput;
use super::manager::Manager;
use super::reading::RecordedHistory;
use super::settings::Settings;
use super::spending::Spent;
use super::step::{ContextFigures, HistoryEffect, NoSummaryReason, SessionResult, Step};
use super::usage::{CountedHistory, WindowUsage};
use crate::compression::hard_limit::truncation::Truncation;
use crate::compression::message::ChatMessage;
use crate::compression::plan::Plan;
use crate::compression::summary::compaction::{Compaction, Task};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionOptions {
    /// The current time, ms since the epoch.
    pub now_ms: f64,
    /// Requested explicitly: only pair and turn boundaries can prevent a summary, and nothing is cut.
    pub forced: bool,
    pub aborted: bool,
    pub summary: Option<String>,
    pub instructions: Option<String>,
    pub unrecognised: UnrecognisedInput,
}

/// A compression of one conversation, from [`Self::begin`] to [`Step::Done`].
pub struct CompressionSession {
    pub(super) manager: Arc<Manager>,
    /// The number to pass to [`Self::begin`] next time.
    pub conversation: u32,
    pub(super) settings: Settings,
    pub(super) options: SessionOptions,
    pub(super) counted: CountedHistory,
    pub(super) usage: WindowUsage,
    /// Message count and tokens at the beginning.
    pub(super) before: (usize, f64),
    pub(super) phase: Phase,
    pub(super) no_summary_reason: Option<NoSummaryReason>,
    /// Figures of the change that is being applied.
    pub figures: Option<ContextFigures>,
    pub(super) effect: HistoryEffect,
    pub(super) spent: Vec<Spent>,
}

pub(super) enum Phase {
    /// Waits for the messages' texts, to plan a summary.
    Planning,
    /// Waits for the messages' texts, to plan a cut.
    Cutting,
    /// Waits for the model's reply.
    Asking(Box<Asking>),
    /// Shortens texts until everything fits.
    Fitting(Box<Fitting>, Box<Truncation>),
    /// Waits until the change is applied to the history.
    Applying(PendingChange),
    /// Waits for new token counts, since time has passed.
    Recounting,
    Over,
}

pub(super) struct Asking {
    pub(super) plan: Plan,
    pub(super) id: String,
    pub(super) first_request: Option<String>,
    pub(super) model: String,
    pub(super) task: Option<Task>,
    pub(super) compaction: Option<Compaction>,
    /// True if the event of a failed call has already reported why there is no summary.
    pub(super) is_failure_logged: bool,
    /// The model that replied last, if known.
    pub(super) answered_by: Option<String>,
    pub(super) asked_tokens: f64,
}

pub(super) struct Fitting {
    /// Their token counts are scaled as for the window's usage.
    pub(super) messages: Vec<ChatMessage>,
    pub(super) recorded_history: RecordedHistory,
    pub(super) aim_tokens: f64,
    pub(super) attempts: u32,
}

/// A change that the caller is about to apply.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PendingChange {
    pub(super) removed: usize,
    pub(super) inserted: usize,
    pub(super) tokens_before: f64,
    pub(super) kind: ChangeKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ChangeKind {
    Summary {
        level: u32,
        model: Option<String>,
        duration_ms: f64,
    },
    /// In addition, `shortened` texts were cut short.
    Cut {
        shortened: usize,
    },
}

impl CompressionSession {
    pub(super) fn is_over_limit(&self) -> bool {
        self.usage.tokens > self.settings.hard_limit_tokens()
    }

    pub(super) fn can_cut(&self) -> bool {
        !self.options.forced && self.is_over_limit()
    }

    pub(super) fn end(&mut self, no_summary_reason: NoSummaryReason) -> Step {
        self.no_summary_reason = Some(no_summary_reason);
        self.done()
    }

    pub(super) fn done(&mut self) -> Step {
        self.phase = Phase::Over;
        let reason = self.no_summary_reason.clone();
        Step::Done(SessionResult {
            effect: self.effect,
            spent: std::mem::take(&mut self.spent),
            ..SessionResult::new(&self.settings, self.before.1, self.usage.tokens, reason)
        })
    }
}
