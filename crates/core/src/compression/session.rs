//! Decides the order of a compression's steps, by the effect of earlier tries and by what its caller reports.
//! `begin` → `Read` → `read` → `Summarise` → `ask` → (`Ask` → `answer`)* → `Apply` or `Recount` → `proceed` → `Done`, or, to
//! cut, `Read` → `read` → (`Shorten` → `shortened`)* → `Apply` → `proceed` → `Done`. The caller passes the elapsed time
//! to each call. Between calls the session holds texts and figures, no message objects.

pub mod attempt;
pub mod events;
pub mod logged_once;
pub mod manager;
pub mod settings;
pub mod stats;
pub mod step;
pub mod usage;

mod asking;
mod fitting;
mod state;

use std::sync::Arc;

pub use attempt::SessionOptions;
use attempt::{Attempt, Try, gains_enough};
use manager::Manager;
use settings::WindowSource;
pub use state::CompressionSession;
use state::{ChangeKind, PendingChange, Phase};
use stats::CountedChange;
use step::{ContextFigures, HistoryEffect, NoSummaryReason, Step, StepProgress};
use usage::CountedHistory;

use super::message::ChatMessage;
use super::plan::Skip;
use super::record::{StoredRecord, window_share};
use super::to_f64;

impl CompressionSession {
    /// `conversation` is the number that an earlier session returned for this conversation, if any.
    pub fn begin(
        manager: &Arc<Manager>,
        conversation: Option<u32>,
        counted: CountedHistory,
        options: SessionOptions,
    ) -> (Self, Step) {
        let mut state = manager.state();
        state.logged.log_unrecognised(&options.unrecognised, counted.rows.len());
        let usage = state.usage_of(&counted);
        let conversation = conversation.unwrap_or_else(|| state.new_conversation());
        state.mark_applied(conversation);
        let settings = state.settings.clone();
        drop(state);
        let mut session = Self {
            messages_before: counted.rows.len(),
            tokens_before: usage.tokens,
            manager: Arc::clone(manager),
            conversation,
            settings,
            options,
            counted,
            usage,
            phase: Phase::Over,
            no_summary_reason: None,
            figures: None,
            effect: HistoryEffect::Nothing,
            spent: Vec::new(),
        };
        let step = if session.options.forced { session.begin_forced() } else { session.begin_automatic() };
        (session, step)
    }

    fn begin_automatic(&mut self) -> Step {
        self.manager.state().stats.processed += 1.0;
        if self.usage.tokens < self.settings.threshold_tokens() && !self.is_over_limit() {
            return self.finish_without_summary(NoSummaryReason::BelowThreshold);
        }
        self.manager.state().stats.triggered += 1.0;
        events::triggered(&self.usage, &self.settings, self.messages_before);
        if self.settings.window_source == WindowSource::Guess
            && self.manager.state().logged.is_first("window_guessed", "")
        {
            events::window_guessed(self.settings.max_context_tokens);
        }
        if self.settings.summary_model.is_some() {
            self.phase = Phase::Planning;
            return Step::Read;
        }
        self.skip(Skip::NoSummaryModel);
        self.cut_or_finish()
    }

    fn begin_forced(&mut self) -> Step {
        if self.options.aborted {
            self.finish_without_summary(NoSummaryReason::Aborted)
        } else if self.options.summary.is_none() && self.settings.summary_model.is_none() {
            self.finish_without_summary(NoSummaryReason::Skipped(Skip::NoSummaryModel))
        } else {
            self.phase = Phase::Planning;
            Step::Read
        }
    }

    pub fn read(&mut self, messages: Vec<ChatMessage>, recorded: &[StoredRecord]) -> Step {
        self.manager.state().mark_applied(self.conversation);
        match std::mem::take(&mut self.phase) {
            Phase::Planning => self.plan(messages, recorded),
            Phase::Cutting => self.fit(messages, recorded),
            _ => self.finish(),
        }
    }

