//! Decides whether a body is an answer in its endpoint's style, or an error with a success status.

use palimpsest_core::provider;
use palimpsest_core::provider::answer::Reply;
use palimpsest_core::provider::usage::Usage;
use serde_json::Value;

use crate::endpoint::Style;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelAnswer {
    /// Empty if the model wrote no text or only called tools.
    pub content: String,
    /// `stop`, `length`, `tool_calls`, `refusal`, `content_filter`; a provider's own word if it has no equivalent here.
    pub finish_reason: Option<String>,
    pub refusal: Option<String>,
    pub model: Option<String>,
    pub usage: Usage,
    pub request_id: Option<String>,
}

/// `None` if `body` isn't an answer in the endpoint's style.
pub fn read(body: &Value, style: Style) -> Option<ModelAnswer> {
    let is_answer = match style {
        Style::OpenAi => body.pointer("/choices/0/message").is_some_and(Value::is_object),
        Style::Anthropic => body.get("content").is_some_and(Value::is_array),
    };
    let reply = is_answer.then(|| provider::answer::read(body))?;
    Some(ModelAnswer {
        finish_reason: finish_reason(&reply).map(str::to_owned),
        content: reply.text.unwrap_or_default(),
        refusal: reply.refusal,
        model: text_at(body, "model"),
        usage: reply.usage,
        request_id: None,
    })
}

fn finish_reason(reply: &Reply) -> Option<&str> {
    match reply.finish_reason.as_deref() {
        _ if reply.refusal.is_some() => Some("refusal"),
        Some("function_call" | "tool_use") => Some("tool_calls"),
        // Some servers return `stop` with tool calls.
        Some("stop") | None if reply.has_tool_calls => Some("tool_calls"),
        Some("end_turn" | "stop_sequence") => Some("stop"),
        Some("max_tokens" | "model_context_window_exceeded") => Some("length"),
        other => other,
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaint {
    /// A word such as `rate_limit_exceeded`.
    pub code: Option<String>,
    pub message: String,
    pub parameter: Option<String>,
    /// The status that a response with a success status names in its body.
    pub status: Option<u16>,
}

/// The error in `body`; `None` if it contains none, which does not make it an answer.
pub fn complaint(body: &Value) -> Option<Complaint> {
    let error_at = |pointer: &str| body.pointer(pointer).filter(|error| !is_blank(error));
    if let Some(error) = error_at("/error") {
        return Some(read_complaint(error));
    }
    // Some gateways return a list with one element.
    if let Value::Array(list) = body {
        return complaint(list.first()?);
    }
    let is_error_itself = ["type", "object"].iter().any(|key| body.get(key).and_then(Value::as_str) == Some("error"));
    let error = if is_error_itself { body } else { error_at("/choices/0/error")? };
    Some(read_complaint(error))
}

/// True for an `error` field without an error: some servers send one with every answer.
fn is_blank(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

pub fn read_complaint(error: &Value) -> Complaint {
    let first_text = |keys: [&str; 3]| keys.iter().find_map(|key| text_at(error, key));
    let message = error.as_str().map(str::to_owned).or_else(|| first_text(["message", "detail", "error"]));
    let status = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    Complaint {
        code: first_text(["code", "type", "status"]).filter(|code| is_word(code)),
        message: message.unwrap_or_default(),
        parameter: text_at(error, "param"),
        status: status.filter(|status| (400..600).contains(status)),
    }
}

/// True for a code, false for a sentence: sentences may quote the prompt.
fn is_word(text: &str) -> bool {
    text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

fn text_at(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
