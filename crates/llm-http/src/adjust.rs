//! Decides what to leave out or rename for a model that refuses a parameter.

use crate::answer::Complaint;
use crate::request::Body;

/// What a model has been found not to take. It is remembered per model, so that each is asked wrongly only once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Adjustments {
    completion_tokens: bool,
    no_temperature: bool,
}

impl Adjustments {
    pub fn apply(self, body: &mut Body) {
        if self.no_temperature {
            body.shift_remove("temperature");
        }
        if self.completion_tokens
            && let Some(limit) = body.shift_remove("max_tokens")
        {
            body.entry("max_completion_tokens").or_insert(limit);
        }
    }

    /// `None` when `complaint` adds nothing.
    pub fn learned(self, body: &Body, complaint: &Complaint) -> Option<Self> {
        let said = complaint.message.to_ascii_lowercase();
        let names = |parameter: &str| body.contains_key(parameter) && said.contains(parameter);
        let unsupported = ["unsupported", "not support", "only the default", "deprecated"]
            .iter()
            .any(|word| said.contains(word));
        // "Must be between 0 and 1" is the user's mistake to see, not ours to hide.
        let temperature = names("temperature") && unsupported && is_about(complaint, "temperature");
        let next = Self {
            completion_tokens: self.completion_tokens
                || (names("max_tokens") && said.contains("max_completion_tokens")),
            no_temperature: self.no_temperature || temperature,
        };
        (next != self).then_some(next)
    }
}

fn is_about(complaint: &Complaint, parameter: &str) -> bool {
    complaint.parameter.as_deref().is_none_or(|named| named == parameter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn body(value: &Value) -> Body {
        value.as_object().cloned().unwrap()
    }

    fn complaint(message: &str) -> Complaint {
        Complaint { message: message.to_owned(), ..Complaint::default() }
    }

    #[test]
    fn r7_2_what_newer_models_refuse_is_renamed_or_left_out() {
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
        assert_eq!(learned.learned(&sent, &value), None, "asked for ever");
        let deprecated = complaint("`temperature` is deprecated for this model.");
        assert!(Adjustments::default().learned(&body(&json!({"temperature": 1})), &deprecated).is_some());
    }

    #[test]
    fn r7_2_other_complaints_change_nothing() {
        let sent = body(&json!({"max_tokens": 5, "temperature": 3}));
        for said in
            ["temperature must be between 0 and 2", "max_tokens is too large: 5", "unsupported model", ""]
        {
            assert_eq!(Adjustments::default().learned(&sent, &complaint(said)), None, "{said}");
        }
        let about_another = Complaint {
            parameter: Some("top_p".to_owned()),
            ..complaint("top_p is not supported beside temperature")
        };
        assert_eq!(Adjustments::default().learned(&sent, &about_another), None);
    }
}
