//! Decides which parameters a text request may have, by the model's name: providers reject those of other models.

use super::refused::RefusedParameter;
use crate::tokens::family::Family;
use crate::tokens::models::Model;

/// The optional parameters of a text request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestForm {
    /// Name of the output limit's parameter; empty to send none.
    pub limit_name: &'static str,
    pub takes_temperature: bool,
}

impl RequestForm {
    /// The form for the next attempt after `refused`; `None` if the refused parameter was not sent.
    pub fn without(self, refused: RefusedParameter) -> Option<Self> {
        match refused {
            RefusedParameter::Temperature => {
                self.takes_temperature.then_some(Self { takes_temperature: false, ..self })
            }
            RefusedParameter::LimitName if self.limit_name == OLD_LIMIT => {
                Some(Self { limit_name: NEW_LIMIT, ..self })
            }
            _ => (!self.limit_name.is_empty()).then_some(Self { limit_name: "", ..self }),
        }
    }
}

const OLD_LIMIT: &str = "max_tokens";
const NEW_LIMIT: &str = "max_completion_tokens";

/// Prefixes of the names of `OpenAI`'s own models that know only the newer limit, and accept no temperature. Servers that imitate `OpenAI`
/// know only the older one.
const WITH_NEW_LIMIT: [&str; 7] = ["o1", "o3", "o4", "gpt-5", "gpt-6", "gpt-7", "codex"];

/// Kimi accepts one temperature only; `MiniMax` and ERNIE do not accept 0, which is the one that summaries use.
const WITHOUT_TEMPERATURE: [&str; 9] =
    ["kimi-k2", "kimi-k3", "kimi-k4", "kimi-for-coding", "kimi-thinking", "k3", "minimax", "abab", "ernie"];

/// The form known from the model's name; Claude's newest accept no temperature. Other restrictions appear as the endpoint's errors.
pub fn form_for(name: &str) -> RequestForm {
    let lower = name.to_ascii_lowercase();
    let without_vendor = lower.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    let is_one_of = |starts: &[&str]| {
        !without_vendor.contains("-chat") && starts.iter().any(|start| without_vendor.starts_with(start))
    };
    let has_new_limit = is_one_of(&WITH_NEW_LIMIT);
    RequestForm {
        limit_name: if has_new_limit { NEW_LIMIT } else { OLD_LIMIT },
        takes_temperature: !has_new_limit
            && !is_one_of(&WITHOUT_TEMPERATURE)
            && Model::named(name).family != Family::ClaudeNew,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b7_a_model_is_asked_with_the_parameters_that_it_knows() {
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
    fn r7_2_each_refusal_leaves_less_to_refuse() {
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
}
