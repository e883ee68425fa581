//! OpenAI's Responses API: an item for each part that isn't text.

use serde_json::{Map, Value, json};

use super::{is_system, plain, system_and_tools, url_of, value_of};
use crate::model::{MediaKind, Message, Part, Role};

pub(super) fn body(messages: &[&Message]) -> Value {
    let mut body = Map::new();
    // Only what stands in front is the instructions; developers' messages are items.
    let system: Vec<&Message> =
        messages.iter().copied().filter(|message| message.role == Role::System).collect();
    let (instructions, tools) = system_and_tools(&system);
    if !instructions.is_empty() {
        body.insert("instructions".to_owned(), instructions.into());
    }
    if let Some(tools) = tools {
        body.insert("tools".to_owned(), tools);
    }
    let said = messages.iter().filter(|message| message.role != Role::System);
    body.insert("input".to_owned(), said.flat_map(|message| items(message)).collect());
    Value::Object(body)
}

fn items(message: &Message) -> Vec<Value> {
    let mut out = Vec::new();
    let mut content = Vec::new();
    for part in &message.parts {
        if let Some(block) = block(part, message.role) {
            content.push(block);
            continue;
        }
        flush(&mut out, &mut content, message);
        out.extend(item(part));
    }
    flush(&mut out, &mut content, message);
    out
}

fn flush(out: &mut Vec<Value>, content: &mut Vec<Value>, message: &Message) {
    if content.is_empty() {
        return;
    }
    let role = match message.role {
        Role::Assistant => "assistant",
        _ if is_system(message) => "developer",
        _ => "user",
    };
    out.push(json!({"type": "message", "role": role, "content": std::mem::take(content)}));
}

fn block(part: &Part, role: Role) -> Option<Value> {
    let kind = if role == Role::Assistant { "output_text" } else { "input_text" };
    match part {
        Part::Text(text) => Some(json!({"type": kind, "text": text})),
        Part::Media(media) if media.kind == MediaKind::Image => {
            Some(json!({"type": "input_image", "image_url": url_of(media)}))
        }
        Part::Media(media) => Some(json!({"type": "input_file", "file_data": url_of(media)})),
        _ => None,
    }
}

fn item(part: &Part) -> Option<Value> {
    match part {
        Part::Reasoning { text, opaque } => {
            let summary =
                if text.is_empty() { json!([]) } else { json!([{"type": "summary_text", "text": text}]) };
            Some(json!({"type": "reasoning", "summary": summary, "encrypted_content": opaque}))
        }
        Part::Call { id, name, arguments, free_text: true } => {
            Some(json!({"type": "custom_tool_call", "call_id": id, "name": name, "input": arguments}))
        }
        Part::Call { id, name, arguments, free_text: false } => {
            Some(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}))
        }
        Part::Result { id, content, .. } => {
            Some(json!({"type": "function_call_output", "call_id": id, "output": plain(content)}))
        }
        Part::Other { json, .. } => Some(value_of(json)),
        Part::Text(_) | Part::Media(_) | Part::Tools(_) => None,
    }
}
