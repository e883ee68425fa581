//! OpenAI's Chat Completions.

use serde_json::{Map, Value, json};

use super::{plain, url_of, value_of};
use crate::model::{MediaKind, Message, Part, Role};

pub(super) fn body(messages: &[&Message]) -> Value {
    let mut body = Map::new();
    let tools = messages.iter().flat_map(|message| &message.parts).find_map(|part| match part {
        Part::Tools(json) => Some(value_of(json)),
        _ => None,
    });
    body.insert("messages".to_owned(), messages.iter().flat_map(|message| several(message)).collect());
    if let Some(tools) = tools {
        body.insert("tools".to_owned(), tools);
    }
    Value::Object(body)
}

/// A message of several results is as many messages here.
pub(super) fn several(message: &Message) -> Vec<Value> {
    let mut out: Vec<Value> = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Result { id, content, .. } => {
                Some(json!({"role": "tool", "tool_call_id": id, "content": plain(content)}))
            }
            _ => None,
        })
        .collect();
    let content: Vec<Value> = message.parts.iter().filter_map(content).collect();
    let calls: Vec<Value> = message.parts.iter().filter_map(call).collect();
    if !content.is_empty() || !calls.is_empty() {
        out.push(Value::Object(said(message, content, calls)));
    }
    out
}

fn said(message: &Message, content: Vec<Value>, calls: Vec<Value>) -> Map<String, Value> {
    let role = match message.role {
        Role::System => "system",
        Role::Developer => "developer",
        Role::Assistant => "assistant",
        Role::User | Role::Tool => "user",
    };
    let mut said = Map::new();
    said.insert("role".to_owned(), role.into());
    said.insert("content".to_owned(), if content.is_empty() { Value::Null } else { content.into() });
    let reasoning = message.parts.iter().find_map(|part| match part {
        Part::Reasoning { text, .. } if !text.is_empty() => Some(text),
        _ => None,
    });
    if let Some(text) = reasoning {
        said.insert("reasoning_content".to_owned(), text.as_str().into());
    }
    if !calls.is_empty() {
        said.insert("tool_calls".to_owned(), calls.into());
    }
    said
}

fn content(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) => Some(json!({"type": "text", "text": text})),
        Part::Media(media) if media.kind == MediaKind::Image => {
            Some(json!({"type": "image_url", "image_url": {"url": url_of(media)}}))
        }
        Part::Media(media) => Some(json!({"type": "file", "file": {"file_data": url_of(media)}})),
        Part::Other { json, .. } => Some(value_of(json)),
        _ => None,
    }
}

fn call(part: &Part) -> Option<Value> {
    match part {
        Part::Call { id, name, arguments, free_text: true } => {
            Some(json!({"id": id, "type": "custom", "custom": {"name": name, "input": arguments}}))
        }
        Part::Call { id, name, arguments, free_text: false } => {
            Some(json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
        }
        _ => None,
    }
}
