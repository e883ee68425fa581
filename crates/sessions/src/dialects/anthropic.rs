//! Anthropic's content blocks.

use super::other;
use crate::json::Json;
use crate::model::{Media, MediaKind, MediaSource, Part, Usage};
use crate::notes::Notes;

/// The parts of a message's `content`: a string, or a list of blocks.
pub(crate) fn parts(content: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    match content {
        Json::Text(text) => vec![Part::Text(text.into_owned())],
        Json::List(blocks) => blocks.into_iter().map(|block| part(block, notes)).collect(),
        Json::Null => Vec::new(),
        odd => vec![other(None, &odd)],
    }
}

fn part(mut block: Json<'_>, notes: &mut Notes) -> Part {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    match block.str("type").unwrap_or_default() {
        "text" => Part::Text(owned(block.take("text"))),
        "thinking" => {
            Part::Reasoning { text: owned(block.take("thinking")), opaque: block.take("signature").into_string() }
        }
        "redacted_thinking" => {
            Part::Reasoning { text: String::new(), opaque: block.take("data").into_string() }
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => Part::Call {
            id: owned(block.take("id")),
            name: owned(block.take("name")),
            arguments: block.take("input").to_text(),
            free_text: false,
        },
        "image" => media(MediaKind::Image, block.take("source")),
        "document" => media(MediaKind::File, block.take("source")),
        kind if kind.ends_with("tool_result") => Part::Result {
            id: owned(block.take("tool_use_id")),
            is_error: block.is_true("is_error"),
            content: result(block.take("content"), notes),
        },
        kind => {
            notes.unknown_part(Some(kind));
            other(Some(kind), &block)
        }
    }
}

/// A result's content; what a server tool answers is one object or a list of typed ones, kept as it is.
fn result(content: Json<'_>, notes: &mut Notes) -> Vec<Part> {
    let known = ["text", "image", "document"];
    match content {
        Json::List(blocks) => {
            let read = |block: Json<'_>, notes: &mut Notes| match block.str("type") {
                Some(kind) if known.contains(&kind) => part(block, notes),
                kind => other(kind, &block),
            };
            blocks.into_iter().map(|block| read(block, notes)).collect()
        }
        Json::Null => Vec::new(),
        plain => vec![Part::Text(plain.into_plain())],
    }
}

fn media(kind: MediaKind, mut source: Json<'_>) -> Part {
    let media_type = source.take("media_type").into_string();
    let place = match source.str("type") {
        Some("url") => MediaSource::Reference(source.take("url").into_string().unwrap_or_default()),
        Some("file") => MediaSource::Reference(source.take("file_id").into_string().unwrap_or_default()),
        Some("text") => return Part::Text(source.take("data").into_string().unwrap_or_default()),
        _ => MediaSource::Base64(source.take("data").into_string().unwrap_or_default()),
    };
    Part::Media(Media { kind, media_type, source: place })
}

/// Anthropic's `usage`, where no class includes another; `None` when it isn't there.
pub(crate) fn usage(usage: &Json<'_>) -> Option<Usage> {
    if !usage.is_object() {
        return None;
    }
    let written = usage.count("cache_creation_input_tokens");
    let by_lifetime = usage.get("cache_creation");
    let cache_write_5m = by_lifetime.count("ephemeral_5m_input_tokens");
    let cache_write_1h = by_lifetime.count("ephemeral_1h_input_tokens");
    Some(Usage {
        input: usage.count("input_tokens"),
        cache_read: usage.count("cache_read_input_tokens"),
        cache_write_5m,
        cache_write_1h,
        cache_write: written.saturating_sub(cache_write_5m.saturating_add(cache_write_1h)),
        output: usage.count("output_tokens"),
        reasoning: 0,
    })
}
