//! Decides which findings are logged: each only once, although an application calls compression before every request.

use std::collections::HashSet;

use super::events;
use super::settings::{Given, intended_setting, setting_names};

#[derive(Debug, Default)]
pub(super) struct LoggedOnce {
    /// The invalid settings of the last call, and their values.
    refused: Vec<(&'static str, String)>,
    logged: HashSet<(&'static str, String)>,
    /// The unknown message forms that were logged last.
    forms: String,
}

impl LoggedOnce {
    pub fn is_first(&mut self, event: &'static str, about: &str) -> bool {
        self.logged.insert((event, about.to_owned()))
    }

    pub fn log_findings(&mut self, findings: &ConfigurationFindings) {
        for (key, problem) in &findings.unreadable {
            // A broken configuration service fails the same way for every key, so only the first such key is reported.
            if self.is_first("setting_unreadable", problem) {
                events::setting_unreadable(key, problem);
            }
        }
        let in_section = findings.section_keys.iter().map(|key| (key, intended_setting(key, true)));
        let flat = findings.flat_keys.iter().map(|key| (key, intended_setting(key, false)));
        for (key, intended) in in_section.chain(flat) {
            if let Some(intended) = intended
                && self.is_first("setting_unknown", key)
            {
                events::setting_unknown(key, intended);
            }
        }
    }

    /// Logs invalid settings, each value once.
    pub fn log_refused(&mut self, refused: &[(&'static str, &'static str)], given: &[Given]) {
        let last_refused = std::mem::take(&mut self.refused);
        for &(key, expected) in refused {
            let given = setting_names().zip(given).find(|((flat, _), _)| *flat == key);
            let value = (key, format!("{given:?}"));
            if !last_refused.contains(&value) {
                events::setting_refused(key, expected);
            }
            self.refused.push(value);
        }
    }

    pub fn log_unrecognised(&mut self, input: &UnrecognisedInput, total: usize) {
        if !input.forms.is_empty() && self.forms != input.forms {
            self.forms.clone_from(&input.forms);
            events::unrecognised(input.unrecognised, total, &input.forms);
        }
        let mut fields = input.invalid_fields.clone();
        fields.retain(|field| self.is_first("record_odd", field));
        if !fields.is_empty() {
            events::record_odd(&fields.join(", "));
        }
    }
}

/// Findings about the application's configuration, other than settings.
#[derive(Debug, Clone, Default)]
pub struct ConfigurationFindings {
    /// Keys that can't be read, with `promise`, the type of a value that is no section, or the thrown error's code.
    pub unreadable: Vec<(String, String)>,
    /// The keys of the section `conversation.autoCompression`.
    pub section_keys: Vec<String>,
    /// The keys of an object that holds settings by their flat names.
    pub flat_keys: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnrecognisedInput {
    /// How many messages have an unknown form, and the forms' names.
    pub unrecognised: usize,
    pub forms: String,
    /// Fields of earlier compressions' records that have invalid values.
    pub invalid_fields: Vec<String>,
}
