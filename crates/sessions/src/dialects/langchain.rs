//! LangChain's messages, as LangGraph stores them or as the library serialises them.

use super::{blocks, usage};
use crate::json::Json;
use crate::model::{Message, Part, Role};
use crate::notes::Notes;
use crate::times::time_ms;
use crate::usage::Usage;

/// A message, and what its request reported.
pub(crate) struct LangChainMessage {
    pub(crate) message: Message,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
}

/// The `type` of a message, or of the class that the library names in `id`.
pub(crate) fn kind<'m>(message: &'m Json<'_>) -> Option<&'m str> {
    let class = message.get("id").list().last().and_then(Json::as_str);
    let kind = match class {
        Some(class) if message.has("lc") => class,
        _ => message.str("type")?,
    };
    let known = ["human", "ai", "tool", "system", "function", "developer"];
    let classes = ["HumanMessage", "AIMessage", "AIMessageChunk", "ToolMessage", "SystemMessage"];
    (known.contains(&kind) || classes.contains(&kind)).then_some(kind)
}

pub(crate) fn message(mut message: Json<'_>, notes: &mut Notes) -> Option<LangChainMessage> {
    let role = match kind(&message)? {
        "human" | "HumanMessage" => Role::User,
        "ai" | "AIMessage" | "AIMessageChunk" => Role::Assistant,
        "system" | "SystemMessage" | "developer" => Role::System,
        _ => Role::Tool,
    };
    for wrapping in ["kwargs", "data"] {
        if message.get(wrapping).is_object() {
            message = message.take(wrapping);
        }
    }
    let at_ms = message.str("id").and_then(run_time_ms).or_else(|| time_ms(message.get("created_at")));
    let usage = usage::usage(message.get("usage_metadata"));
    let model = message.at(&["response_metadata", "model_name"]).as_str().map(str::to_owned);
    let mut parts = Vec::new();
    let extra = message.take("additional_kwargs");
    if let Some(text) = extra.string("reasoning_content") {
        parts.push(Part::Reasoning { text, opaque: None });
    }
    let calls = message.take("tool_calls").into_list();
    let mut content = blocks::parts(message.take("content"), notes);
    if !calls.is_empty() {
        // Providers' own blocks repeat the calls that LangChain lists.
        content.retain(|part| !matches!(part, Part::Call { .. }));
    }
    if role == Role::Tool {
        let id = message.take("tool_call_id").into_string().unwrap_or_default();
        let is_error = message.str("status") == Some("error");
        return Some(LangChainMessage {
            message: Message::new(role, at_ms, vec![Part::Result { id, content, is_error }]),
            usage,
            model,
        });
    }
    parts.extend(content);
    parts.extend(calls.into_iter().map(call));
    Some(LangChainMessage { message: Message::new(role, at_ms, parts), usage, model })
}

fn call(mut call: Json<'_>) -> Part {
    let owned = |value: Json<'_>| value.into_string().unwrap_or_default();
    let arguments = blocks::arguments(call.take("args"));
    Part::Call { id: owned(call.take("id")), name: owned(call.take("name")), arguments, free_text: false }
}

/// `lc_run--<UUID version 7>`: its first 48 bits are milliseconds since 1970.
fn run_time_ms(id: &str) -> Option<i64> {
    let uuid = id.strip_prefix("lc_run--")?;
    let digits: String = uuid.chars().filter(char::is_ascii_hexdigit).collect();
    let version = digits.chars().nth(12)?;
    (version == '7').then_some(())?;
    i64::from_str_radix(digits.get(..12)?, 16).ok()
}
