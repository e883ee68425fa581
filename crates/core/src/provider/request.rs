//! Decides which parameters a request for a text may have, by the model's name: providers refuse those of other models.

use crate::tokens::family::Family;
use crate::tokens::models::Model;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestForm {
    /// Names the parameter that limits the answer.
    pub limit_name: &'static str,
    pub takes_temperature: bool,
}

/// `OpenAI`'s reasoning models know another limit and no temperature, Claude's newest no temperature; servers that imitate `OpenAI`
/// know the older parameters only.
#[must_use]
pub fn form_for(name: &str) -> RequestForm {
    let lower = name.to_ascii_lowercase();
    let own = lower.rsplit('/').next().unwrap_or_default();
    let reasons =
        ["o1", "o3", "o4", "gpt-5", "gpt-6", "gpt-7", "codex"].iter().any(|start| own.starts_with(start));
    let reasons = reasons && !own.contains("-chat");
    RequestForm {
        limit_name: if reasons { "max_completion_tokens" } else { "max_tokens" },
        takes_temperature: !reasons && Model::named(name).family != Family::ClaudeNew,
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
            ("summary-small", "max_tokens", true),
            ("", "max_tokens", true),
        ] {
            assert_eq!(form_for(name), RequestForm { limit_name, takes_temperature }, "{name}");
        }
    }
}
