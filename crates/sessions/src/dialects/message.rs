//! Reads a message in Anthropic's, Chat Completions', the AI SDK's or Gemini's form, detected by shape.

use palimpsest_core::failure::forms::STATUSES;

use super::{blocks, gemini, items, langchain, usage};
use crate::json::Json;
use crate::model::{Message, Part, Role};
use crate::notes::Notes;
use crate::times::time_ms;
use palimpsest_core::provider::usage::Usage;

/// A message, and its request's usage and model.
pub(crate) struct ReadMessage {
    pub(crate) message: Message,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
}

/// True for an object that is a message in one of the forms.
pub(crate) fn is_message(value: &Json<'_>) -> bool {
    let roles = ["user", "assistant", "system", "developer", "tool", "toolResult", "model", "function"];
    let by_role = value.str("role").is_some_and(|role| roles.contains(&role));
    let has_content =
        ["content", "parts", "tool_calls", "toolInvocations"].into_iter().any(|key| value.has(key));
    let item = value.str("type").is_some_and(|kind| kind == "reasoning" || items::is_of_call(kind))
        && value.has("id");
    (by_role && has_content)
        || langchain::kind(value).is_some()
        || item
        || value.has("call_id")
        || value.has("callId")
}

/// Reads one message; `None` if it is not a message.
pub(crate) fn message(mut value: Json<'_>, notes: &mut Notes) -> Option<ReadMessage> {
    if langchain::kind(&value).is_some() && !value.has("role") {
        let read = langchain::message(value, notes)?;
        return Some(ReadMessage { message: read.message, usage: read.usage, model: read.model });
    }
    let at_ms = ["timestamp", "ts", "createdAt", "created_at", "time"].into_iter();
    let at_ms = at_ms.map(|key| value.get(key)).find_map(time_ms);
    let usage = ["usage", "usageMetadata"].into_iter().find_map(|key| usage::read(value.get(key)));
    let model = value.string("model");
    let message = if value.get("parts").is_list() {
        gemini::content(value, at_ms, notes)
    } else if value.str("type").is_some_and(|kind| kind == "reasoning" || items::is_of_call(kind)) {
        let (role, parts) = items::item(value, notes)?;
        Message::new(role, at_ms, parts)
    } else {
        by_role(&mut value, at_ms, notes)?
    };
    Some(ReadMessage { message, usage, model })
}

fn by_role(value: &mut Json<'_>, at_ms: Option<i64>, notes: &mut Notes) -> Option<Message> {
    let role = match value.str("role")? {
        "system" => Role::System,
        "developer" => Role::Developer,
        "assistant" | "model" => Role::Assistant,
        "tool" | "toolResult" | "function" => Role::Tool,
        _ => Role::User,
    };
    let content = value.take("content");
    let answered = ["tool_call_id", "toolCallId"].into_iter().find_map(|key| value.take(key).into_string());
    if let Some(id) = answered.filter(|_| role == Role::Tool) {
        let mark = if value.has("is_error") { "is_error" } else { "isError" };
        let statuses = ["messageStatus", "status"].into_iter().filter_map(|key| value.str(key));
        let failed = value.is_true(mark) || statuses.into_iter().any(|status| STATUSES.contains(&status));
        let content = blocks::result(content, notes);
        return Some(Message::new(role, at_ms, vec![Part::Result { id, content, is_error: failed }]));
    }
    let mut parts = Vec::new();
    let reasoning =
        ["reasoning_content", "reasoning"].into_iter().find_map(|key| value.take(key).into_string());
    if let Some(text) = reasoning.filter(|text| !text.is_empty()) {
        parts.push(Part::Reasoning { text, opaque: None });
    }
    parts.extend(blocks::parts(content, notes));
    parts.extend(value.take("tool_calls").into_list().into_iter().map(tool_call));
    let results = !parts.is_empty() && parts.iter().all(|part| matches!(part, Part::Result { .. }));
    let role = if results && role == Role::User { Role::Tool } else { role };
    Some(Message::new(role, at_ms, parts))
}

/// Chat Completions: `{id, function: {name, arguments}}`, or a custom tool's plain text.
pub(crate) fn tool_call(mut call: Json<'_>) -> Part {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    let id = owned(call.take("id"));
    if call.has("custom") {
        let mut custom = call.take("custom");
        let (name, arguments) = (owned(custom.take("name")), owned(custom.take("input")));
        return Part::Call { id, name, arguments, free_text: true };
    }
    let mut function = call.take("function");
    let name = owned(function.take("name"));
    Part::Call { id, name, arguments: blocks::arguments(function.take("arguments")), free_text: false }
}
