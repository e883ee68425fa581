//! Converts neutral messages to OpenAI's Chat Completions form, in which the web page of `palimpsest view` gets them.

use serde_json::{Map, Value, json};

use crate::model::{Media, MediaKind, MediaSource, Message, Part, Role};

/// Converts one message; each of its tool results becomes a message.
pub(crate) fn chat_messages(message: &Message) -> Vec<Value> {
    let result = |part: &Part| {
        let Part::Result { id, content, .. } = part else { return None };
        Some(json!({"role": "tool", "tool_call_id": id, "content": plain(content)}))
    };
    let mut out: Vec<Value> = message.parts.iter().filter_map(result).collect();
    let content: Vec<Value> = message.parts.iter().filter_map(content_block).collect();
    let calls: Vec<Value> = message.parts.iter().filter_map(tool_call).collect();
    if !content.is_empty() || !calls.is_empty() {
        out.push(Value::Object(chat_message(message, content, calls)));
    }
    out
}

fn chat_message(message: &Message, content: Vec<Value>, calls: Vec<Value>) -> Map<String, Value> {
    let role = match message.role {
        Role::System => "system",
        Role::Developer => "developer",
        Role::Assistant => "assistant",
        Role::User | Role::Tool => "user",
    };
    let content = if content.is_empty() { Value::Null } else { content.into() };
    let mut chat_message = Map::from_iter([("role".to_owned(), role.into()), ("content".to_owned(), content)]);
    let is_reasoning = |part: &&Part| matches!(part, Part::Reasoning { text, .. } if !text.is_empty());
    if let Some(Part::Reasoning { text, .. }) = message.parts.iter().find(is_reasoning) {
        chat_message.insert("reasoning_content".to_owned(), text.as_str().into());
    }
    if !calls.is_empty() {
        chat_message.insert("tool_calls".to_owned(), calls.into());
    }
    chat_message
}

fn content_block(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) => Some(json!({"type": "text", "text": text})),
        Part::Media(media) => Some(match media.kind {
            MediaKind::Image => json!({"type": "image_url", "image_url": {"url": url_of(media)}}),
            MediaKind::File => json!({"type": "file", "file": {"file_data": url_of(media)}}),
        }),
        Part::Other { json, .. } => Some(serde_json::from_str(json).unwrap_or_else(|_| Value::from(json.as_str()))),
        _ => None,
    }
}

fn tool_call(part: &Part) -> Option<Value> {
    let Part::Call { id, name, arguments, free_text } = part else { return None };
    Some(if *free_text {
        json!({"id": id, "type": "custom", "custom": {"name": name, "input": arguments}})
    } else {
        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
    })
}

fn plain(parts: &[Part]) -> String {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => text.as_str(),
        Part::Media(_) => "[image or file]",
        Part::Other { json, .. } => json.as_str(),
        _ => "",
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn url_of(media: &Media) -> String {
    match &media.source {
        MediaSource::Reference(url) => url.clone(),
        MediaSource::Base64(data) => {
            let media_type = media.media_type.as_deref().unwrap_or("application/octet-stream");
            format!("data:{media_type};base64,{data}")
        }
    }
}

#[cfg(test)]
mod tests;
