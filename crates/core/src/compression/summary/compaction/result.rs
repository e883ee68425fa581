//! Decides what stands in the conversation in place of what was summarised (R7.7).

use super::task::Task;
use crate::compression::plan::is_quotable_text;
use crate::compression::record::digest::Digest;
use crate::compression::record::summary_text::{SUMMARY_PREFIX, current_request, introduction};
use crate::compression::summary::acceptance::Refusal;
use crate::results::Language;

/// A summary that takes the place of its range.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The message's content: prefix, a line that says what it is, text, and the digest as far as there is
    /// room.
    pub content: String,
    /// Tokens of the content with its share of the chat format, for the main model.
    pub tokens: f64,
    /// All of the digest, also what had no room.
    pub digest: Digest,
}

/// What a summary is made of besides its text.
pub(super) struct Ending<'c> {
    pub(super) digest: &'c Digest,
    pub(super) language: Language,
}

impl Ending<'_> {
    /// The summary; refused when even without a digest it isn't smaller than what it replaces (EDGE 15).
    pub(super) fn summary(self, text: &str, task: &Task) -> Result<Summary, Refusal> {
        let model = task.main_model;
        let tokens_of = |content: &str| model.count(content) + model.message.message;
        let introduction = introduction(self.language, &task.messages, task.given_summary.is_some());
        let request =
            self.digest.requests.current().filter(|text| task.holds_request && is_quotable_text(text));
        let request = request.map(|text| current_request(self.language, text)).unwrap_or_default();
        let bare = [SUMMARY_PREFIX, &introduction, &request, "\n\n", text].concat();
        let bare_tokens = tokens_of(&bare);
        let room_tokens = task.replaced_tokens - bare_tokens;
        // NaN is no gain either.
        if room_tokens.is_nan() || room_tokens <= 0.0 {
            return Err(Refusal::NotSmaller);
        }
        // Half of what was gained at most: a digest must not eat up the compression.
        let digest_tokens = task.digest_max_tokens.min(room_tokens / 2.0);
        let digest = self.digest.render(self.language, digest_tokens, &|text| model.count(text));
        let complete = digest.map(|digest| [bare.as_str(), "\n\n", &digest].concat());
        let complete = complete.map(|content| (tokens_of(&content), content));
        let (tokens, content) =
            complete.filter(|&(tokens, _)| tokens < task.replaced_tokens).unwrap_or((bare_tokens, bare));
        Ok(Summary { content, tokens, digest: self.digest.clone() })
    }
}
