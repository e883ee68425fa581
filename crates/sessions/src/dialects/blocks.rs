//! Reads typed content blocks: Anthropic's, OpenAI's and the AI SDK's.

use palimpsest_core::failure::forms::TYPES;
use palimpsest_core::message::PartKind;

use crate::{Json, Media, MediaKind, MediaSource, Notes, Part};

pub(crate) fn parts(content: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    match content {
        Json::Null => Vec::new(),
        Json::Text(text) if text.is_empty() => Vec::new(),
        Json::Text(text) => vec![Part::Text(text.into_owned())],
        Json::List(blocks) => blocks.into_iter().map(|block| part(block, notes)).collect(),
        other_value => {
            notes.unknown_part(None);
            vec![other(None, &other_value)]
        }
    }
}

/// A part that no dialect knows; kept, so that it is counted and shown.
pub(crate) fn other(kind: Option<&str>, value: &Json<'_>) -> Part {
    Part::Other { kind: kind.unwrap_or_default().to_owned(), json: value.to_text() }
}

/// A call whose id, tool and arguments are in the named fields.
pub(crate) fn call_in(mut holder: Json<'_>, [id, name, input]: [&str; 3]) -> Part {
    let (id, name) = (holder.take_text(id), holder.take_text(name));
    Part::Call { id, name, arguments: arguments(holder.take(input)), free_text: false }
}

fn part(mut block: Json<'_>, notes: &mut Notes) -> Part {
    if let Json::Text(text) = block {
        return Part::Text(text.into_owned());
    }
    let name = block.string("type").unwrap_or_default();
    match PartKind::of_type(&name) {
        PartKind::Text => {
            let text = ["text", "refusal", "content"].into_iter().find_map(|key| block.take_string(key));
            Part::Text(text.unwrap_or_default())
        }
        PartKind::Thinking => reasoning(block),
        PartKind::Call => call(block),
        PartKind::Result if name.starts_with("tool-") => ai_sdk_result(block, notes),
        PartKind::Result => Part::Result {
            id: block.take_text("tool_use_id"),
            is_error: block.is_true("is_error"),
            content: result(block.take("content"), notes),
        },
        PartKind::Media if PartKind::is_image(&name) => media(MediaKind::Image, block),
        PartKind::Media => media(MediaKind::File, block),
        PartKind::Other => {
            notes.unknown_part(Some(&name));
            other(Some(&name), &block)
        }
    }
}

fn reasoning(mut block: Json<'_>) -> Part {
    let texts = ["thinking", "text", "think", "reasoning"].map(|key| block.take_string(key));
    let opaques = ["signature", "data", "thinkingSignature", "encrypted"].map(|key| block.take_string(key));
    Part::Reasoning {
        text: texts.into_iter().flatten().next().unwrap_or_default(),
        opaque: opaques.into_iter().flatten().find(|opaque| !opaque.is_empty()),
    }
}

fn call(block: Json<'_>) -> Part {
    let id = if block.has("toolCallId") { "toolCallId" } else { "id" };
    let name = if block.has("toolName") { "toolName" } else { "name" };
    let input = ["args", "arguments"].into_iter().find(|key| block.has(key)).unwrap_or("input");
    call_in(block, [id, name, input])
}

/// Arguments as JSON text; some agents store the text, others the parsed value.
pub(crate) fn arguments(value: Json<'_>) -> String {
    match value {
        Json::Text(text) => text.into_owned(),
        Json::Null => "{}".to_owned(),
        value => value.to_text(),
    }
}

/// A result's content. Results of server tools (an object or a list of typed objects) are kept unchanged.
pub(crate) fn result(content: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    let is_known = |name: &str| matches!(PartKind::of_type(name), PartKind::Text | PartKind::Media);
    match content {
        Json::List(blocks) => {
            let read = |block: Json<'_>, notes: &mut Notes| match block.str("type") {
                Some(name) if is_known(name) => part(block, notes),
                name => other(name, &block),
            };
            blocks.into_iter().map(|block| read(block, notes)).collect()
        }
        Json::Null => Vec::new(),
        object if object.str("type").is_some_and(is_known) => vec![part(object, notes)],
        plain => vec![Part::Text(plain.into_plain())],
    }
}

/// `output: {type, value}` since version 5, `result` before that.
fn ai_sdk_result(mut block: Json<'_>, notes: &mut Notes) -> Part {
    let id = block.take_text("toolCallId");
    let mut output = block.take("output");
    let kind = output.string("type").unwrap_or_default();
    let types = [Some(kind.as_str()), block.str("type")];
    let is_error = block.is_true("isError") || types.into_iter().flatten().any(|kind| TYPES.contains(&kind));
    let plain = match kind.as_str() {
        "content" => return Part::Result { id, content: result(output.take("value"), notes), is_error },
        "" if block.has("result") => block.take("result"),
        "" => output,
        _ => output.take("value"),
    };
    Part::Result { id, content: vec![Part::Text(plain.into_plain())], is_error }
}

/// An image or file; dialects keep it in `source`, `image_url`, `file` or `data`.
fn media(kind: MediaKind, mut block: Json<'_>) -> Part {
    let source = block.take("source");
    let nested = if source.is_object() { source } else { block.take("file") };
    let mut holder = if nested.is_object() { nested } else { block };
    let keys = ["media_type", "mediaType", "mimeType", "mime_type"];
    let media_type = keys.into_iter().find_map(|key| holder.take_string(key));
    if holder.str("type") == Some("text") {
        return Part::Text(holder.take_text("data"));
    }
    let mut url = holder.take("image_url");
    if url.is_object() {
        url = url.take("url");
    }
    if let Some(url) = url.into_string().or_else(|| holder.take_string("url")) {
        return media_of_url(kind, url);
    }
    // Attached text files are in the message as text.
    if let Some(text) = holder.take_string("content") {
        return Part::Text(text);
    }
    let data = ["data", "image", "file_data"].into_iter().find_map(|key| holder.take_string(key));
    let source = match data {
        Some(url) if url.starts_with("data:") || url.starts_with("http") => return media_of_url(kind, url),
        Some(data) => MediaSource::Base64(data),
        None => MediaSource::Reference(holder.take_text("file_id")),
    };
    Part::Media(Media { kind, media_type, source })
}

/// Parses `data:image/png;base64,…`; any other URL is kept as a reference.
pub(crate) fn media_of_url(kind: MediaKind, url: String) -> Part {
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let (media_type, source) = match data {
        Some((media_type, data)) => (Some(media_type.to_owned()), MediaSource::Base64(data.to_owned())),
        None => (None, MediaSource::Reference(url)),
    };
    Part::Media(Media { kind, media_type, source })
}
