//! Decides which optional parameters a text request may have: by the model's name, and by the error text of an endpoint
//! that refused one. Every gateway words such an error differently.

use crate::tokens::family::Family;
use crate::tokens::models::Model;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestForm {
    /// Name of the output limit's parameter; empty to send none.
    pub limit_name: &'static str,
    pub takes_temperature: bool,
}

impl RequestForm {
    /// The form for the next attempt after `refused`; `None` if the refused parameter was not sent.
    pub fn without(self, refused: RefusedParameter) -> Option<Self> {
        let next = match refused {
            RefusedParameter::Temperature => Self { takes_temperature: false, ..self },
            RefusedParameter::LimitName if self.limit_name == OLD_LIMIT => Self { limit_name: NEW_LIMIT, ..self },
            _ => Self { limit_name: "", ..self },
        };
        (next != self).then_some(next)
    }
}

const OLD_LIMIT: &str = "max_tokens";
const NEW_LIMIT: &str = "max_completion_tokens";
/// Prefixes of the names of `OpenAI`'s own models that know only the newer limit, and accept no temperature. Servers
/// that imitate `OpenAI` know only the older one.
const MODELS_WITH_NEW_LIMIT: [&str; 7] = ["o1", "o3", "o4", "gpt-5", "gpt-6", "gpt-7", "codex"];
/// Prefixes of models without a usable temperature: Kimi accepts one only; `MiniMax` and ERNIE do not accept 0, which summaries use.
const MODELS_WITHOUT_TEMPERATURE: [&str; 9] =
    ["kimi-k2", "kimi-k3", "kimi-k4", "kimi-for-coding", "kimi-thinking", "k3", "minimax", "abab", "ernie"];

/// The form known from the model's name; Claude's newest accept no temperature. Other restrictions appear as the endpoint's errors.
pub fn form_for(name: &str) -> RequestForm {
    let lower = name.to_ascii_lowercase();
    let without_vendor = lower.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    let is_one_of = |prefixes: &[&str]| {
        !without_vendor.contains("-chat") && prefixes.iter().any(|prefix| without_vendor.starts_with(prefix))
    };
    let has_new_limit = is_one_of(&MODELS_WITH_NEW_LIMIT);
    RequestForm {
        limit_name: if has_new_limit { NEW_LIMIT } else { OLD_LIMIT },
        takes_temperature: !has_new_limit
            && !is_one_of(&MODELS_WITHOUT_TEMPERATURE)
            && Model::named(name).family != Family::ClaudeNew,
    }
}

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

const LIMIT_NAMES: [&str; 4] = ["max_completion_tokens", "max_output_tokens", "max_tokens", "max_new_tokens"];
/// Words for a parameter that is refused whatever its value.
const UNKNOWN: &[&str] = &[
    "unsupported", "not support", "n't support", "unrecognized", "unrecognised", "unknown", "unexpected",
    "not allowed", "not permitted", "extra inputs", "extra fields", "extra_forbidden", "extraneous",
    "additional properties", "additional property", "no longer", "deprecated", "removed", "not accepted",
    "does not accept", "doesn't accept", "not available", "not applicable", "instead", "不支持", "不允许", "未知",
    "无法识别", "已弃用", "不可用",
];
/// Words for a parameter that has only one value, which equals sending none.
const FIXED: &[&str] = &[
    "only the default", "only 1 ", "only 1.0", "only 0.6", "is allowed", "are allowed", "must be 1", "should be 1",
    "fixed", "必须为 1", "必须为1", "只能为", "只能是", "仅支持", "固定",
];
/// Words for a value out of range: another would be accepted.
const RANGES: &[&str] = &[
    "between", "range", "less than", "greater than", "at most", "at least", "too large", "too small", "too high",
    "too low", "<=", ">=", "in [", "in (", "maximum", "minimum", "above", "below", "exceed", "范围", "介于", "大于",
    "小于",
];

/// The parameter that the error text `complaint` refuses; `None` if it names none. `parameter` is the name in the
/// provider's own field. A temperature out of range counts as refused, too: see [`is_about_a_range`].
pub fn refused_parameter(complaint: &str, parameter: Option<&str>) -> Option<RefusedParameter> {
    let text = complaint.to_lowercase();
    let named = parameter.map(str::to_lowercase);
    let is_named = |name: &str| match &named {
        Some(named) => named.rsplit('.').next() == Some(name),
        None => text.contains(name),
    };
    let position = |name: &str| is_named(name).then(|| text.find(name).unwrap_or(0));
    let limit_position = LIMIT_NAMES.iter().filter_map(|name| position(name)).min();
    let is_unknown = has_any(&text, UNKNOWN) && !text.contains("too large");
    match (position("temperature"), limit_position) {
        (None, None) => None,
        (Some(temperature), limit) if limit.is_none_or(|limit| temperature <= limit) => {
            Some(RefusedParameter::Temperature)
        }
        _ if is_unknown => Some(RefusedParameter::LimitName),
        _ => Some(RefusedParameter::LimitValue),
    }
}

/// True if the error text says that a value is out of range. Such an error is shown to the code that set the value, which is not omitted.
pub fn is_about_a_range(complaint: &str) -> bool {
    let text = complaint.to_lowercase();
    has_any(&text, RANGES) && !has_any(&text, UNKNOWN) && !has_any(&text, FIXED)
}

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests;
