//! Anthropic's Messages API.

use serde_json::{Map, Value, json};

use super::{is_system, system_and_tools, value_of};
use crate::model::{Media, MediaKind, MediaSource, Message, Part, Role};

pub(super) fn body(messages: &[&Message]) -> Value {
    let (system, tools) = system_and_tools(messages);
    let mut body = Map::new();
    if !system.is_empty() {
        body.insert("system".to_owned(), system.into());
    }
    if let Some(tools) = tools {
        body.insert("tools".to_owned(), tools);
    }
    let said = messages.iter().filter(|message| !is_system(message));
    body.insert("messages".to_owned(), said.map(|message| one(message)).collect());
    Value::Object(body)
}

fn one(message: &Message) -> Value {
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let content: Vec<Value> = message.parts.iter().map(block).collect();
    json!({"role": role, "content": content})
}

fn block(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Reasoning { text, opaque } if text.is_empty() => {
            json!({"type": "redacted_thinking", "data": opaque})
        }
        Part::Reasoning { text, opaque } => {
            json!({"type": "thinking", "thinking": text, "signature": opaque})
        }
        Part::Call { id, name, arguments, free_text } => {
            let input = if *free_text { json!({"input": arguments}) } else { value_of(arguments) };
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        }
        Part::Result { id, content, is_error } => {
            let content: Vec<Value> = content.iter().map(block).collect();
            json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error})
        }
        Part::Media(media) => source(media),
        Part::Tools(json) | Part::Other { json, .. } => value_of(json),
    }
}

fn source(media: &Media) -> Value {
    let kind = if media.kind == MediaKind::Image { "image" } else { "document" };
    let source = match &media.source {
        MediaSource::Base64(data) => json!({"type": "base64", "media_type": media.media_type, "data": data}),
        MediaSource::Reference(url) => json!({"type": "url", "url": url}),
    };
    json!({"type": kind, "source": source})
}
