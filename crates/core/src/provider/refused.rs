//! Decides which parameter of a text request an endpoint refused, from its error text: every gateway words it differently.

/// Optional parameters of a text request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedParameter {
    Temperature,
    /// The endpoint does not know the output limit by this name.
    LimitName,
    /// The endpoint refuses the output limit's value.
    LimitValue,
}

impl RefusedParameter {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::LimitName | Self::LimitValue => "max_tokens",
        }
    }
}

/// Names of the output limit.
const LIMITS: [&str; 4] = ["max_completion_tokens", "max_output_tokens", "max_tokens", "max_new_tokens"];

/// Words for a parameter that is refused whatever its value.
const UNKNOWN: &[&str] = &[
    "unsupported", "not support", "n't support", "unrecognized", "unrecognised", "unknown", "unexpected",
    "not allowed", "not permitted", "extra inputs", "extra fields", "extra_forbidden", "extraneous",
    "additional properties", "additional property", "no longer", "deprecated", "removed", "not accepted",
    "does not accept", "doesn't accept", "not available", "not applicable", "instead", "不支持", "不允许",
    "未知", "无法识别", "已弃用", "不可用",
];

/// Words for a parameter that has only one value, which equals sending none.
const FIXED: &[&str] = &[
    "only the default", "only 1 ", "only 1.0", "only 0.6", "is allowed", "are allowed", "must be 1",
    "should be 1", "fixed", "必须为 1", "必须为1", "只能为", "只能是", "仅支持", "固定",
];

/// Words for a value out of range: another would be accepted.
const RANGES: &[&str] = &[
    "between", "range", "less than", "greater than", "at most", "at least", "too large", "too small",
    "too high", "too low", "<=", ">=", "in [", "in (", "maximum", "minimum", "above", "below", "exceed",
    "范围", "介于", "大于", "小于",
];

/// The parameter that `complaint` refuses; `None` if it names none. `parameter` is the name in the provider's own field.
/// A temperature out of range counts as refused, too: the code that set it decides whether to omit it
/// ([`is_about_a_range`]).
pub fn refused_parameter(complaint: &str, parameter: Option<&str>) -> Option<RefusedParameter> {
    let text = complaint.to_lowercase();
    let named = parameter.map(str::to_lowercase);
    let is_named = |name: &str| match &named {
        Some(named) => named.rsplit('.').next() == Some(name),
        None => text.contains(name),
    };
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let temperature = is_named("temperature").then(|| text.find("temperature").unwrap_or(0));
    let limit = LIMITS.iter().filter(|name| is_named(name)).map(|name| text.find(name).unwrap_or(0)).min();
    match (temperature, limit) {
        (Some(temperature), limit) if limit.is_none_or(|limit| temperature <= limit) => {
            Some(RefusedParameter::Temperature)
        }
        (_, Some(_)) if has(UNKNOWN) && !text.contains("too large") => Some(RefusedParameter::LimitName),
        (_, Some(_)) => Some(RefusedParameter::LimitValue),
        _ => None,
    }
}

/// True if the value is out of range, an error to show to the code that set it.
pub fn is_about_a_range(complaint: &str) -> bool {
    let text = complaint.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    has(RANGES) && !has(UNKNOWN) && !has(FIXED)
}

#[cfg(test)]
mod tests {
    use super::RefusedParameter::{LimitName, LimitValue, Temperature};
    use super::*;

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
    fn r7_2_a_refused_parameter_is_told_whatever_the_wording() {
        for &(complaint, refused) in COMPLAINTS {
            assert_eq!(refused_parameter(complaint, None), refused, "{complaint}");
        }
        assert_eq!(refused_parameter("Unsupported value", Some("temperature")), Some(Temperature));
        assert_eq!(refused_parameter("top_p can't stand beside temperature", Some("top_p")), None);
        assert_eq!(refused_parameter("Unknown name", Some("generation_config.max_tokens")), Some(LimitName));
    }

    #[test]
    fn r7_2_a_value_outside_of_its_range_is_told_apart() {
        for text in [
            "temperature must be between 0 and 2",
            "temperature: input should be less than 2",
            "temperature 取值范围 [0, 2]",
        ] {
            assert!(is_about_a_range(text), "{text}");
        }
        for text in [
            "invalid temperature: only 1 is allowed for this model",
            "temperature is not supported",
            "bad temperature",
        ] {
            assert!(!is_about_a_range(text), "{text}");
        }
    }
}
