//! Runs a compression: the order of its steps, the effect of earlier tries, and its events.
//!
//! ```text
//! begin ── Read ── read ──┬─ Summarise ── ask ── Ask ⇄ answer ──┬─ Apply ── proceed ─┐
//!   │                     │                                     └─ Weigh ── proceed ─┤
//!   └─ Done               └─ Shorten ⇄ shortened ── Apply ── proceed ── Done         ├─ Read (to cut)
//!                                                                                    └─ Done
//! ```
//! A [`CompressionSession`] neither waits nor reads a clock: the caller passes the elapsed time to each call and gets
//! the next step. Between calls the session holds texts and figures, never the messages themselves.

pub mod attempt;
pub mod breaker;
pub mod events;
pub mod manager;
pub mod settings;
pub mod spending;
pub mod stats;
pub mod step;
pub mod told;
pub mod usage;
pub mod windows;

mod asking;
mod effect;
mod fitting;
mod reading;
mod state;

use std::sync::Arc;

use attempt::{Attempt, Skip, attempt};
use manager::Manager;
pub use reading::Recorded;
use settings::WindowSource;
use state::{ChangeKind, Phase};
pub use state::{CompressionSession, Wish};
use step::{ContextFigures, Did, Discard, Ended, Step, StepProgress};
use told::Strange;
use usage::Weighed;

use super::message::ChatMessage;

impl CompressionSession {
    /// `conversation` is the number that an earlier session returned for this conversation, if any.
    pub fn begin(
        manager: &Arc<Manager>,
        conversation: Option<u32>,
        weighed: Weighed,
        wish: Wish,
        strange: &Strange,
    ) -> (Self, Step) {
        manager.state().told.strange(strange, weighed.rows.len());
        let usage = manager.used(&weighed);
        let mut state = manager.state();
        let conversation = conversation.unwrap_or_else(|| state.new_conversation());
        state.settle(conversation);
        let settings = state.settings.clone();
        drop(state);
        let mut session = Self {
            before: (weighed.rows.len(), usage.tokens),
            manager: Arc::clone(manager),
            conversation,
            settings,
            wish,
            weighed,
            usage,
            phase: Phase::Over,
            ended: None,
            figures: None,
            did: Did::Nothing,
            spent: Vec::new(),
        };
        let step = if session.wish.forced { session.begin_by_hand() } else { session.begin_by_itself() };
        (session, step)
    }

    /// The number to pass to [`Self::begin`] next time.
    pub const fn conversation(&self) -> u32 {
        self.conversation
    }

    /// Figures of the change that is being applied.
    pub const fn figures(&self) -> Option<ContextFigures> {
        self.figures
    }

    fn begin_by_itself(&mut self) -> Step {
        let is_over = self.usage.tokens >= self.settings.threshold_tokens() || self.is_over_limit();
        self.manager.state().stats.processed += 1.0;
        if !is_over {
            return self.end(Ended::BelowThreshold);
        }
        self.manager.state().stats.triggered += 1.0;
        events::triggered(&self.usage, &self.settings, self.before.0);
        if self.settings.window_source == WindowSource::Guess && self.manager.state().told.guess() {
            events::window_guessed(self.settings.max_context_tokens);
        }
        if self.settings.summary_model.is_some() {
            self.phase = Phase::Planning;
            return Step::Read;
        }
        self.skip(Skip::NoSummaryModel);
        self.cut_or_end()
    }

    fn begin_by_hand(&mut self) -> Step {
        let has_writer = self.wish.summary.is_some() || self.settings.summary_model.is_some();
        if self.wish.aborted {
            self.end(Ended::Aborted)
        } else if !has_writer {
            self.end(Ended::Skipped(Skip::NoSummaryModel))
        } else {
            self.phase = Phase::Planning;
            Step::Read
        }
    }

    /// Takes the messages' texts and the records of earlier compressions.
    pub fn read(&mut self, messages: Vec<ChatMessage>, recorded: &[Recorded]) -> Step {
        self.manager.state().settle(self.conversation);
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Planning => self.plan(messages, recorded),
            Phase::Cutting => self.fit(messages, recorded),
            _ => self.done(),
        }
    }

    fn plan(&mut self, messages: Vec<ChatMessage>, recorded: &[Recorded]) -> Step {
        let (count, tokens) = self.before;
        let keep = (self.settings.keep_recent, self.settings.max_context_tokens);
        let last = self.manager.state().last_try(self.conversation, count, tokens);
        let wish = Attempt { last, now_ms: self.wish.now_ms, forced: self.wish.forced };
        let model = self.settings.summary_model.as_deref().unwrap_or_default();
        let planned = self.manager.breakers.with(model, |breaker| {
            attempt(&messages, (&self.weighed.rows, &self.usage), keep, breaker, wish)
        });
        match planned {
            Ok(plan) => {
                let range = plan.range.clone();
                self.phase = Phase::Asking(Box::new(self.asking(plan, messages, recorded)));
                Step::Summarise(range)
            }
            Err(skip) => {
                self.skip(skip);
                if self.may_cut() { self.fit(messages, recorded) } else { self.done() }
            }
        }
    }

    /// Takes the outcome of [`Step::Apply`] or [`Step::Weigh`], with the token counts of the resulting history.
    pub fn proceed(&mut self, progress: StepProgress, weighed: Weighed) -> Step {
        self.manager.state().settle(self.conversation);
        self.usage = self.manager.used(&weighed);
        self.weighed = weighed;
        match (std::mem::replace(&mut self.phase, Phase::Over), progress) {
            (Phase::Applying(edit, kind), StepProgress::Applied) => {
                self.note_effect(&edit, &kind);
                self.did =
                    if matches!(kind, ChangeKind::Summary { .. }) { Did::Summarised } else { Did::Cut };
                // A cut is the last step.
                if matches!(kind, ChangeKind::Summary { .. }) { self.cut_or_end() } else { self.done() }
            }
            (Phase::Applying(..), StepProgress::Discarded(why)) => {
                self.manager.state().stats.discarded += 1.0;
                events::discarded(why.code());
                self.ended = Some(Ended::Discarded);
                if why == Discard::Aborted { self.done() } else { self.cut_or_end() }
            }
            (_, StepProgress::Discarded(_)) => self.done(),
            _ => self.cut_or_end(),
        }
    }

    fn cut_or_end(&mut self) -> Step {
        if !self.may_cut() {
            return self.done();
        }
        self.phase = Phase::Cutting;
        Step::Read
    }

    fn skip(&mut self, skip: Skip) {
        self.manager.state().stats.skipped(skip.code());
        events::skipped(skip.code());
        self.ended = Some(Ended::Skipped(skip));
    }
}

#[cfg(test)]
#[path = "session/session_tests.rs"]
mod tests;
