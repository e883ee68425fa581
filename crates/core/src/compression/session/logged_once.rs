//! Remembers what was logged, since an application calls compression before every request and each finding is logged only once.

use std::collections::HashSet;

use super::events;
use super::settings::typing_errors::intended_setting;
use super::settings::{Given, InvalidSetting, names};

#[derive(Debug, Default)]
pub(super) struct LoggedOnce {
    refused: Vec<(&'static str, String)>,
    /// Event, and what it was about.
    seen: HashSet<(&'static str, String)>,
    forms: String,
}

impl LoggedOnce {
    /// True the first time that this `event` would be logged about this.
    pub fn is_first(&mut self, event: &'static str, about: &str) -> bool {
        self.seen.insert((event, about.to_owned()))
    }

    pub fn findings(&mut self, findings: &ConfigurationFindings) {
        for (key, came) in &findings.unreadable {
            // A broken configuration service fails the same way for every key, so only the first such key is reported.
            if self.is_first("setting_unreadable", came) {
                events::setting_unreadable(key, came);
            }
        }
        let keys = [(&findings.section_keys, true), (&findings.flat_keys, false)];
        for (key, in_section) in
            keys.into_iter().flat_map(|(keys, kind)| keys.iter().map(move |key| (key, kind)))
        {
            let Some(intended) = intended_setting(key, in_section) else { continue };
            if self.is_first("setting_unknown", key) {
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
    pub fn unrecognised_input(&mut self, input: &UnrecognisedInput, total: usize) {
        if !input.forms.is_empty() && self.forms != input.forms {
            self.forms.clone_from(&input.forms);
            events::unrecognised(input.unrecognised, total, &input.forms);
        }
        let mut fields = input.invalid_fields.clone();
        fields.retain(|field| self.is_first("record_odd", field));
        if !fields.is_empty() {
            events::record_invalid(&fields.join(", "));
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

#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnrecognisedInput {
    /// How many messages have an unknown form, and the forms' names.
    pub unrecognised: usize,
    pub forms: String,
    /// Fields of earlier compressions' records that have invalid values.
    pub invalid_fields: Vec<String>,
}
