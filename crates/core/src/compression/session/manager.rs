//! What one manager knows beside the conversations: its settings, what it has counted, tried and told already.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::breaker::{Breakers, LastTry};
use super::events;
use super::settings::{Given, Settings, read};
use super::stats::{Effect, Stats};
use super::told::{Findings, Told};
use super::usage::{Weighed, WindowUsage, used};
use super::windows::Learnt;
use crate::compression::summary::prompt::PromptChanges;
use crate::results::Language;
use crate::tokens::models::Model;

/// So many conversations are remembered; an older one is merely tried once more than it need be.
const MOST_CONVERSATIONS: usize = 4_096;

/// What is known at a call beside the configuration.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The conversation's model, as the host or the newest answer names it.
    pub model: Option<String>,
    /// Without a summary model, that one (or the client's own, where none is named) is asked.
    pub is_summariser: bool,
    /// The share of the window from which on history is summarised is at most this.
    pub most_threshold: Option<f64>,
}

/// Shared by all sessions of one manager, whichever thread they are on.
pub struct Manager {
    pub(super) model: Model,
    pub(super) language: Option<Language>,
    pub(super) prompt: PromptChanges,
    pub(super) breakers: Breakers,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub settings: Settings,
    pub told: Told,
    pub stats: Stats,
    pub learnt: Learnt,
    conversations: u32,
    tries: BTreeMap<u32, Try>,
}

/// The last try at a conversation, and what was there when it had ended, less what was cut out since.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Try {
    pub gained: Option<bool>,
    pub messages: f64,
    pub tokens: f64,
    /// The last change as it was counted. It is kept until the next one, since the host's array may still refuse it.
    pub effect: Option<Effect>,
}

impl Manager {
    /// `language`: `None` for each history's own.
    #[must_use]
    pub fn new(model: Model, language: Option<Language>, prompt: PromptChanges, breakers: Breakers) -> Self {
        Self { model, language, prompt, breakers, state: Mutex::default() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in the configuration: a value for each of [`super::settings::names`], and what else was found. Gives what holds.
    pub fn configure(&self, given: &[Given], findings: &Findings, facts: &Facts) -> Settings {
        let mut state = self.state();
        state.told.findings(findings);
        let (mut settings, refused) = read(given);
        state.told.refused(&refused, given);
        if let Some(most) = facts.most_threshold {
            settings.threshold = settings.threshold.min(most);
        }
        if facts.is_summariser && settings.summary_model.is_none() {
            settings.summary_model = Some(facts.model.clone().unwrap_or_default());
        }
        let settings = settings.with_windows(facts.model.as_deref(), &state.learnt);
        state.settings = settings.clone();
        settings
    }

    /// Every figure so far, by name.
    #[must_use]
    pub fn figures(&self) -> Vec<(String, f64)> {
        self.state().stats.figures()
    }

    /// Notes that something failed that nobody foresaw. `code` is an error's code or class; `problem` what is wrong with an
    /// argument, or empty.
    pub fn failed(&self, code: &str, problem: &str) {
        events::failed(code, problem);
    }

    /// Takes in what a provider has said of its model's window; from then on that counts. False for what can be none.
    pub fn learn(&self, model: &str, tokens: f64) -> bool {
        let is_learnt = self.state().learnt.learn(model, tokens);
        if is_learnt {
            events::window_learnt(tokens);
        }
        is_learnt
    }

    /// Gives up on a session. Where the host's array has just refused a change, that change was never made.
    pub fn abandon(&self, conversation: u32) {
        let mut state = self.state();
        let tried = state.tries.get(&conversation).copied();
        if let Some(effect) = tried.and_then(|tried| tried.effect) {
            state.stats.unapplied(effect);
            state.tries.remove(&conversation);
        }
    }

    /// Notes that originals could not be stored.
    pub fn archive_failed(&self, code: &str) {
        events::archive_failed(code);
    }

    /// What the conversation takes, told once where a report can't be true.
    pub(super) fn used(&self, weighed: &Weighed) -> WindowUsage {
        let mut state = self.state();
        let usage = used(&weighed.rows, weighed.fixed_tokens, state.settings.max_context_tokens);
        if let Some(reported) = usage.doubted_tokens
            && state.told.doubt()
        {
            events::usage_doubted(reported, usage.estimate);
        }
        usage
    }
}

impl State {
    /// The name of a conversation that has none yet.
    pub fn new_conversation(&mut self) -> u32 {
        self.conversations = self.conversations.wrapping_add(1);
        self.conversations
    }

    /// How the last try ended, and how many messages and tokens have come since.
    #[allow(clippy::cast_precision_loss)] // a number of messages
    pub fn last_try(&self, conversation: u32, messages: usize, tokens: f64) -> Option<LastTry> {
        let tried = self.tries.get(&conversation)?;
        Some(LastTry {
            gained: tried.gained?,
            new_messages: messages as f64 - tried.messages,
            new_tokens: tokens - tried.tokens,
        })
    }

    /// Takes the last change as made: a host that goes on with the conversation has that change in its array.
    pub fn settle(&mut self, conversation: u32) {
        if let Some(tried) = self.tries.get_mut(&conversation) {
            tried.effect = None;
        }
    }

    pub fn tried(&mut self, conversation: u32, tried: Try) {
        self.tries.insert(conversation, tried);
        while self.tries.len() > MOST_CONVERSATIONS {
            self.tries.pop_first();
        }
    }

    /// A cut took away what had been there at the last try.
    pub fn cut(&mut self, conversation: u32, messages: f64, tokens: f64, effect: Effect) {
        let before = self.tries.get(&conversation).copied().unwrap_or_default();
        let tried = Try {
            messages: before.messages - messages,
            tokens: before.tokens - tokens,
            effect: Some(effect),
            ..before
        };
        self.tried(conversation, tried);
    }
}
