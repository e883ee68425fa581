use crate::compression::message::ChatMessage;
use crate::compression::record::digest::Digest;
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
