use super::RefusedParameter::{LimitName, LimitValue, Temperature};
use super::*;

#[test]
fn r7_2_a_request_has_the_parameters_that_its_model_accepts() {
    for (name, limit_name, takes_temperature) in [
        ("gpt-4o-mini", "max_tokens", true),
        ("openai/gpt-5-mini", "max_completion_tokens", false),
        ("gpt-5-chat-latest", "max_tokens", true),
        ("o4-mini", "max_completion_tokens", false),
        ("claude-haiku-4-5", "max_tokens", true),
        ("claude-haiku-5-5", "max_tokens", false),
        ("deepseek-chat", "max_tokens", true),
        ("kimi-k2-0905-preview", "max_tokens", false),
        ("moonshotai/Kimi-K3", "max_tokens", false),
        ("moonshot-v1-128k", "max_tokens", true),
        ("MiniMax-M2", "max_tokens", false),
        ("deepseek/deepseek-v3.2:free", "max_tokens", true),
        ("summary-small", "max_tokens", true),
        ("", "max_tokens", true),
    ] {
        assert_eq!(form_for(name), RequestForm { limit_name, takes_temperature }, "{name}");
    }
}

#[test]
fn r7_2_each_refusal_removes_or_renames_a_parameter() {
    let first = form_for("summary-small");
    let cold = first.without(RefusedParameter::Temperature).unwrap();
    assert_eq!((cold.limit_name, cold.takes_temperature), ("max_tokens", false));
    assert_eq!(cold.without(RefusedParameter::Temperature), None);
    let renamed = cold.without(RefusedParameter::LimitName).unwrap();
    assert_eq!(renamed.limit_name, "max_completion_tokens");
    let bare = renamed.without(RefusedParameter::LimitName).unwrap();
    assert_eq!((bare.limit_name, bare.without(RefusedParameter::LimitName)), ("", None));
    assert_eq!(first.without(RefusedParameter::LimitValue).unwrap().limit_name, "");
}

/// Error texts of endpoints, and the parameter each refuses.
const COMPLAINTS: &[(&str, Option<RefusedParameter>)] = &[
    ("invalid temperature: only 1 is allowed for this model", Some(Temperature)),
    ("invalid temperature: only 0.6 is allowed for this model", Some(Temperature)),
    (
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        Some(Temperature),
    ),
    ("Unsupported parameter: 'temperature' is not supported with this model.", Some(Temperature)),
    ("`temperature` is deprecated for this model.", Some(Temperature)),
    ("`temperature` may only be set to 1 when thinking is enabled.", Some(Temperature)),
    ("invalid params, temperature must be in (0, 1]", Some(Temperature)),
    ("temperature 参数非法，取值范围为 (0, 1)", Some(Temperature)),
    ("该模型不支持 temperature 参数", Some(Temperature)),
    ("1 validation error: temperature: Extra inputs are not permitted", Some(Temperature)),
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        Some(LimitName),
    ),
    ("Unrecognized request argument supplied: max_completion_tokens", Some(LimitName)),
    ("body.max_completion_tokens: Extra inputs are not permitted", Some(LimitName)),
    ("max_tokens must be less than or equal to 512", Some(LimitValue)),
    ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(LimitValue)),
    ("the model is not supported", None),
    ("messages: at least one message is required", None),
    ("", None),
];

#[test]
fn r7_2_a_refused_parameter_is_detected_in_any_wording() {
    for &(complaint, refused) in COMPLAINTS {
        assert_eq!(refused_parameter(complaint, None), refused, "{complaint}");
    }
    assert_eq!(refused_parameter("Unsupported value", Some("temperature")), Some(Temperature));
    assert_eq!(refused_parameter("top_p can't stand beside temperature", Some("top_p")), None);
    assert_eq!(refused_parameter("Unknown name", Some("generation_config.max_tokens")), Some(LimitName));
}

#[test]
fn r7_2_a_complaint_about_a_range_is_distinguished_from_an_unsupported_parameter() {
    for text in [
        "temperature must be between 0 and 2",
        "temperature: input should be less than 2",
        "temperature 取值范围 [0, 2]",
    ] {
        assert!(is_about_a_range(text), "{text}");
    }
    for text in
        ["invalid temperature: only 1 is allowed for this model", "temperature is not supported", "bad temperature"]
    {
        assert!(!is_about_a_range(text), "{text}");
    }
}
