//! Lists valid option values, so that the JavaScript side can check options before it calls the core.

use napi_derive::napi;
use palimpsest_core::cleanup::rules::subject::Subject;
use palimpsest_core::compression::message::{ChatMessage, ChatRole};
use palimpsest_core::compression::summary::prompt::{language_of, users_language_of};
use palimpsest_core::conversation::NOW_IN_SECONDS;
use palimpsest_core::output;
use palimpsest_core::results::Language;
use palimpsest_core::tokens::models::EstimatedIn;
use palimpsest_core::tokens::truncate;

use crate::option_values::LONGEST_LIST;
use crate::options::RULE_OPTIONS;

to_js! {
    #[doc = "The values of options that are words; the first is the default."]
    OptionChoices from (): () {
        language: Vec<&'static str> = Language::NAMES.to_vec(),
        estimated_in: Vec<&'static str> = EstimatedIn::NAMES.to_vec(),
        keep_tokens: Vec<&'static str> = truncate::Keep::NAMES.to_vec(),
        #[doc = "The default way, that of the original function, has no name."]
        keep_output: Vec<&'static str> = output::OutputKeep::NAMES.to_vec(),
    }
}

#[napi(catch_unwind)]
pub fn option_choices() -> OptionChoices {
    ().into()
}

to_js! {
    #[doc = "A preset, and whether it is active by default in `prepareMessages` and in a view."]
    PresetListing from preset: Subject {
        name: &'static str = preset.name(),
        in_prepare: bool = preset.is_on_in_prepare(),
        in_view: bool = true,
    }
}

/// The presets, in the order in which they are applied.
#[napi(catch_unwind)]
pub fn preset_defaults() -> Vec<PresetListing> {
    Subject::ALL.map(Into::into).into()
}

/// The names of a rule's options; the JavaScript side reads no others.
#[napi(catch_unwind)]
pub fn rule_option_names() -> Vec<&'static str> {
    RULE_OPTIONS.to_vec()
}

/// Two numbers: a current time between them is in seconds.
#[napi(catch_unwind)]
pub fn now_in_seconds() -> Vec<f64> {
    NOW_IN_SECONDS.to_vec()
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

#[napi(catch_unwind)]
pub fn longest_option_list() -> u32 {
    LONGEST_LIST
}

/// The JavaScript side has checked the tag.
pub fn language(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_name).unwrap_or_default()
}
