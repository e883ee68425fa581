//! Decides what a model said, in either style, and whether an answer is an error in disguise.

use serde_json::Value;

use crate::endpoint::Style;

/// What a model answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Its text; empty where it said nothing or only called tools.
    pub content: String,
    /// `stop`, `length`, `tool_calls`, `refusal`, `content_filter`; a provider's own word where it has no equal here.
    pub finish_reason: Option<String>,
    /// Why it refused.
    pub refusal: Option<String>,
    pub model: Option<String>,
    pub usage: Option<Usage>,
    pub request_id: Option<String>,
}

/// What a request has cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// The whole prompt, what was read from or written to the cache included.
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
}

/// The answer in `body`; `None` when it isn't one.
pub fn read(body: &Value, style: Style) -> Option<Answer> {
    let answer = match style {
        Style::OpenAi => openai(body)?,
        Style::Anthropic => anthropic(body)?,
    };
    let model = text_at(body, "model");
    Some(Answer { model, usage: usage(body.get("usage")), ..answer })
}

fn openai(body: &Value) -> Option<Answer> {
    let choice = body.get("choices")?.as_array()?.first()?;
    let message = choice.get("message")?.as_object()?;
    let content = text_of(message.get("content"));
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|refusal| !refusal.is_empty());
    let calls = message.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| !calls.is_empty());
    let said = choice.get("finish_reason").and_then(Value::as_str);
    let finish_reason = match said {
        _ if refusal.is_some() => Some("refusal"),
        // Some servers say `stop` and call tools all the same.
        Some("function_call") => Some("tool_calls"),
        Some("stop") | None if calls => Some("tool_calls"),
        said => said,
    };
    Some(Answer {
        content,
        finish_reason: finish_reason.map(str::to_owned),
        refusal: refusal.map(str::to_owned),
        ..Answer::default()
    })
}

fn anthropic(body: &Value) -> Option<Answer> {
    let blocks = body.get("content").filter(|content| content.is_array());
    let finish_reason = match body.get("stop_reason").and_then(Value::as_str) {
        Some("end_turn" | "stop_sequence") => Some("stop"),
        Some("max_tokens" | "model_context_window_exceeded") => Some("length"),
        Some("tool_use") => Some("tool_calls"),
        said => said,
    };
    let content = text_of(Some(blocks?));
    Some(Answer { content, finish_reason: finish_reason.map(str::to_owned), ..Answer::default() })
}

/// Text, or the text blocks among the parts: thinking isn't part of what was said.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(text_of_part).collect(),
        _ => String::new(),
    }
}

fn text_of_part(part: &Value) -> Option<&str> {
    let is_text = matches!(part.get("type").and_then(Value::as_str), None | Some("text" | "output_text"));
    part.get("text").filter(|_| is_text)?.as_str()
}

fn usage(usage: Option<&Value>) -> Option<Usage> {
    let usage = usage?;
    let count = |key: &str| usage.get(key).and_then(Value::as_u64);
    let cached = count("cache_creation_input_tokens")
        .unwrap_or(0)
        .saturating_add(count("cache_read_input_tokens").unwrap_or(0));
    let prompt_tokens =
        count("prompt_tokens").or_else(|| count("input_tokens").map(|fresh| fresh.saturating_add(cached)));
    let completion_tokens = count("completion_tokens").or_else(|| count("output_tokens"));
    Some(Usage { prompt_tokens: prompt_tokens?, completion_tokens: completion_tokens.unwrap_or(0) })
}

/// What a provider says went wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaint {
    /// A word such as `rate_limit_exceeded`.
    pub code: Option<String>,
    pub message: String,
    /// The parameter that it is about.
    pub parameter: Option<String>,
    /// Where an answer that calls itself a success carries another status inside.
    pub status: Option<u16>,
}

/// The error in `body`; `None` where there is none, which says nothing of whether it is an answer.
pub fn complaint(body: &Value) -> Option<Complaint> {
    let inner = body.get("error").filter(|error| !is_blank(error));
    let names_itself =
        ["type", "object"].iter().any(|key| body.get(key).and_then(Value::as_str) == Some("error"));
    // Gateways answer with a list of one.
    if let (None, Some([first, ..])) = (inner, body.as_array().map(Vec::as_slice)) {
        return complaint(first);
    }
    let choice = || body.pointer("/choices/0/error").filter(|error| !is_blank(error));
    let error = inner.or_else(|| names_itself.then_some(body)).or_else(choice)?;
    Some(described(error))
}

/// Some servers send the field with every answer.
fn is_blank(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// What a body that comes with an error's status says, in whatever form.
pub fn described(error: &Value) -> Complaint {
    let code =
        ["code", "type", "status"].iter().find_map(|key| text_at(error, key)).filter(|code| is_word(code));
    let message = error.as_str().map(str::to_owned);
    let message =
        message.or_else(|| ["message", "detail", "error"].iter().find_map(|key| text_at(error, key)));
    let status = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
    Complaint {
        code,
        message: message.unwrap_or_default(),
        parameter: text_at(error, "param"),
        status: status
            .and_then(|status| u16::try_from(status).ok())
            .filter(|status| (400..600).contains(status)),
    }
}

/// A code, not a sentence: sentences may quote the prompt.
fn is_word(text: &str) -> bool {
    text.len() <= 64
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

fn text_at(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
