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
    /// The accepted name of the output limit.
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
mod adjustment_tests {
    use super::*;
    use serde_json::{Value, json};

    fn body(value: &Value) -> Body {
        value.as_object().cloned().unwrap()
    }

    fn complaint(message: &str) -> Complaint {
        Complaint { message: message.to_owned(), ..Complaint::default() }
    }

    #[test]
    fn r7_2_a_parameter_refused_by_newer_models_is_renamed_or_left_out() {
        let mut sent = body(&json!({"max_tokens": 5, "temperature": 0.1}));
        let limit = complaint(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        );
        let learned = Adjustments::default().learned(&sent, &limit).unwrap();
        let value = complaint(
            "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.",
        );
        let learned = learned.learned(&sent, &value).unwrap();
        learned.apply(&mut sent);
        assert_eq!(Value::Object(sent.clone()), json!({"max_completion_tokens": 5}));
        assert_eq!(learned.learned(&sent, &value), None, "no endless retries");
        let deprecated = complaint("`temperature` is deprecated for this model.");
        assert!(Adjustments::default().learned(&body(&json!({"temperature": 1})), &deprecated).is_some());
        let fixed = complaint("invalid temperature: only 1 is allowed for this model");
        assert!(Adjustments::default().learned(&body(&json!({"temperature": 0})), &fixed).is_some());
    }

    #[test]
    fn r7_2_a_server_that_knows_only_max_tokens_gets_max_tokens() {
        let mut sent = body(&json!({"max_completion_tokens": 5}));
        let unknown = complaint("Unrecognized request argument supplied: max_completion_tokens");
        let learned = Adjustments::default().learned(&sent, &unknown).unwrap();
        learned.apply(&mut sent);
        assert_eq!(Value::Object(sent.clone()), json!({"max_tokens": 5}));
        let neither = complaint("Unrecognized request argument supplied: max_tokens");
        assert_eq!(learned.learned(&sent, &neither), None, "no endless retries");
    }

    #[test]
    fn r7_2_other_complaints_change_nothing() {
        let sent = body(&json!({"max_tokens": 5, "temperature": 3}));
        for message in
            ["temperature must be between 0 and 2", "max_tokens is too large: 5", "unsupported model", ""]
        {
            assert_eq!(Adjustments::default().learned(&sent, &complaint(message)), None, "{message}");
        }
        let about_another = Complaint {
            parameter: Some("top_p".to_owned()),
            ..complaint("top_p is not supported beside temperature")
        };
        assert_eq!(Adjustments::default().learned(&sent, &about_another), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(given: &Value, style: Style) -> Value {
        Value::Object(body(&given.to_string(), style).unwrap())
    }

    #[test]
    fn r7_2_an_openai_body_has_the_given_fields_and_no_null() {
        let given = json!({"model": "m", "messages": [{"role": "system", "content": "s"}], "max_tokens": 5,
            "temperature": 0.1, "body": {"top_p": 0.1e-7, "max_tokens": 6}});
        let expected = json!({"model": "m", "messages": [{"role": "system", "content": "s"}], "max_tokens": 6,
            "temperature": 0.1, "top_p": 0.1e-7});
        assert_eq!(written(&given, Style::OpenAi), expected);
        let bare = written(&json!({"model": "m", "messages": [], "temperature": null}), Style::OpenAi);
        assert_eq!(bare, json!({"model": "m", "messages": []}));
    }

    #[test]
    fn r7_2_an_anthropic_body_has_the_system_prompt_apart_and_a_token_limit() {
        let user = json!({"role": "user", "content": "u"});
        let given = json!({"model": "m", "messages": [
            {"role": "system", "content": "a"}, user, {"role": "developer", "content": "b"}, user]});
        let expected =
            json!({"model": "m", "system": "a\n\nb", "messages": [user, user], "max_tokens": 4096});
        assert_eq!(written(&given, Style::Anthropic), expected);
        let block = json!({"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}});
        let given =
            json!({"messages": [{"role": "system", "content": [block]}, {"role": "system", "content": "b"}]});
        let system = written(&given, Style::Anthropic)["system"].clone();
        assert_eq!(system, json!([block, {"type": "text", "text": "b"}]));
        assert_eq!(written(&json!({"messages": [user]}), Style::Anthropic).get("system"), None);
    }

    #[test]
    fn edge_28_nul_and_a_lone_surrogate_give_a_valid_request() {
        let text = r#"{"model":"m","messages":[{"role":"user","content":"a\u0000\u001b[0m\ud83d"}]}"#;
        let sent = serde_json::to_string(&body(text, Style::OpenAi).unwrap()).unwrap();
        assert!(sent.contains("a\\u0000\\u001b[0m\u{fffd}"), "{sent}");
        assert!(serde_json::from_str::<Value>(&sent).is_ok());
    }

    #[test]
    fn r0_3_a_stream_is_refused() {
        let given = json!({"messages": [], "body": {"stream": true}}).to_string();
        assert_eq!(body(&given, Style::OpenAi).unwrap_err().option, "body.stream");
    }
}
