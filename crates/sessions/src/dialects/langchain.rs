//! LangChain messages, as stored by LangGraph or serialised by the library.

use palimpsest_core::failure::forms::STATUSES;

use super::{ReadMessage, blocks, usage};
use crate::{Json, Message, Notes, Part, Request, Role};

/// The fields in which stored forms keep a message: `{lc: 1, id, kwargs}` and `{type, data}`.
const WRAPPINGS: [&str; 2] = ["kwargs", "data"];
/// Fields in which applications store a message's time; LangChain has none.
const APPLICATION_TIME_HOLDERS: [&str; 3] = ["additional_kwargs", "response_metadata", "metadata"];
const APPLICATION_TIME_FIELDS: [&str; 4] = ["timestamp", "createdAt", "created_at", "ts"];

pub(crate) fn is_wrapped(message: &Json<'_>) -> bool {
    let is_serialised = message.has("lc") && message.get("kwargs").is_object();
    is_serialised || message.get("data").is_object()
}

/// The `type` of a message, from its field or its class in `id`; `None` if it is not a message with content.
pub(crate) fn kind<'m>(message: &'m Json<'_>) -> Option<&'m str> {
    let class = message.get("id").list().last().and_then(Json::as_str);
    let kind = match class {
        Some(class) if message.has("lc") => class.strip_suffix("Chunk").unwrap_or(class),
        _ if message.has("role") => return None,
        _ => message.str("type")?,
    };
    let known = ["human", "ai", "tool", "system", "function", "developer", "generic", "AIMessageChunk"];
    let classes = ["HumanMessage", "AIMessage", "ToolMessage", "SystemMessage", "FunctionMessage", "ChatMessage"];
    let body = WRAPPINGS.into_iter().map(|key| message.get(key)).find(|body| body.is_object()).unwrap_or(message);
    let content = body.get("content");
    let has_content = content.is_list() || content.as_str().is_some() || !body.get("tool_calls").list().is_empty();
    (has_content && (known.contains(&kind) || classes.contains(&kind))).then_some(kind)
}

pub(crate) fn message(mut message: Json<'_>, notes: &mut Notes) -> Option<ReadMessage> {
    let kind = kind(&message)?.to_owned();
    for wrapping in WRAPPINGS {
        if message.get(wrapping).is_object() {
            message = message.take(wrapping);
        }
    }
    let role = role_of(&kind, &message);
    let at_ms = message.str("id").and_then(run_id_ms).or_else(|| application_time_ms(&message));
    let metadata = message.get("response_metadata");
    let usage = usage::read(message.get("usage_metadata")).or_else(|| usage::read(metadata.get("usage")));
    let model = metadata.model("model_name").or_else(|| metadata.model("model"));
    let id = message.string("id");
    let answered = Request { model, usage, line: notes.line(), ..Request::default() };
    let reasoning = message.get("additional_kwargs").string("reasoning_content");
    let calls = message.take_list("tool_calls");
    let mut content = blocks::parts(message.take("content"), notes);
    if !calls.is_empty() {
        // Provider blocks repeat the calls in `tool_calls`.
        content.retain(|part| !matches!(part, Part::Call { .. }));
    }
    let parts = if role == Role::Tool {
        let call = message.take_text("tool_call_id");
        let is_error = message.str("status").is_some_and(|status| STATUSES.contains(&status));
        vec![Part::Result { id: call, content, is_error }]
    } else {
        let reasoning = reasoning.map(|text| Part::Reasoning { text, opaque: None });
        let calls = calls.into_iter().map(|call| blocks::call_in(call, ["id", "name", "args"]));
        reasoning.into_iter().chain(content).chain(calls).collect()
    };
    Some(ReadMessage { message: Message::new(role, at_ms, parts), id, answered })
}

fn role_of(kind: &str, message: &Json<'_>) -> Role {
    match kind {
        "human" | "HumanMessage" => Role::User,
        "ai" | "AIMessage" | "AIMessageChunk" => Role::Assistant,
        "system" | "SystemMessage" | "developer" => Role::System,
        // A message with an application-defined role.
        "generic" | "ChatMessage" => match message.str("role") {
            Some("assistant" | "ai") => Role::Assistant,
            Some("system" | "developer") => Role::System,
            _ => Role::User,
        },
        _ => Role::Tool,
    }
}

fn application_time_ms(message: &Json<'_>) -> Option<i64> {
    let holders = APPLICATION_TIME_HOLDERS.into_iter().map(|key| message.get(key));
    let mut holders = std::iter::once(message).chain(holders);
    holders.find_map(|holder| APPLICATION_TIME_FIELDS.into_iter().find_map(|key| holder.time_ms(key)))
}

/// Time of an id `lc_run--<UUID version 7>`, whose first 48 bits are milliseconds since 1970.
fn run_id_ms(id: &str) -> Option<i64> {
    let uuid = id.strip_prefix("lc_run--")?;
    let digits: String = uuid.chars().filter(char::is_ascii_hexdigit).collect();
    let (time, rest) = digits.split_at_checked(12)?;
    i64::from_str_radix(time, 16).ok().filter(|_| rest.starts_with('7'))
}
