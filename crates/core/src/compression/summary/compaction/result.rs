//! Composes the message that replaces the summarised range (R7.7).

use super::task::Task;
use crate::compression::plan::is_quotable_text;
use crate::compression::record::digest::Digest;
use crate::compression::record::summary_text::{SUMMARY_PREFIX, current_request, introduction};
use crate::compression::summary::acceptance::Refusal;
use crate::results::Language;

#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The message's content: the prefix, a line that says what the message is, the model's text, and as much of the
    /// digest as fits.
    pub content: String,
    /// Tokens of the content including its chat format, for the main model.
    pub tokens: f64,
    /// The whole digest, including what did not fit.
    pub digest: Digest,
}

impl Summary {
    /// Rejects a text that, even without a digest, is as long as what it replaces (EDGE 15).
    pub(super) fn of(text: &str, task: &Task, digest: &Digest, language: Language) -> Result<Self, Refusal> {
        let model = task.main_model;
        let tokens_of = |content: &str| model.count(content) + model.message.message;
        let introduction = introduction(language, &task.messages, task.given_summary.is_some());
        let request = digest.requests.current().filter(|text| task.holds_request && is_quotable_text(text));
        let request = request.map(|text| current_request(language, text)).unwrap_or_default();
        let bare = [SUMMARY_PREFIX, &introduction, &request, "\n\n", text].concat();
        let bare_tokens = tokens_of(&bare);
        let room_tokens = task.replaced_tokens - bare_tokens;
        if room_tokens.is_nan() || room_tokens <= 0.0 {
            return Err(Refusal::NotSmaller);
        }
        // A digest takes at most half of the saving, so that the compression remains worthwhile.
        let digest_tokens = task.digest_max_tokens.min(room_tokens / 2.0);
        let rendered = digest.render(language, digest_tokens, &|text| model.count(text));
        let complete = rendered.map(|digest| [bare.as_str(), "\n\n", &digest].concat());
        let complete = complete.map(|content| (tokens_of(&content), content));
        let (tokens, content) =
            complete.filter(|&(tokens, _)| tokens < task.replaced_tokens).unwrap_or((bare_tokens, bare));
        Ok(Self { content, tokens, digest: digest.clone() })
    }
}
