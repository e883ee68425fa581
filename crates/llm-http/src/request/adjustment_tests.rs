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
    for message in ["temperature must be between 0 and 2", "max_tokens is too large: 5", "unsupported model", ""] {
        assert_eq!(Adjustments::default().learned(&sent, &complaint(message)), None, "{message}");
    }
    let about_another =
        Complaint { parameter: Some("top_p".to_owned()), ..complaint("top_p is not supported beside temperature") };
    assert_eq!(Adjustments::default().learned(&sent, &about_another), None);
}
