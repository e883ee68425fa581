//! Decides what a response says: which field is its text, whether it calls tools or refuses, and its stop reason.
//! Clients pass responses in the forms of `OpenAI` (chat and responses), Anthropic, Gemini, Ollama and the AI SDK, or as a plain string.
//! [`paths`] lists all fields that are read, for callers that must not touch other fields of a foreign object.

use serde_json::Value;

use super::usage::{Usage, field_names};
use crate::message::PartKind;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    /// `None` if there is none, or the field holds something other than text.
    pub text: Option<String>,
    pub has_tool_calls: bool,
    /// The text of the provider's own field for refusals.
    pub refusal: Option<String>,
    /// In the provider's own spelling.
    pub finish_reason: Option<String>,
    /// The response's model, if it looks like a model name.
    pub model: Option<String>,
    pub usage: Usage,
}

/// Paths of a message in a response; the response itself may be the message.
const MESSAGES: [&str; 4] = ["", "choices.0.message.", "candidates.0.content.", "message."];
/// Fields of a message; `*` is each element of a list.
const IN_MESSAGE: [&str; 11] = [
    "content.*.type", "content.*.text", "content.*.thought", "parts.*.text", "parts.*.thought", "parts.*.functionCall",
    "text", "refusal", "tool_calls", "toolCalls", "function_call",
];
/// Fields of a response outside its message.
const IN_RESPONSE: [&str; 5] =
    ["model", "output_text", "output.*.type", "output.*.content.*.type", "output.*.content.*.text"];
/// Paths of the stop reason, in the order tried.
const STOP_REASONS: [&str; 8] = [
    "choices.0.finish_reason", "candidates.0.finishReason", "finish_reason", "finishReason", "stop_reason",
    "stopReason", "done_reason", "incomplete_details.reason",
];
const REPORTS: [&str; 3] = ["usage", "usageMetadata", "usage_metadata"];
const LONGEST_MODEL_NAME_BYTES: usize = 128;

/// All paths that [`read`] reads: dots before nested names, `0` for a list's first element, `*` for each element.
pub fn paths() -> impl Iterator<Item = String> {
    let in_messages =
        MESSAGES.iter().flat_map(|message| IN_MESSAGE.iter().map(move |field| [*message, *field].concat()));
    let in_response = IN_RESPONSE.iter().chain(&STOP_REASONS).map(|&path| path.to_owned());
    let reports = REPORTS.iter().flat_map(|report| field_names().map(move |figure| [report, ".", figure].concat()));
    in_messages.chain(in_response).chain(reports)
}

/// Never fails: a response of unknown form gives an empty [`Reply`]. O(response).
pub fn read(response: &Value) -> Reply {
    if let Value::String(text) = response {
        return Reply { text: Some(text.clone()), ..Reply::default() };
    }
    let message = MESSAGES.iter().skip(1).find_map(|path| value_at(response, path.trim_end_matches('.')));
    let message = message.filter(|message| message.is_object()).unwrap_or(response);
    let report = REPORTS.iter().find_map(|report| response.get(report).filter(|report| report.is_object()));
    Reply {
        text: text_in(message, response),
        has_tool_calls: calls_tools(message) || has_items(response, "toolCalls"),
        refusal: text_at(message, "refusal"),
        finish_reason: STOP_REASONS.iter().find_map(|path| text_at(response, path)),
        model: text_at(response, "model").filter(|name| is_model_name(name)),
        usage: report.map(Usage::of_json).unwrap_or_default(),
    }
}

fn text_in(message: &Value, response: &Value) -> Option<String> {
    let plain = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let content = message.get("content").and_then(text_of);
    content
        .or_else(|| message.get("parts").and_then(text_of))
        .or_else(|| plain(message.get("text")))
        .or_else(|| plain(response.get("output_text")))
        .or_else(|| {
            let items = response.get("output")?.as_array()?.iter();
            let texts: Vec<String> = items.filter_map(|item| text_of(item.get("content")?)).collect();
            (!texts.is_empty()).then(|| texts.concat())
        })
}

/// A text, or the texts among parts, without thinking.
fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let is_text = |part: &&Value| kind_of(part).is_none_or(|kind| kind == PartKind::Text);
            let is_thought = |part: &Value| part.get("thought") == Some(&Value::Bool(true));
            let parts = parts.iter().filter(|part| is_text(part) && !is_thought(part));
            let texts: Vec<&str> = parts.filter_map(|part| part.get("text")?.as_str()).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        _ => None,
    }
}

fn kind_of(part: &Value) -> Option<PartKind> {
    part.get("type")?.as_str().map(PartKind::of_type)
}

fn calls_tools(message: &Value) -> bool {
    let is_call =
        |part: &Value| kind_of(part) == Some(PartKind::Call) || part.get("functionCall").is_some_and(Value::is_object);
    let parts = ["content", "parts"].into_iter().filter_map(|field| message.get(field)?.as_array());
    has_items(message, "tool_calls")
        || message.get("function_call").is_some_and(is_something)
        || parts.flatten().any(is_call)
}

fn has_items(value: &Value, field: &str) -> bool {
    match value.get(field) {
        Some(Value::Array(items)) => !items.is_empty(),
        Some(other) => is_something(other),
        None => false,
    }
}

/// Truthiness as in JavaScript.
fn is_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Number(number) => number.as_f64() != Some(0.0),
        _ => true,
    }
}

fn value_at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let step = |value: &'v Value, name: &str| match name.parse::<usize>() {
        Ok(index) => value.as_array()?.get(index),
        Err(_) => value.get(name),
    };
    path.split('.').try_fold(value, step).filter(|found| !found.is_null())
}

fn text_at(value: &Value, path: &str) -> Option<String> {
    value_at(value, path)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn is_model_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:/@#+~-".contains(&byte);
    name.len() <= LONGEST_MODEL_NAME_BYTES && name.bytes().all(is_letter)
}

#[cfg(test)]
mod tests;
