use serde_json::json;

use super::*;

#[test]
fn r7_2_a_reply_is_read_in_every_form_that_clients_return() {
    let parts = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}, {"text": "b"}]);
    let forms = [
        json!("ab"),
        json!({"content": "ab"}),
        json!({"content": parts}),
        json!({"message": {"content": "ab"}}),
        json!({"choices": [{"message": {"content": "ab"}}]}),
        json!({"choices": [{"message": {"content": parts}}]}),
        json!({"candidates": [{"content": {"parts": [{"text": "no", "thought": true}, {"text": "ab"}]}}]}),
        json!({"text": "ab", "toolCalls": []}),
        json!({"output_text": "ab"}),
        json!({"output": [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "ab"}]}]}),
    ];
    for form in forms {
        assert_eq!(read(&form), Reply { text: Some("ab".into()), ..Reply::default() }, "{form}");
    }
    for nothing in [json!(null), json!(7), json!([]), json!({"content": {}}), json!({"choices": {"0": 1}})] {
        assert_eq!(read(&nothing), Reply::default(), "{nothing}");
    }
}

#[test]
fn r7_6_a_tool_call_is_detected_in_every_form() {
    let forms = [
        json!({"content": "x", "tool_calls": [{}]}),
        json!({"content": "x", "function_call": {"name": "f"}}),
        json!({"text": "x", "toolCalls": [{}]}),
        json!({"content": [{"type": "tool_use"}]}),
        json!({"candidates": [{"content": {"parts": [{"functionCall": {}}]}}]}),
    ];
    assert!(forms.iter().all(|form| read(form).has_tool_calls));
    assert!(!read(&json!({"content": "x", "tool_calls": [], "function_call": null})).has_tool_calls);
}

#[test]
fn r7_3_a_reply_has_its_usage_with_cached_tokens_its_model_and_its_stop_reason() {
    let usage = json!({"input_tokens": 10, "cache_read_input_tokens": 9_000, "output_tokens": 5});
    let reply = read(&json!({"content": [], "usage": usage, "model": "claude-x", "stop_reason": "end_turn"}));
    let usage = Usage { uncached: 10, cache_read: 9_000, output: 5, reports_cache_read: true, ..Usage::default() };
    assert_eq!(reply.usage, usage);
    assert_eq!((reply.model.as_deref(), reply.finish_reason.as_deref()), (Some("claude-x"), Some("end_turn")));
    let invalid = read(&json!({"content": "x", "model": "my secret\nkey", "usage": {"prompt_tokens": -1}}));
    assert_eq!((invalid.model, invalid.usage), (None, Usage::default()));
}

#[test]
fn r0_3_every_path_that_is_read_is_listed() {
    let listed: Vec<String> = paths().collect();
    for path in ["content.*.text", "choices.0.message.tool_calls", "usage.cache_read_input_tokens", "model"] {
        assert!(listed.iter().any(|name| name == path), "{path}");
    }
}
