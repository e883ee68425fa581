//! Decides which parameters a text request may have, by the model's name: providers reject those of other models.

use super::refused::RefusedParameter;
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

/// Prefix of the model's name, name of the limit's parameter, and whether a temperature is accepted. Servers that imitate `OpenAI`
/// know only the older limit, so the newer one is for `OpenAI`'s own models.
///
/// Kimi accepts one temperature only; `MiniMax` and ERNIE do not accept 0, which is the one that summaries use.
const FORMS: [(&str, &str, bool); 16] = [
    ("o1", NEW_LIMIT, false),
    ("o3", NEW_LIMIT, false),
    ("o4", NEW_LIMIT, false),
    ("gpt-5", NEW_LIMIT, false),
    ("gpt-6", NEW_LIMIT, false),
    ("gpt-7", NEW_LIMIT, false),
    ("codex", NEW_LIMIT, false),
    ("kimi-k2", OLD_LIMIT, false),
    ("kimi-k3", OLD_LIMIT, false),
    ("kimi-k4", OLD_LIMIT, false),
    ("kimi-for-coding", OLD_LIMIT, false),
    ("kimi-thinking", OLD_LIMIT, false),
    ("k3", OLD_LIMIT, false),
    ("minimax", OLD_LIMIT, false),
    ("abab", OLD_LIMIT, false),
    ("ernie", OLD_LIMIT, false),
];

/// The form known from the model's name; Claude's newest accept no temperature. Other restrictions appear as the endpoint's errors.
pub fn form_for(name: &str) -> RequestForm {
    let lower = name.to_ascii_lowercase();
    let own = lower.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    let known = FORMS.iter().find(|(start, ..)| own.starts_with(start)).filter(|_| !own.contains("-chat"));
    let (limit_name, takes_temperature) = known
        .map_or((OLD_LIMIT, true), |&(_, limit_name, takes_temperature)| (limit_name, takes_temperature));
    let takes_temperature = takes_temperature && Model::named(name).family != Family::ClaudeNew;
    RequestForm { limit_name, takes_temperature }
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
