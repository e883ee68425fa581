//! Gemini's `Content`: a role and parts, whose kind is given by their field.

use super::blocks;
use crate::{Json, Media, MediaKind, MediaSource, Message, Notes, Part, Role};

/// Reads one `Content`; with results only, it is a tool message.
pub(crate) fn content(mut content: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) -> Message {
    let role = if content.str("role") == Some("model") { Role::Assistant } else { Role::User };
    Message::new(role, at_ms, parts(content.take("parts"), notes)).results_as_tool()
}

pub(crate) fn parts(value: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    match value {
        Json::Text(_) | Json::Null => blocks::parts(value, notes),
        value => value.into_values().into_iter().map(|value| part(value, notes)).collect(),
    }
}

fn part(mut value: Json<'_>, notes: &mut Notes) -> Part {
    if let Json::Text(text) = value {
        return Part::Text(text.into_owned());
    }
    if value.has("functionCall") {
        return blocks::call_in(value.take("functionCall"), ["id", "name", "args"]);
    }
    if value.has("functionResponse") {
        return response(value.take("functionResponse"));
    }
    if value.has("text") {
        let text = value.take_text("text");
        let thought = value.is_true("thought");
        let opaque = value.take_string("thoughtSignature");
        return if thought { Part::Reasoning { text, opaque } } else { Part::Text(text) };
    }
    if value.has("inlineData") || value.has("fileData") {
        return media(value);
    }
    let first = value.fields().first().map(|(key, _)| key.clone().into_owned());
    notes.unknown_part(first.as_deref());
    blocks::other(first.as_deref(), &value)
}

pub(crate) fn response(mut response: Json<'_>) -> Part {
    let id = response.take_text("id");
    let mut body = response.take("response");
    let is_error = body.has("error");
    let text = if body.has("output") { body.take("output").into_plain() } else { body.into_plain() };
    Part::Result { id, content: vec![Part::Text(text)], is_error }
}

fn media(mut value: Json<'_>) -> Part {
    let inline = value.has("inlineData");
    let mut holder = value.take(if inline { "inlineData" } else { "fileData" });
    let media_type = holder.take_string("mimeType");
    let is_image = media_type.as_ref().is_some_and(|kind| kind.starts_with("image/"));
    let source = if inline {
        MediaSource::Base64(holder.take_text("data"))
    } else {
        MediaSource::Reference(holder.take_text("fileUri"))
    };
    Part::Media(Media { kind: if is_image { MediaKind::Image } else { MediaKind::File }, media_type, source })
}
