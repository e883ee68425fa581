//! What a compaction is given, and the message that it composes to replace the range (R7.7).

use crate::compression::message::ChatMessage;
use crate::compression::plan::is_quotable_text;
use crate::compression::record::digest::Digest;
use crate::compression::record::summary_text::{SUMMARY_PREFIX, current_request, introduction};
use crate::compression::summary::acceptance::Refusal;
use crate::compression::summary::prompt::PromptChanges;
use crate::results::Language;
use crate::tokens::models::Model;

#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The range in order, including its summaries.
    pub messages: Vec<ChatMessage>,
    /// No remaining message holds the current request; see [`crate::compression::plan::Plan`].
    pub holds_request: bool,
    /// The digest of the newest summary or notice in the range.
    pub earlier: Option<Digest>,
    /// Tokens of the range; the result must be smaller.
    pub replaced_tokens: f64,
    /// The summary model, whose name decides how prompts are counted.
    pub model_name: String,
    pub summary_max_tokens: f64,
    /// The summary model's window, for prompt and output.
    pub summary_context_tokens: f64,
    /// Detected from the history if `None`.
    pub language: Option<Language>,
    pub prompt: PromptChanges,
    /// The application's instructions for this summary (R7.12).
    pub instructions: Option<String>,
    /// A summary that the agent wrote itself: no model is called and no section checked (R7.12).
    pub given_summary: Option<String>,
    pub digest_max_tokens: f64,
    /// The model of the conversation, which counts the result.
    pub main_model: Model,
}

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
    pub(super) fn compose(
        text: &str,
        task: &Task,
        digest: &Digest,
        language: Language,
    ) -> Result<Self, Refusal> {
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
