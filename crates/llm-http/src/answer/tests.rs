use super::*;
use serde_json::json;

#[test]
fn r7_2_an_openai_answer_is_read_as_its_text_usage_and_finish_reason() {
    let answer = |message: Value, reason: &str| {
        let body = json!({"model": "m-1", "choices": [{"message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3}});
        read(&body, Style::OpenAi).unwrap()
    };
    let plain = answer(json!({"content": "hi", "reasoning_content": "hm"}), "stop");
    assert_eq!((plain.content.as_str(), plain.finish_reason.as_deref()), ("hi", Some("stop")));
    assert_eq!(plain.usage, Usage { uncached: 7, output: 3, ..Usage::default() });
    assert_eq!(plain.model.as_deref(), Some("m-1"));
    let parts =
        json!([{"type": "text", "text": "a"}, {"type": "thinking", "text": "no"}, {"type": "text", "text": "b"}]);
    assert_eq!(answer(json!({"content": parts}), "length").content, "ab");
    let refused = answer(json!({"content": null, "refusal": "I can't"}), "stop");
    assert_eq!((refused.finish_reason.as_deref(), refused.refusal.as_deref()), (Some("refusal"), Some("I can't")));
    let calls = answer(json!({"content": null, "tool_calls": [{}]}), "stop");
    assert_eq!((calls.content.as_str(), calls.finish_reason.as_deref()), ("", Some("tool_calls")));
}

#[test]
fn r7_2_an_anthropic_answer_is_read_as_its_text_blocks_without_thinking() {
    let answer = |reason: &str| {
        let body = json!({"type": "message", "model": "c", "stop_reason": reason, "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "a"},
            {"type": "tool_use", "id": "t", "name": "n", "input": {}}, {"type": "text", "text": "b"}],
            "usage": {"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300, "output_tokens": 4}});
        read(&body, Style::Anthropic).unwrap()
    };
    assert_eq!(answer("end_turn").content, "ab");
    let usage = answer("end_turn").usage;
    assert_eq!((usage.total(), usage.cached_tokens(), usage.output), (321, Some(20.0), 4));
    let reasons = [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("tool_use", "tool_calls"),
        ("refusal", "refusal"),
        ("pause_turn", "pause_turn"),
    ];
    for (stop_reason, finish_reason) in reasons {
        assert_eq!(answer(stop_reason).finish_reason.as_deref(), Some(finish_reason));
    }
}

#[test]
fn r0_3_an_invalid_body_is_no_answer() {
    let invalid = [
        json!(null),
        json!([]),
        json!({}),
        json!({"choices": []}),
        json!({"choices": [null]}),
        json!({"choices": [{"message": "x"}]}),
        json!({"choices": {"0": 1}}),
        json!({"content": "x"}),
    ];
    for body in invalid {
        assert_eq!(read(&body, Style::OpenAi), None, "{body}");
        assert_eq!(read(&body, Style::Anthropic), None, "{body}");
    }
    let without_usage = json!({"choices": [{"message": {}}], "usage": {"prompt_tokens": -1}});
    assert_eq!(read(&without_usage, Style::OpenAi), Some(ModelAnswer::default()));
}

#[test]
fn r7_2_an_error_is_found_in_a_response_with_a_success_status() {
    let cases = [
        (json!({"error": {"message": "m", "code": 429}}), Some((None, "m", Some(429)))),
        (json!({"error": {"message": "m", "type": "t", "code": "c"}}), Some((Some("c"), "m", None))),
        (
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}),
            Some((Some("overloaded_error"), "m", None)),
        ),
        (json!({"error": "text"}), Some((None, "text", None))),
        (json!({"object": "error", "message": "m", "code": 400}), Some((None, "m", Some(400)))),
        (
            json!([{"error": {"message": "m", "status": "INVALID_ARGUMENT", "code": 400}}]),
            Some((Some("INVALID_ARGUMENT"), "m", Some(400))),
        ),
        (json!({"choices": [{"error": {"message": "m", "code": 502}}]}), Some((None, "m", Some(502)))),
        (json!({"error": null, "choices": []}), None),
        (json!({"error": {"code": "a sentence that may quote"}}), Some((None, "", None))),
    ];
    for (body, expected) in cases {
        let found = complaint(&body);
        let found_parts = found.as_ref().map(|error| (error.code.as_deref(), error.message.as_str(), error.status));
        assert_eq!(found_parts, expected, "{body}");
    }
}
