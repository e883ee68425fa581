//! Configuration and prompts as hosts give them.

use napi::bindgen_prelude::{FromNapiValue, Result};
use napi::{Env, Unknown, ValueType};
use napi_derive::napi;
use palimpsest_core::compression::events;
use palimpsest_core::compression::prompt::{Prompt, PromptChanges, Section, sections_named_in};
use palimpsest_core::compression::settings::typing_errors::meant_by;
use palimpsest_core::compression::settings::{Given, names, read};
use palimpsest_core::results::Language;

use super::Shared;
use crate::options::Options;
use crate::units::Utf16;

/// Where a setting is found.
#[napi(object, object_from_js = false)]
pub struct SettingName {
    /// By itself.
    pub flat: &'static str,
    /// Below `conversation.autoCompression`.
    pub nested: &'static str,
}

/// What of the settings the face needs; the rest stays here.
#[napi(object, object_from_js = false)]
pub struct EffectiveSettings {
    pub enabled: bool,
    pub summary_model: Option<String>,
    pub summary_max_tokens: u32,
    pub max_context_tokens: f64,
    pub hard_limit_tokens: f64,
}

/// The names of the settings, in the order in which `configure` takes their values.
#[napi(catch_unwind)]
pub fn setting_names() -> Vec<SettingName> {
    names().map(|(flat, nested)| SettingName { flat, nested }).collect()
}

/// A key that gave an error or a promise.
#[napi(object, object_to_js = false)]
pub struct Unreadable {
    pub key: String,
    /// `promise`, another type that is no section, or the code of the error.
    pub came: String,
}

/// What the face has found besides the settings.
#[napi(object, object_to_js = false)]
pub struct Findings {
    pub unreadable: Vec<Unreadable>,
    /// The keys of the sections.
    pub section_keys: Vec<String>,
    /// The keys of an object that holds settings by their flat names.
    pub flat_keys: Vec<String>,
}

/// See `Compressor::configure`.
pub fn configure(shared: &Shared, values: &[Unknown<'_>], findings: Findings) -> Result<EffectiveSettings> {
    note_unreadable(shared, findings.unreadable);
    note_unknown(shared, &findings.section_keys, true);
    note_unknown(shared, &findings.flat_keys, false);
    let given: Vec<Given> = values.iter().map(given).collect::<Result<_>>()?;
    let (settings, refused) = read(&given);
    let mut state = shared.state();
    // A host that asks before every request wants to be told once.
    let refused: Vec<_> = refused
        .into_iter()
        .map(|refused| {
            let position = names().position(|(flat, _)| flat == refused.key);
            let value = position.and_then(|position| given.get(position));
            (refused, format!("{value:?}"))
        })
        .collect();
    for (refused, value) in &refused {
        if !state.refused.iter().any(|(key, old)| *key == refused.key && old == value) {
            shared.journal.keep(|| events::setting_refused(refused.key, refused.expected));
        }
    }
    state.refused = refused.into_iter().map(|(refused, value)| (refused.key, value)).collect();
    state.settings = settings;
    let settings = &state.settings;
    Ok(EffectiveSettings {
        enabled: settings.enabled,
        summary_model: settings.summary_model.clone(),
        summary_max_tokens: settings.summary_max_tokens,
        max_context_tokens: settings.max_context_tokens,
        hard_limit_tokens: settings.hard_limit_tokens(),
    })
}

/// Told once for each kind: a host asks before every request, and one key is as good as all of them.
fn note_unreadable(shared: &Shared, unreadable: Vec<Unreadable>) {
    let mut state = shared.state();
    for Unreadable { key, came } in unreadable {
        if !state.unreadable.contains(&came) {
            shared.journal.keep(|| events::setting_unreadable(&key, &came));
            state.unreadable.push(came);
        }
    }
}

/// Told once for each key.
fn note_unknown(shared: &Shared, keys: &[String], in_section: bool) {
    let mut state = shared.state();
    for key in keys {
        let Some(meant) = meant_by(key, in_section) else { continue };
        if !state.unknown.contains(key) {
            shared.journal.keep(|| events::setting_unknown(key, meant));
            state.unknown.push(key.clone());
        }
    }
}

fn given(value: &Unknown<'_>) -> Result<Given> {
    Ok(match value.get_type()? {
        ValueType::Undefined | ValueType::Null => Given::Missing,
        ValueType::Boolean => Given::Flag(bool::from_unknown(*value)?),
        ValueType::Number => Given::Number(f64::from_unknown(*value)?),
        ValueType::String => Given::Text(String::from_utf16_lossy(&Utf16::from_unknown(*value)?.0)),
        _ => Given::Other,
    })
}

/// `options.prompt`: `{system?, user?, repair?, sections?: {name, headings}[]}`.
pub fn read_prompt(env: &Env, options: &Options<'_>) -> Result<PromptChanges> {
    let prompt = Options::new(env, options.get("prompt")?, options.name("prompt"))?;
    let text = |key| Ok::<_, napi::Error>(prompt.text(key)?.map(|text| String::from_utf16_lossy(&text)));
    let sections = prompt.list("sections")?.map(|sections| {
        let section = |(index, value)| {
            let section = Options::new(env, value, format!("{}[{index}]", prompt.name("sections")))?;
            let headings = section.texts("headings")?.unwrap_or_default();
            let lower = |heading: Vec<u16>| String::from_utf16_lossy(&heading).to_lowercase();
            Ok(Section {
                name: String::from_utf16_lossy(&section.required_text("name")?),
                headings: headings.into_iter().map(lower).collect(),
            })
        };
        sections.into_iter().enumerate().map(section).collect::<Result<Vec<_>>>()
    });
    Ok(PromptChanges {
        system: text("system")?,
        user: text("user")?,
        repair: text("repair")?,
        sections: sections.transpose()?,
    })
}

/// The default texts that ask for a summary.
#[napi(object, object_from_js = false)]
pub struct DefaultPrompt {
    pub system: String,
    pub user: String,
    pub repair: String,
    pub sections: Vec<PromptSection>,
}

/// A section that a summary must have.
#[napi(object, object_from_js = false)]
pub struct PromptSection {
    pub name: String,
    pub headings: Vec<String>,
}

/// The prompt in Chinese or English.
#[napi(catch_unwind)]
pub fn default_summary_prompt(chinese: bool) -> DefaultPrompt {
    let language = if chinese { Language::Chinese } else { Language::English };
    let prompt = Prompt::default_for(language);
    let section = |section: Section| PromptSection { name: section.name, headings: section.headings };
    DefaultPrompt {
        system: prompt.system,
        user: prompt.user,
        repair: prompt.repair,
        sections: sections_named_in(language).into_iter().map(section).collect(),
    }
}
