//! The state that all sessions of one manager share: settings, statistics, earlier tries, and what was logged already.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::attempt::{Breakers, Try};
use super::events;
use super::logged_once::{ConfigurationFindings, LoggedOnce};
use super::settings::{Given, LearntWindows, Settings, read_settings};
use super::stats::CompressionStats;
use super::step::{NoSummaryReason, SessionResult};
use super::usage::{CountedHistory, WindowUsage, window_usage};
use crate::compression::summary::prompt::PromptChanges;
use crate::provider::request::{RefusedParameter, RequestForm, form_for};
use crate::results::Language;
use crate::tokens::models::Model;

/// Older conversations are forgotten; the only effect is one unnecessary try.
const MAX_CONVERSATIONS: usize = 4_096;

/// What the application says about the conversation, in addition to its settings.
#[derive(Debug, Clone, Default)]
pub struct ConversationInfo {
    /// The conversation's model, as named by the application or the newest reply.
    pub model: Option<String>,
    /// Without a configured summary model, this model (or the client's own) writes summaries.
    pub is_summariser: bool,
    pub max_threshold: Option<f64>,
}

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
    pub logged: LoggedOnce,
    pub stats: CompressionStats,
    pub learnt: LearntWindows,
    /// Request form for each summary model whose endpoint has rejected a parameter.
    forms: BTreeMap<String, RequestForm>,
    /// How many conversations have a number; also the newest number.
    conversations: u32,
    tries: BTreeMap<u32, Try>,
}

impl Manager {
    pub fn new(model: Model, language: Option<Language>, prompt: PromptChanges, breakers: Breakers) -> Self {
        Self { model, language, prompt, breakers, state: Mutex::default() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, ManagerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a value for each of [`super::settings::setting_names`]; returns the effective settings.
    pub fn configure(&self, given: &[Given], findings: &ConfigurationFindings, info: &ConversationInfo) -> Settings {
        let mut state = self.state();
        state.logged.log_findings(findings);
        let (mut settings, refused) = read_settings(given);
        state.logged.log_refused(&refused, given);
        if let Some(most) = info.max_threshold {
            settings.threshold = settings.threshold.min(most);
        }
        if info.is_summariser && settings.summary_model.is_none() {
            settings.summary_model = Some(info.model.clone().unwrap_or_default());
        }
        let settings = settings.with_windows(info.model.as_deref(), &state.learnt);
        state.settings = settings.clone();
        settings
    }

    pub fn figures(&self) -> Vec<(String, f64)> {
        self.state().stats.figures()
    }

    /// Stores a window size that a provider has reported; false for an impossible figure.
    pub fn learn(&self, model: &str, tokens: f64) -> bool {
        let mut state = self.state();
        let (before_tokens, source) = state.learnt.window_for(model, 0.0);
        let is_learnt = state.learnt.learn(model, tokens);
        if is_learnt {
            events::window_learnt(tokens, model, before_tokens, source.name());
        }
        is_learnt
    }

    pub(super) fn form_for(&self, model: &str) -> RequestForm {
        self.state().forms.get(model).copied().unwrap_or_else(|| form_for(model))
    }

    /// False if requests to `model` don't contain the parameter any more.
    pub(super) fn drop_parameter(&self, model: &str, refused: RefusedParameter) -> bool {
        let Some(form) = self.form_for(model).without(refused) else { return false };
        self.state().forms.insert(model.to_owned(), form);
        true
    }

    /// How full the window is, without acting on it.
    pub fn weigh(&self, counted: &CountedHistory) -> SessionResult {
        let mut state = self.state();
        let tokens = state.usage_of(counted).tokens;
        SessionResult::new(&state.settings, tokens, tokens, Some(NoSummaryReason::Disabled))
    }

    /// Ends a session early. If the last change couldn't be applied to the application's array, it is no longer counted.
    pub fn abandon(&self, conversation: u32) {
        let mut state = self.state();
        if let Some(change) = state.last_try(conversation).and_then(|tried| tried.change) {
            state.stats.uncount_change(change);
            state.tries.remove(&conversation);
        }
    }
}

impl ManagerState {
    /// How full the window is. A figure that can't be true is logged once.
    pub fn usage_of(&mut self, counted: &CountedHistory) -> WindowUsage {
        let usage = window_usage(&counted.rows, counted.fixed_tokens, self.settings.max_context_tokens);
        if let Some(reported) = usage.doubted_tokens
            && self.logged.is_first("usage_doubted", "")
        {
            events::usage_doubted(reported, usage.estimate);
        }
        usage
    }

    pub fn new_conversation(&mut self) -> u32 {
        self.conversations = self.conversations.wrapping_add(1);
        self.conversations
    }

    pub fn last_try(&self, conversation: u32) -> Option<Try> {
        self.tries.get(&conversation).copied()
    }

    /// The application continues with the conversation, so the last change was applied.
    pub fn mark_applied(&mut self, conversation: u32) {
        if let Some(tried) = self.tries.get_mut(&conversation) {
            tried.change = None;
        }
    }

    pub fn record_try(&mut self, conversation: u32, tried: Try) {
        self.tries.insert(conversation, tried);
        while self.tries.len() > MAX_CONVERSATIONS {
            self.tries.pop_first();
        }
    }
}
