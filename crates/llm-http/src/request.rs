//! Builds the body of a request in each style.

use serde_json::{Map, Value};

use crate::endpoint::Style;
use crate::failure::Invalid;
use palimpsest_core::text::json_text;

/// Anthropic requires a limit; this is enough for a summary several times the usual size.
const ANTHROPIC_MAX_TOKENS: u64 = 4096;

pub type Body = Map<String, Value>;

/// `text`: a caller's `{model, messages, max_tokens?, temperature?, body?}` as JSON.
///
/// The fields of `body` are copied into the request and have priority, so that users can set what no option covers.
///
/// # Errors
///
/// If `text` is nested too deep, or `body` requests a stream, which nothing here could read.
pub fn body(text: &str, style: Style) -> Result<Body, Invalid> {
    let invalid = || Invalid::new("messages", "a request as JSON, nested at most 127 deep", "another");
    let Ok(Value::Object(mut given)) = json_text::parse(text) else { return Err(invalid()) };
    let mut take = |key| given.remove(key).filter(|value| !value.is_null());
    let mut body = Body::new();
    body.extend(take("model").map(|model| ("model".to_owned(), model)));
    let messages = take("messages").unwrap_or_default();
    let max_tokens = take("max_tokens");
    match style {
        Style::OpenAi => {
            body.insert("messages".to_owned(), messages);
            body.extend(max_tokens.map(|limit| ("max_tokens".to_owned(), limit)));
        }
        Style::Anthropic => {
            let (system, messages) = without_system(messages);
            body.extend(system.map(|system| ("system".to_owned(), system)));
            body.insert("messages".to_owned(), messages.into());
            let limit = max_tokens.unwrap_or_else(|| ANTHROPIC_MAX_TOKENS.into());
            body.insert("max_tokens".to_owned(), limit);
        }
    }
    body.extend(take("temperature").map(|temperature| ("temperature".to_owned(), temperature)));
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
