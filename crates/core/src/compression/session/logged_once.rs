//! Remembers what was logged, since an application calls compression before every request and each finding is logged only once.

use std::collections::HashSet;

use super::events;
use super::settings::typing_errors::intended_setting;
use super::settings::{Given, InvalidSetting, names};

#[derive(Debug, Default)]
pub(super) struct LoggedOnce {
    refused: Vec<(&'static str, String)>,
    unreadable: HashSet<String>,
    unknown: HashSet<String>,
    invalid_fields: HashSet<String>,
    forms: String,
    has_doubted: bool,
    has_guessed: bool,
}

impl LoggedOnce {
    /// True the first time that a provider's figures can't be true.
    pub fn is_first_doubt(&mut self) -> bool {
        !std::mem::replace(&mut self.has_doubted, true)
    }

    /// True the first time that the window is a guess.
    pub fn is_first_guess(&mut self) -> bool {
        !std::mem::replace(&mut self.has_guessed, true)
    }

    pub fn findings(&mut self, findings: &ConfigurationFindings) {
        for (key, came) in &findings.unreadable {
            // A broken configuration service fails the same way for every key, so only the first such key is reported.
            if self.unreadable.insert(came.clone()) {
                events::setting_unreadable(key, came);
            }
        }
        let keys = [(&findings.section_keys, true), (&findings.flat_keys, false)];
        for (key, in_section) in
            keys.into_iter().flat_map(|(keys, kind)| keys.iter().map(move |key| (key, kind)))
        {
            let Some(intended) = intended_setting(key, in_section) else { continue };
            if self.unknown.insert(key.clone()) {
                events::setting_unknown(key, intended);
            }
        }
    }

    /// Reports invalid settings, each value once.
    pub fn refused(&mut self, refused: &[InvalidSetting], given: &[Given]) {
        let value = |key: &str| {
            let position = names().position(|(flat, _)| flat == key);
            format!("{:?}", position.and_then(|position| given.get(position)))
        };
        let before = std::mem::take(&mut self.refused);
        for &InvalidSetting { key, expected } in refused {
            let value = value(key);
            if !before.iter().any(|(known, old)| *known == key && *old == value) {
                events::setting_refused(key, expected);
            }
            self.refused.push((key, value));
        }
    }

    /// Reports unrecognised forms and invalid record fields among `total` messages.
    pub fn unrecognised_input(&mut self, unrecognised_input: &UnrecognisedInput, total: usize) {
        if !unrecognised_input.forms.is_empty() && self.forms != unrecognised_input.forms {
            self.forms.clone_from(&unrecognised_input.forms);
            events::unrecognised(unrecognised_input.unrecognised, total, &unrecognised_input.forms);
        }
        let fields = unrecognised_input
            .invalid_fields
            .iter()
            .filter(|field| self.invalid_fields.insert((*field).clone()));
        let fields = fields.map(String::as_str).collect::<Vec<_>>().join(", ");
        if !fields.is_empty() {
            events::record_invalid(&fields);
        }
    }
}

/// Findings about the application's configuration, other than settings.
#[derive(Debug, Clone, Default)]
pub struct ConfigurationFindings {
    /// Keys that can't be read, with `promise`, the type of a value that is no section, or the code of the thrown error.
    pub unreadable: Vec<(String, String)>,
    pub section_keys: Vec<String>,
    /// The keys of an object that holds settings by their flat names.
    pub flat_keys: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct UnrecognisedInput {
    /// How many messages have an unknown form, and the forms' names.
    pub unrecognised: usize,
    pub forms: String,
    /// Fields of earlier compressions' records that have invalid values.
    pub invalid_fields: Vec<String>,
}
