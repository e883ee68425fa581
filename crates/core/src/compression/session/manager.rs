//! Holds what one manager knows beside the conversations: its settings, what it has counted, tried and told.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::breaker::{Breakers, LastTry};
use super::events;
use super::settings::{Given, Settings, read};
use super::stats::{CompressionStats, Effect};
use super::step::{Did, Ended, SessionEnd};
use super::told::{ConfigurationFindings, ToldOnce};
use super::usage::{Weighed, WindowUsage, used};
use super::windows::Learnt;
use crate::compression::decimal;
use crate::compression::summary::prompt::PromptChanges;
use crate::provider::refused::RefusedParameter;
use crate::provider::request::{RequestForm, form_for};
use crate::results::Language;
use crate::tokens::models::Model;

/// An older conversation is forgotten: it is merely tried once more than it need be.
const MOST_CONVERSATIONS: usize = 4_096;

#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The conversation's model, as the host or the newest answer names it.
    pub model: Option<String>,
    /// Where no summary model is set, the conversation's (or the client's own) is asked.
    pub is_summariser: bool,
    /// An upper bound of the threshold.
    pub most_threshold: Option<f64>,
}

/// Shared by all sessions of one manager, on whichever thread they are.
pub struct Manager {
    pub(super) model: Model,
    pub(super) language: Option<Language>,
    pub(super) prompt: PromptChanges,
    pub(super) breakers: Breakers,
    state: Mutex<ManagerState>,
}

#[derive(Default)]
pub(super) struct ManagerState {
    pub settings: Settings,
    pub told: ToldOnce,
    pub stats: CompressionStats,
    pub learnt: Learnt,
    /// How each summary model is asked, where its endpoint has refused a parameter.
    forms: BTreeMap<String, RequestForm>,
    conversations: u32,
    tries: BTreeMap<u32, Try>,
}

/// What the last try at a conversation left, less what was cut out since.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Try {
    pub gained: Option<bool>,
    pub messages: f64,
    pub tokens: f64,
    /// The last change as it was counted, kept until the next one, since the host's array may still refuse it.
    pub effect: Option<Effect>,
}

impl Manager {
    /// Without a `language` each history has its own.
    pub fn new(model: Model, language: Option<Language>, prompt: PromptChanges, breakers: Breakers) -> Self {
        Self { model, language, prompt, breakers, state: Mutex::default() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, ManagerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a value for each of [`super::settings::names`] and the other findings; gives the settings that hold.
    pub fn configure(&self, given: &[Given], findings: &ConfigurationFindings, facts: &Facts) -> Settings {
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

    pub fn figures(&self) -> Vec<(String, f64)> {
        self.state().stats.figures()
    }

    /// Learns a window that a provider has named; false for a figure that can be none.
    pub fn learn(&self, model: &str, tokens: f64) -> bool {
        let (before_tokens, source) = self.state().learnt.known(model);
        let is_learnt = self.state().learnt.learn(model, tokens);
        if is_learnt {
            events::window_learnt(tokens, model, before_tokens, source.name());
        }
        is_learnt
    }

    pub(super) fn form_for(&self, model: &str) -> RequestForm {
        self.state().forms.get(model).copied().unwrap_or_else(|| form_for(model))
    }

    /// False where a request for that model has nothing of it any more.
    pub(super) fn leave_out(&self, model: &str, refused: RefusedParameter) -> bool {
        let Some(form) = self.form_for(model).without(refused) else { return false };
        self.state().forms.insert(model.to_owned(), form);
        true
    }

    /// How full the window is, where nothing is done about it.
    pub fn weigh(&self, weighed: &Weighed) -> SessionEnd {
        let tokens = self.used(weighed).tokens;
        let settings = self.state().settings.clone();
        SessionEnd {
            did: Did::Nothing,
            ended: Some(Ended::Disabled),
            is_over_limit: tokens > settings.hard_limit_tokens(),
            window_tokens: settings.max_context_tokens,
            window_source: settings.window_source,
            spent: Vec::new(),
            tokens_before: tokens.round(),
            tokens_after: tokens.round(),
        }
    }

    /// Gives up a session: a change that the host's array has just refused was never made.
    pub fn abandon(&self, conversation: u32) {
        let mut state = self.state();
        let tried = state.tries.get(&conversation).copied();
        if let Some(effect) = tried.and_then(|tried| tried.effect) {
            state.stats.unapplied(effect);
            state.tries.remove(&conversation);
        }
    }

    /// A report that can't be true is told once.
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

impl ManagerState {
    pub fn new_conversation(&mut self) -> u32 {
        self.conversations = self.conversations.wrapping_add(1);
        self.conversations
    }

    pub fn last_try(&self, conversation: u32, messages: usize, tokens: f64) -> Option<LastTry> {
        let tried = self.tries.get(&conversation)?;
        Some(LastTry {
            gained: tried.gained?,
            new_messages: decimal(messages) - tried.messages,
            new_tokens: tokens - tried.tokens,
        })
    }

    /// The host goes on with the conversation, so its array took the last change.
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

    /// A cut took away messages that were there at the last try.
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