    fn plan(&mut self, messages: Vec<ChatMessage>, recorded: &[StoredRecord]) -> Step {
        let attempt = Attempt {
            rows: &self.counted.rows,
            usage: &self.usage,
            settings: &self.settings,
            options: &self.options,
            last_try: self.manager.state().last_try(self.conversation),
        };
        match self.manager.breakers.with(self.summary_model(), |breaker| attempt.plan(&messages, breaker)) {
            Ok(plan) => {
                let range = plan.range.clone();
                self.phase = self.prepare_task(plan, messages, recorded);
                Step::Summarise(range)
            }
            Err(skip) => {
                self.skip(skip);
                if self.must_cut() { self.fit(messages, recorded) } else { self.finish() }
            }
        }
    }

    /// Takes the outcome of [`Step::Apply`] or [`Step::Recount`], with the token counts of the resulting history.
    pub fn proceed(&mut self, progress: StepProgress, counted: CountedHistory) -> Step {
        let mut state = self.manager.state();
        state.mark_applied(self.conversation);
        self.usage = state.usage_of(&counted);
        drop(state);
        self.counted = counted;
        match (std::mem::take(&mut self.phase), progress) {
            (Phase::Applying(change), StepProgress::Applied) => {
                self.note_change(change);
                // A cut is the last step.
                if self.effect == HistoryEffect::Cut { self.finish() } else { self.cut_or_finish() }
            }
            (Phase::Applying(_), StepProgress::RangeChanged) => {
                self.note_discarded("range_changed");
                self.cut_or_finish()
            }
            (Phase::Applying(_), StepProgress::Aborted) => {
                self.note_discarded("aborted");
                self.finish()
            }
            (_, StepProgress::RangeChanged | StepProgress::Aborted) => self.finish(),
            _ => self.cut_or_finish(),
        }
    }

    fn note_change(&mut self, change: PendingChange) {
        let PendingChange { removed_count, inserted_count, tokens_before, kind } = change;
        let after_count = self.counted.rows.len();
        let before_count = (after_count + removed_count).saturating_sub(inserted_count);
        let tokens_after = self.usage.tokens.round();
        let window_tokens = self.settings.max_context_tokens;
        let usage_after = window_share(tokens_after, window_tokens);
        let after = ContextFigures { before_count, after_count, tokens_after, usage_after };
        self.figures = Some(after);
        let tokens_saved = (tokens_before - tokens_after).max(0.0);
        let mut counted = CountedChange { is_cut: false, removed_count, shortened_count: 0, tokens_saved };
        let mut state = self.manager.state();
        let mut tried = state.last_try(self.conversation).unwrap_or_default();
        match kind {
            ChangeKind::Summary { level, model, duration_ms } => {
                tried.gained = Some(gains_enough(tokens_before, tokens_after));
                (tried.messages, tried.tokens) = (to_f64(after_count), tokens_after);
                self.effect = HistoryEffect::Summarised;
                let model = model.unwrap_or_default();
                events::compressed(&after, tokens_before, window_tokens, level, &model, duration_ms);
            }
            ChangeKind::Cut { shortened_count } => {
                counted = CountedChange { is_cut: true, shortened_count, ..counted };
                // The messages that the cut removed existed at the last try.
                tried.messages -= to_f64(before_count) - to_f64(after_count);
                tried.tokens -= tokens_before - tokens_after;
                self.effect = HistoryEffect::Cut;
                events::truncated(
                    before_count, after_count, removed_count, shortened_count, tokens_before, tokens_after,
                );
            }
        }
        state.stats.count_change(counted);
        state.record_try(self.conversation, Try { change: Some(counted), ..tried });
    }

    fn note_discarded(&mut self, reason: &'static str) {
        self.manager.state().stats.discarded += 1.0;
        events::discarded(reason);
        self.no_summary_reason = Some(NoSummaryReason::Discarded);
    }

    fn cut_or_finish(&mut self) -> Step {
        if !self.must_cut() {
            return self.finish();
        }
        self.phase = Phase::Cutting;
        Step::Read
    }

    fn skip(&mut self, skip: Skip) {
        self.manager.state().stats.skipped(skip.name());
        events::skipped(skip.name());
        self.no_summary_reason = Some(NoSummaryReason::Skipped(skip));
    }
}

#[cfg(test)]
#[path = "session/session_tests.rs"]
mod tests;
