//! The state of a [`CompressionSession`] between its steps.

use std::sync::Arc;

use super::attempt::SessionOptions;
use super::manager::Manager;
use super::settings::Settings;
use super::step::{ContextFigures, HistoryEffect, NoSummaryReason, SessionResult, Step};
use super::usage::{CountedHistory, WindowUsage};
use crate::compression::hard_limit::truncation::Truncation;
use crate::compression::message::ChatMessage;
use crate::compression::plan::Plan;
use crate::compression::record::RecordedHistory;
use crate::compression::summary::Task;
use crate::compression::summary::dialogue::SummaryDialogue;
use crate::compression::summary::exchange::Spent;

/// A compression of one conversation, from [`Self::begin`] to [`Step::Done`].
pub struct CompressionSession {
    pub(super) manager: Arc<Manager>,
    /// The number to pass to [`Self::begin`] next time.
    pub conversation: u32,
    pub(super) settings: Settings,
    pub(super) options: SessionOptions,
    pub(super) counted: CountedHistory,
    pub(super) usage: WindowUsage,
    pub(super) messages_before: usize,
    pub(super) tokens_before: f64,
    pub(super) phase: Phase,
    pub(super) no_summary_reason: Option<NoSummaryReason>,
    /// Figures of the change that is being applied.
    pub figures: Option<ContextFigures>,
    pub(super) effect: HistoryEffect,
    pub(super) spent: Vec<Spent>,
}

#[derive(Default)]
pub(super) enum Phase {
    /// The messages' texts, to plan a summary.
    Planning,
    /// The messages' texts, to plan a cut.
    Cutting,
    /// A thread that reads the range.
    Preparing(Box<Asking>, Box<Task>),
    /// The model's reply.
    Asking(Box<Asking>, Box<SummaryDialogue>),
    /// The token counts of shortened texts.
    Fitting(Box<Fitting>, Box<Truncation>),
    /// That the change is applied to the history.
    Applying(PendingChange),
    /// New token counts, since time has passed.
    Recounting,
    #[default]
    Over,
}

pub(super) struct Asking {
    pub plan: Plan,
    pub compression_id: String,
    pub first_request: Option<String>,
    /// True if the event of a failed call has already reported why there is no summary.
    pub is_failure_logged: bool,
    pub reply_model: Option<String>,
    pub prompt_tokens: f64,
}

/// A cut that is planned again until the remaining messages are under the hard limit.
pub(super) struct Fitting {
    /// The messages, with token counts on the scale of the window's usage.
    pub messages: Vec<ChatMessage>,
    pub recorded_history: RecordedHistory,
    /// The limit that the next plan keeps.
    pub limit_tokens: f64,
    pub attempts: u32,
}

pub(super) struct PendingChange {
    pub removed_count: usize,
    /// Includes repeated messages.
    pub inserted_count: usize,
    pub tokens_before: f64,
    pub kind: ChangeKind,
}

pub(super) enum ChangeKind {
    Summary { level: u32, model: Option<String>, duration_ms: f64 },
    Cut { shortened_count: usize },
}

impl CompressionSession {
    pub(super) fn is_over_limit(&self) -> bool {
        self.usage.tokens > self.settings.hard_limit_tokens()
    }

    /// Empty if none is configured, or if the client chooses the model.
    pub(super) fn summary_model(&self) -> &str {
        self.settings.summary_model.as_deref().unwrap_or_default()
    }

    pub(super) fn must_cut(&self) -> bool {
        !self.options.forced && self.is_over_limit()
    }

    pub(super) fn finish_without_summary(&mut self, no_summary_reason: NoSummaryReason) -> Step {
        self.no_summary_reason = Some(no_summary_reason);
        self.finish()
    }

    pub(super) fn finish(&mut self) -> Step {
        self.phase = Phase::Over;
        let reason = self.no_summary_reason.clone();
        Step::Done(SessionResult {
            effect: self.effect,
            spent: std::mem::take(&mut self.spent),
            ..SessionResult::new(&self.settings, self.tokens_before, self.usage.tokens, reason)
        })
    }
}
