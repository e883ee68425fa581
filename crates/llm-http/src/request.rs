//! Builds the body of a request in each style, without the parameters that a model rejects.

use serde_json::{Map, Value};

use crate::answer::Complaint;
use crate::endpoint::Style;
use crate::failure::Invalid;
use palimpsest_core::provider::request::{RefusedParameter, is_about_a_range, refused_parameter};
use palimpsest_core::text::json_text;

/// Anthropic requires a limit; this is enough for a summary several times the usual size.
const ANTHROPIC_MAX_TOKENS: u64 = 4096;
/// Each name of the limit, and the one to try if it is rejected.
const LIMIT_NAMES: [(&str, &str); 2] =
    [("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")];

pub type Body = Map<String, Value>;

/// `text`: a caller's `{model, messages, max_tokens?, temperature?, body?}` as JSON, nested at most 127 deep. The fields of `body` are
/// copied into the request and have priority, so that users can set what no option covers; but nothing here could read a stream.
pub fn body(text: &str, style: Style) -> Result<Body, Invalid> {
    let invalid = || Invalid::new("messages", "a request as JSON, nested at most 127 deep", "another");
    let Ok(Value::Object(mut given)) = json_text::parse(text) else { return Err(invalid()) };
    let mut take = |key| given.remove(key).filter(|value| !value.is_null());
    let mut body = Body::new();
    let mut set = |key: &str, value: Option<Value>| body.extend(value.map(|value| (key.to_owned(), value)));
    set("model", take("model"));
    let (messages, max_tokens) = (take("messages").unwrap_or_default(), take("max_tokens"));
    match style {
        Style::OpenAi => {
            set("messages", Some(messages));
            set("max_tokens", max_tokens);
        }
        Style::Anthropic => {
            let (system, messages) = without_system(messages);
            set("system", system);
            set("messages", Some(messages.into()));
            set("max_tokens", max_tokens.or_else(|| Some(ANTHROPIC_MAX_TOKENS.into())));
        }
    }
    set("temperature", take("temperature"));
    if let Some(Value::Object(own)) = take("body") {
        body.extend(own);
    }
    match body.get("stream") {
        None | Some(Value::Bool(false) | Value::Null) => Ok(body),
        Some(_) => Err(Invalid::new("body.stream", "false", "something else")),
    }
}

/// The system messages' text, or their blocks if one has blocks; and the other messages unchanged.
fn without_system(messages: Value) -> (Option<Value>, Vec<Value>) {
    let Value::Array(messages) = messages else { return (None, Vec::new()) };
    let is_system =
        |message: &Value| matches!(message.get("role").and_then(Value::as_str), Some("system" | "developer"));
    let (system, rest): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_system);
    let contents: Vec<&Value> = system.iter().filter_map(|message| message.get("content")).collect();
    let texts: Option<Vec<&str>> = contents.iter().map(|content| content.as_str()).collect();
    let joined = match texts {
        Some(texts) => Value::from(texts.join("\n\n")),
        None => contents.into_iter().flat_map(blocks).collect(),
    };
    let is_empty = joined.as_str().is_some_and(str::is_empty) || joined.as_array().is_some_and(Vec::is_empty);
    ((!is_empty).then_some(joined), rest)
}

fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Array(blocks) => blocks.clone(),
        Value::String(text) if !text.is_empty() => vec![serde_json::json!({"type": "text", "text": text})],
        _ => Vec::new(),
    }
}

/// The parameters that a model rejects. Remembered per model, so that each model gets only one wrong request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Adjustments {
    limit_name: Option<&'static str>,
    no_temperature: bool,
}

impl Adjustments {
    pub fn apply(self, body: &mut Body) {
        if self.no_temperature {
            body.shift_remove("temperature");
        }
        for (sent, other) in LIMIT_NAMES {
            if self.limit_name == Some(other)
                && let Some(limit) = body.shift_remove(sent)
            {
                body.entry(other).or_insert(limit);
            }
        }
    }

    /// The adjustments after the model rejected `body` with `complaint`; `None` if they do not change.
    pub fn learned(self, body: &Body, complaint: &Complaint) -> Option<Self> {
        let refused = refused_parameter(&complaint.message, complaint.parameter.as_deref())?;
        let next = match refused {
            // "Must be between 0 and 1" is a mistake that the user must see, so the parameter is not omitted.
            RefusedParameter::Temperature if body.contains_key("temperature") => {
                Self { no_temperature: self.no_temperature || !is_about_a_range(&complaint.message), ..self }
            }
            // A name that was rejected before is not tried again.
            RefusedParameter::LimitName if self.limit_name.is_none() => {
                let other = LIMIT_NAMES.iter().find(|(sent, _)| body.contains_key(*sent));
                Self { limit_name: other.map(|&(_, other)| other), ..self }
            }
            _ => self,
        };
        (next != self).then_some(next)
    }
}

#[cfg(test)]
mod adjustment_tests;

#[cfg(test)]
mod tests;
