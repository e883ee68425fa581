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
    let expected = json!({"model": "m", "system": "a\n\nb", "messages": [user, user], "max_tokens": 4096});
    assert_eq!(written(&given, Style::Anthropic), expected);
    let block = json!({"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}});
    let given = json!({"messages": [{"role": "system", "content": [block]}, {"role": "system", "content": "b"}]});
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
