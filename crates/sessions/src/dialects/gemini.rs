//! Gemini's `Content`: a role and parts, whose kind is given by their field.

use super::blocks;
use crate::json::Json;
use crate::model::{Media, MediaKind, MediaSource, Message, Part, Role};
use crate::notes::Notes;

/// Reads one `Content`; with results only, it is a tool message.
pub(crate) fn content(mut content: Json<'_>, at_ms: Option<i64>, notes: &mut Notes) -> Message {
    let model = content.str("role") == Some("model");
    let parts = parts(content.take("parts"), notes);
    let results = !parts.is_empty() && parts.iter().all(|part| matches!(part, Part::Result { .. }));
    let role = match (model, results) {
        (true, _) => Role::Assistant,
        (false, true) => Role::Tool,
        (false, false) => Role::User,
    };
    Message::new(role, at_ms, parts)
}

/// A string, one part or a list of parts.
pub(crate) fn parts(value: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    match value {
        Json::Text(text) if text.is_empty() => Vec::new(),
        Json::Text(text) => vec![Part::Text(text.into_owned())],
        Json::List(parts) => parts.into_iter().map(|value| part(value, notes)).collect(),
        Json::Null => Vec::new(),
        value => vec![part(value, notes)],
    }
}

fn part(mut value: Json<'_>, notes: &mut Notes) -> Part {
    if let Json::Text(text) = value {
        return Part::Text(text.into_owned());
    }
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    if value.has("functionCall") {
        let mut call = value.take("functionCall");
        let (id, name) = (owned(call.take("id")), owned(call.take("name")));
        return Part::Call { id, name, arguments: blocks::arguments(call.take("args")), free_text: false };
    }
    if value.has("functionResponse") {
        return response(value.take("functionResponse"));
    }
    if value.has("text") {
        let text = owned(value.take("text"));
        let thought = value.is_true("thought");
        let opaque = value.take("thoughtSignature").into_string();
        return if thought { Part::Reasoning { text, opaque } } else { Part::Text(text) };
    }
    if value.has("inlineData") || value.has("fileData") {
        return media(value);
    }
    let first = value.fields().first().map(|(key, _)| key.clone().into_owned());
    notes.unknown_part(first.as_deref());
    blocks::other(first.as_deref(), &value)
}

/// A function response; its text is `output` if present, else the whole object.
pub(crate) fn response(mut response: Json<'_>) -> Part {
    let id = response.take("id").into_string().unwrap_or_default();
    let mut body = response.take("response");
    let is_error = body.has("error");
    let text = if body.has("output") { body.take("output").into_plain() } else { body.into_plain() };
    Part::Result { id, content: vec![Part::Text(text)], is_error }
}

fn media(mut value: Json<'_>) -> Part {
    let inline = value.has("inlineData");
    let mut data = value.take(if inline { "inlineData" } else { "fileData" });
    let media_type = data.take("mimeType").into_string();
    let image = media_type.as_ref().is_some_and(|kind| kind.starts_with("image/"));
    let place = data.take(if inline { "data" } else { "fileUri" }).into_string().unwrap_or_default();
    Part::Media(Media {
        kind: if image { MediaKind::Image } else { MediaKind::File },
        media_type,
        source: if inline { MediaSource::Base64(place) } else { MediaSource::Reference(place) },
    })
}
