//! Reads a message in any dialect, detected by its shape; and what precedes the messages of a request body.

use palimpsest_core::failure::forms::STATUSES;

use super::{ReadMessage, blocks, gemini, items, langchain, usage};
use crate::{Json, Message, Notes, Part, Request, Role};

pub(crate) fn is_message(value: &Json<'_>) -> bool {
    let roles = ["user", "assistant", "system", "developer", "tool", "toolResult", "model", "function"];
    let has_role = value.str("role").is_some_and(|role| roles.contains(&role));
    let has_content = ["content", "parts", "tool_calls", "toolInvocations"].into_iter().any(|key| value.has(key));
    let is_item = is_item_type(value) && value.has("id");
    (has_role && has_content)
        || langchain::kind(value).is_some()
        || is_item
        || value.has("call_id")
        || value.has("callId")
}

/// Reads one message; anything else is left out, with a note that says what was `expected`.
pub(crate) fn read_expected(value: Json<'_>, expected: &str, notes: &mut Notes) -> Option<ReadMessage> {
    let read = read(value, notes);
    if read.is_none() {
        notes.incomplete(expected);
    }
    read
}

pub(crate) fn read(mut value: Json<'_>, notes: &mut Notes) -> Option<ReadMessage> {
    if langchain::kind(&value).is_some() && !value.has("role") {
        return langchain::message(value, notes);
    }
    let time_keys = ["timestamp", "ts", "createdAt", "created_at", "time"];
    let at_ms = time_keys.into_iter().find_map(|key| value.time_ms(key));
    let usage = ["usage", "usageMetadata"].into_iter().find_map(|key| usage::read(value.get(key)));
    let model = value.model("model");
    let message = if value.get("parts").is_list() {
        gemini::content(value, at_ms, notes)
    } else if is_item_type(&value) {
        let (role, parts) = items::item(value, notes)?;
        Message::new(role, at_ms, parts)
    } else {
        read_by_role(&mut value, at_ms, notes)?
    };
    let answered = Request { model, usage, line: notes.line(), ..Request::default() };
    Some(ReadMessage { message, id: None, answered })
}

fn is_item_type(value: &Json<'_>) -> bool {
    value.str("type").is_some_and(|kind| kind == "reasoning" || items::is_call_or_output(kind))
}

pub(crate) fn role_of(name: &str) -> Role {
    match name {
        "system" => Role::System,
        "developer" => Role::Developer,
        "assistant" | "model" => Role::Assistant,
        "tool" | "toolResult" | "function" => Role::Tool,
        _ => Role::User,
    }
}

fn read_by_role(value: &mut Json<'_>, at_ms: Option<i64>, notes: &mut Notes) -> Option<Message> {
    let role = role_of(value.str("role")?);
    let content = value.take("content");
    let call_id = ["tool_call_id", "toolCallId"].into_iter().find_map(|key| value.take_string(key));
    if let Some(id) = call_id.filter(|_| role == Role::Tool) {
        let error_key = if value.has("is_error") { "is_error" } else { "isError" };
        let mut statuses = ["messageStatus", "status"].into_iter().filter_map(|key| value.str(key));
        let is_error = value.is_true(error_key) || statuses.any(|status| STATUSES.contains(&status));
        let content = blocks::result(content, notes);
        return Some(Message::new(role, at_ms, vec![Part::Result { id, content, is_error }]));
    }
    let reasoning = ["reasoning_content", "reasoning"].into_iter().find_map(|key| value.take_string(key));
    let reasoning = reasoning.filter(|text| !text.is_empty());
    let reasoning = reasoning.map(|text| Part::Reasoning { text, opaque: None });
    let calls = value.take_list("tool_calls").into_iter().map(tool_call);
    let parts = reasoning.into_iter().chain(blocks::parts(content, notes)).chain(calls).collect();
    Some(Message::new(role, at_ms, parts).results_as_tool())
}

/// Chat Completions: `{id, function: {name, arguments}}`, or a custom tool's plain text.
pub(crate) fn tool_call(mut call: Json<'_>) -> Part {
    let id = call.take_text("id");
    if call.has("custom") {
        let mut custom = call.take("custom");
        let (name, arguments) = (custom.take_text("name"), custom.take_text("input"));
        return Part::Call { id, name, arguments, free_text: true };
    }
    let mut function = call.take("function");
    let name = function.take_text("name");
    Part::Call { id, name, arguments: blocks::arguments(function.take("arguments")), free_text: false }
}

/// Tools and system prompt of a body, or of the `config` of Gemini's SDK; they precede the messages in the cache.
pub(crate) fn preamble(body: &mut Json<'_>, notes: &mut Notes) -> Vec<Message> {
    let mut config = body.take("config");
    let mut out = Vec::new();
    for holder in [&mut *body, &mut config] {
        let tools = holder.take("tools");
        if !tools.list().is_empty() {
            out.push(Message::new(Role::System, None, vec![Part::Tools(tools.to_text())]));
        }
    }
    for holder in [body, &mut config] {
        for key in ["system", "instructions", "systemInstruction"] {
            let mut system = holder.take(key);
            if system.has("parts") {
                system = system.take("parts");
            }
            let parts = gemini::parts(system, notes);
            if !parts.is_empty() {
                out.push(Message::new(Role::System, None, parts));
            }
        }
    }
    out
}
