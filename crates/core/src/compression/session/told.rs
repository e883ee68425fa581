//! Decides what is told once and not at every call: a host asks before every request.

use std::collections::HashSet;

use super::events;
use super::manager::Manager;
use super::settings::typing_errors::meant_by;
use super::settings::{Given, Settings, names, read};

/// What was told already.
#[derive(Debug, Default)]
pub(super) struct Told {
    refused: Vec<(&'static str, String)>,
    unreadable: HashSet<String>,
    unknown: HashSet<String>,
    odd_fields: HashSet<String>,
    forms: String,
    has_doubted: bool,
    has_guessed: bool,
}

impl Told {
    /// True the first time that a provider's figures can't be true.
    pub fn doubt(&mut self) -> bool {
        !std::mem::replace(&mut self.has_doubted, true)
    }

    /// True the first time that the window is a guess.
    pub fn guess(&mut self) -> bool {
        !std::mem::replace(&mut self.has_guessed, true)
    }
}

/// What was found besides the settings.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Keys that gave none: with `promise`, a type that is no section, or the code of what was thrown.
    pub unreadable: Vec<(String, String)>,
    /// The keys of the sections.
    pub section_keys: Vec<String>,
    /// The keys of an object that holds settings by their flat names.
    pub flat_keys: Vec<String>,
}

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

/// Messages that can't be read as they should.
#[derive(Debug, Clone, Default)]
pub struct Strange {
    /// How many have a form that isn't known, and the forms' names.
    pub unrecognised: usize,
    pub forms: String,
    /// Fields of earlier compressions' records that hold what no record has.
    pub odd_fields: Vec<String>,
}

impl Manager {
    /// Takes in the configuration: a value for each of [`names`], and what else was found. Gives what holds.
    pub fn configure(&self, given: &[Given], findings: &Findings, facts: &Facts) -> Settings {
        let mut state = self.state();
        for (key, came) in &findings.unreadable {
            // A broken service gives the same for every key, so only the first such key is reported.
            if state.told.unreadable.insert(came.clone()) {
                events::setting_unreadable(key, came);
            }
        }
        let keys = [(&findings.section_keys, true), (&findings.flat_keys, false)];
        for (key, in_section) in
            keys.into_iter().flat_map(|(keys, kind)| keys.iter().map(move |key| (key, kind)))
        {
            let Some(meant) = meant_by(key, in_section) else { continue };
            if state.told.unknown.insert(key.clone()) {
                events::setting_unknown(key, meant);
            }
        }
        let (mut settings, refused) = read(given);
        let value = |key: &str| {
            let position = names().position(|(flat, _)| flat == key);
            format!("{:?}", position.and_then(|position| given.get(position)))
        };
        let refused: Vec<_> = refused.into_iter().map(|refused| (refused, value(refused.key))).collect();
        for (refused, value) in &refused {
            if !state.told.refused.iter().any(|(key, old)| *key == refused.key && old == value) {
                events::setting_refused(refused.key, refused.expected);
            }
        }
        state.told.refused = refused.into_iter().map(|(refused, value)| (refused.key, value)).collect();
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

    pub(super) fn tell(&self, strange: &Strange, total: usize) {
        let mut state = self.state();
        if !strange.forms.is_empty() && state.told.forms != strange.forms {
            state.told.forms.clone_from(&strange.forms);
            events::unrecognised(strange.unrecognised, total, &strange.forms);
        }
        let fields = strange.odd_fields.iter().filter(|field| state.told.odd_fields.insert((*field).clone()));
        let fields = fields.map(String::as_str).collect::<Vec<_>>().join(", ");
        if !fields.is_empty() {
            events::record_odd(&fields);
        }
    }
}
