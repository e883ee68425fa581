//! Gemini's `generateContent`.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{is_system, plain, system_and_tools, value_of};
use crate::model::{MediaSource, Message, Part, Role};

pub(super) fn body(messages: &[&Message]) -> Value {
    let (system, tools) = system_and_tools(messages);
    let mut body = Map::new();
    if !system.is_empty() {
        body.insert("systemInstruction".to_owned(), json!({"parts": [{"text": system}]}));
    }
    if let Some(tools) = tools {
        body.insert("tools".to_owned(), tools);
    }
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut contents = Vec::new();
    for message in messages.iter().filter(|message| !is_system(message)) {
        for part in &message.parts {
            if let Part::Call { id, name, .. } = part {
                names.insert(id, name);
            }
        }
        let role = if message.role == Role::Assistant { "model" } else { "user" };
        let parts: Vec<Value> = message.parts.iter().map(|value| part(value, &names)).collect();
        contents.push(json!({"role": role, "parts": parts}));
    }
    body.insert("contents".to_owned(), contents.into());
    Value::Object(body)
}

fn part(part: &Part, names: &HashMap<&str, &str>) -> Value {
    match part {
        Part::Text(text) => json!({"text": text}),
        Part::Reasoning { text, opaque } => {
            json!({"text": text, "thought": true, "thoughtSignature": opaque})
        }
        Part::Call { id, name, arguments, free_text } => {
            let args = if *free_text { json!({"input": arguments}) } else { value_of(arguments) };
            json!({"functionCall": {"id": id, "name": name, "args": args}})
        }
        Part::Result { id, content, is_error } => {
            let name = names.get(id.as_str()).copied().unwrap_or_default();
            let response =
                if *is_error { json!({"error": plain(content)}) } else { json!({"output": plain(content)}) };
            json!({"functionResponse": {"id": id, "name": name, "response": response}})
        }
        Part::Media(media) => match &media.source {
            MediaSource::Base64(data) => json!({"inlineData": {"mimeType": media.media_type, "data": data}}),
            MediaSource::Reference(url) => {
                json!({"fileData": {"mimeType": media.media_type, "fileUri": url}})
            }
        },
        Part::Tools(json) | Part::Other { json, .. } => value_of(json),
    }
}
