//! The language in which texts for the user and the model are written.

use napi_derive::napi;
use palimpsest_core::compression::message::{ChatMessage, ChatRole};
use palimpsest_core::compression::summary::prompt::{language_of, users_language_of};
use palimpsest_core::results::Language;

/// The language of the user's words or, if these don't determine it, of the model's.
#[napi(catch_unwind)]
pub fn spoken_language(user: Vec<String>, model: Vec<String>) -> &'static str {
    let mut messages = said_by(ChatRole::User, user);
    messages.extend(said_by(ChatRole::Assistant, model));
    language_of(&messages).tag()
}

/// The language of the user's own words; undefined if it can't be determined.
#[napi(catch_unwind)]
pub fn users_language(user: Vec<String>) -> Option<&'static str> {
    users_language_of(&said_by(ChatRole::User, user)).map(Language::tag)
}

fn said_by(role: ChatRole, texts: Vec<String>) -> Vec<ChatMessage> {
    texts.into_iter().map(|text| ChatMessage { role, text, ..ChatMessage::default() }).collect()
}

/// The JavaScript side has checked the tag.
pub fn language(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_tag).unwrap_or_default()
}
