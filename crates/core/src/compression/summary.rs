//! What a summary is made from, and the message that replaces the summarised range (R7.7).

pub mod acceptance;
pub mod chunks;
pub mod dialogue;
pub mod exchange;
pub mod prompt;
pub mod quote;
pub mod wrapping;

use crate::compression::message::{ChatMessage, CreatedKind, ProviderSummary};
use crate::compression::plan::is_quotable_text;
use crate::compression::record::digest::Digest;
use crate::compression::session::settings::Settings;
use crate::results::Language;
use crate::tokens::models::Model;
use acceptance::Rejection;
use prompt::PromptChanges;
use wrapping::{SUMMARY_PREFIX, current_request, introduction, summary_text_of};

#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub messages: Vec<ChatMessage>,
    pub must_quote_request: bool,
    /// The digest of the newest summary or notice in the range.
    pub earlier_digest: Option<Digest>,
    /// Tokens of the range; the result must be smaller.
    pub replaced_tokens: f64,
    pub settings: Settings,
    pub language: Option<Language>,
    pub prompt: PromptChanges,
    pub instructions: Option<String>,
    /// A summary that the agent wrote itself: no model is called and no section checked (R7.12).
    pub given_summary: Option<String>,
    /// The model of the conversation, which counts the result.
    pub main_model: Model,
}

impl Task {
    /// The messages to quote, and the texts of the earlier summaries among them, including the provider's own, which
    /// precede the quotation; `None` if there are none.
    pub(super) fn quotable_messages(&self) -> (Vec<ChatMessage>, Option<String>) {
        let (mut messages, mut summaries) = (Vec::new(), Vec::new());
        for message in &self.messages {
            if message.created_as == Some(CreatedKind::Summary) {
                summaries.push(summary_text_of(&message.text));
            } else if message.provider_summary != Some(ProviderSummary::Text) {
                messages.push(message.clone());
            } else {
                summaries.push(message.text.trim());
                let has_more = !message.calls.is_empty() || !message.answers.is_empty();
                messages.extend(has_more.then(|| ChatMessage { text: String::new(), ..message.clone() }));
            }
        }
        summaries.retain(|text| !text.is_empty());
        (messages, (!summaries.is_empty()).then(|| summaries.join("\n\n")))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The prefix, a line that says what the message is, the model's text, and as much of the digest as fits.
    pub content: String,
    /// Tokens of the content including its chat format, for the main model.
    pub tokens: f64,
    pub digest: Digest,
}

impl Summary {
    /// Rejects a text that, even without a digest, is as long as what it replaces (EDGE 15).
    pub(super) fn compose(text: &str, task: &Task, digest: &Digest, language: Language) -> Result<Self, Rejection> {
        let model = task.main_model;
        let tokens_of = |content: &str| model.count(content) + model.message_overhead.message;
        let introduction = introduction(language, &task.messages, task.given_summary.is_some());
        let request = digest.requests.current().filter(|text| task.must_quote_request && is_quotable_text(text));
        let request = request.map(|text| current_request(language, text)).unwrap_or_default();
        let bare = [SUMMARY_PREFIX, &introduction, &request, "\n\n", text].concat();
        let bare_tokens = tokens_of(&bare);
        let room_tokens = task.replaced_tokens - bare_tokens;
        if room_tokens.is_nan() || room_tokens <= 0.0 {
            return Err(Rejection::NotSmaller);
        }
        // A digest takes at most half of the saving, so that the compression remains worthwhile.
        let digest_tokens = task.settings.digest_max_tokens().min(room_tokens / 2.0);
        let rendered = digest.render(language, digest_tokens, &|text| model.count(text));
        let with_digest = rendered.map(|digest| [&bare, "\n\n", &digest].concat());
        let with_digest = with_digest.map(|content| (tokens_of(&content), content));
        let fitting = with_digest.filter(|&(tokens, _)| tokens < task.replaced_tokens);
        let (tokens, content) = fitting.unwrap_or((bare_tokens, bare));
        Ok(Self { content, tokens, digest: digest.clone() })
    }
}
