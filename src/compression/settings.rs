//! Reads configuration and prompts as applications give them; detects the language for texts.

use napi::bindgen_prelude::{FromNapiValue, Result};
use napi::{Unknown, ValueType};
use napi_derive::napi;
use palimpsest_core::compression::message::{ChatMessage, ChatRole};
use palimpsest_core::compression::session::logged_once;
use palimpsest_core::compression::session::manager::ConversationInfo;
use palimpsest_core::compression::session::settings::Given;
use palimpsest_core::compression::summary::prompt::{
    PromptChanges, Section, SummaryPrompt, language_of, users_language_of,
};
use palimpsest_core::results::Language;

use crate::logging::LogEvent;
use crate::option_values::GivenOptions;
use crate::units::Utf16;

to_js! {
    DefaultPrompt from prompt: SummaryPrompt {
        system: String = prompt.system,
        user: String = prompt.user,
        repair: String = prompt.repair,
        sections: Vec<PromptSection> = prompt.sections.into_iter().map(Into::into).collect(),
    }

    PromptSection from section: Section {
        name: String = section.name,
        headings: Vec<String> = section.headings,
    }
}

/// The settings that the JavaScript side needs; the core keeps the rest.
#[napi(object, object_from_js = false)]
pub struct EffectiveSettings {
    pub enabled: bool,
    pub max_context_tokens: f64,
    pub events: Vec<LogEvent>,
}

#[napi(object, object_to_js = false)]
pub struct Unreadable {
    pub key: String,
    /// `promise`, the type of a value that is no section, or the code of the error.
    pub came: String,
}

#[napi(object, object_to_js = false)]
pub struct Findings {
    pub unreadable: Vec<Unreadable>,
    pub section_keys: Vec<String>,
    /// The keys of an object that holds settings by their flat names.
    pub flat_keys: Vec<String>,
}

impl From<Findings> for logged_once::ConfigurationFindings {
    fn from(Findings { unreadable, section_keys, flat_keys }: Findings) -> Self {
        let unreadable = unreadable.into_iter().map(|Unreadable { key, came }| (key, came)).collect();
        Self { unreadable, section_keys, flat_keys }
    }
}

/// What the JavaScript side knows about a conversation, in addition to settings.
#[napi(object, object_to_js = false)]
pub struct CallFacts {
    pub model: Option<String>,
    /// If no summary model is configured, the conversation's or the client's own is used.
    pub is_summariser: bool,
    pub most_threshold: Option<f64>,
}

impl From<CallFacts> for ConversationInfo {
    fn from(CallFacts { model, is_summariser, most_threshold }: CallFacts) -> Self {
        Self { model, is_summariser, max_threshold: most_threshold }
    }
}

pub fn read_value(value: &Unknown<'_>) -> Result<Given> {
    Ok(match value.get_type()? {
        ValueType::Undefined | ValueType::Null => Given::Missing,
        ValueType::Boolean => Given::Flag(bool::from_unknown(*value)?),
        ValueType::Number => Given::Number(f64::from_unknown(*value)?),
        ValueType::String => Given::Text(String::from_utf16_lossy(&Utf16::from_unknown(*value)?.0)),
        _ => Given::Other,
    })
}

/// `prompt`: `{system?, user?, repair?, sections?: {name, headings}[]}`.
pub fn read_prompt(prompt: &GivenOptions<'_>) -> Result<PromptChanges> {
    let section = |(index, value)| -> Result<Section> {
        let section = GivenOptions::new(prompt.env, value, format!("{}[{index}]", prompt.name("sections")))?;
        let headings = section.texts("headings")?.unwrap_or_default();
        let lower = |heading: Vec<u16>| String::from_utf16_lossy(&heading).to_lowercase();
        Ok(Section {
            name: String::from_utf16_lossy(&section.required_text("name")?),
            headings: headings.into_iter().map(lower).collect(),
        })
    };
    let sections = prompt.list("sections")?;
    Ok(PromptChanges {
        system: prompt.string("system")?,
        user: prompt.string("user")?,
        repair: prompt.string("repair")?,
        sections: sections.map(|list| list.into_iter().enumerate().map(section).collect()).transpose()?,
    })
}

#[napi(catch_unwind)]
pub fn default_summary_prompt(chinese: bool) -> DefaultPrompt {
    SummaryPrompt::default_for(if chinese { Language::Chinese } else { Language::English }).into()
}

/// The language of the user's words or, if these don't determine it, of the model's.
#[napi(catch_unwind)]
pub fn spoken_language(user: Vec<String>, model: Vec<String>) -> &'static str {
    let mut messages = said_by(ChatRole::User, user);
    messages.extend(said_by(ChatRole::Assistant, model));
    language_of(&messages).name()
}

/// The language of the user's own words; undefined if it can't be determined.
#[napi(catch_unwind)]
pub fn users_language(user: Vec<String>) -> Option<&'static str> {
    users_language_of(&said_by(ChatRole::User, user)).map(Language::name)
}

fn said_by(role: ChatRole, texts: Vec<String>) -> Vec<ChatMessage> {
    texts.into_iter().map(|text| ChatMessage { role, text, ..ChatMessage::default() }).collect()
}
