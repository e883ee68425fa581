//! What a compaction is given.

use crate::compression::message::Message;
use crate::compression::record::digest::Digest;
use crate::compression::summary::prompt::PromptChanges;
use crate::results::Language;
use crate::tokens::models::Model;

/// An earlier summary, as it was stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Earlier {
    /// The model's own text.
    pub summary_text: String,
    /// What was extracted then.
    pub digest: Digest,
}

/// What is to be summarised, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The range, in order, with the summaries that lie in it.
    pub messages: Vec<Message>,
    /// What the user wants now is in the range and in no message that is left; see [`crate::compression::plan::Plan`].
    pub holds_request: bool,
    /// The stored form of the newest summary in the range.
    pub earlier: Option<Earlier>,
    /// Tokens of the range; the result must be smaller.
    pub replaced_tokens: f64,
    /// The model that summarises: its name decides how prompts are counted.
    pub model_name: String,
    /// The longest summary.
    pub summary_max_tokens: f64,
    /// That model's window, for prompt and answer.
    pub summary_context_tokens: f64,
    /// `None`: the history's own.
    pub language: Option<Language>,
    /// The host's own prompt texts.
    pub prompt: PromptChanges,
    /// What the host wants heeded (R7.12).
    pub instructions: Option<String>,
    /// A summary that the agent itself wrote: no call, no check of sections (R7.12).
    pub given_summary: Option<String>,
    /// The longest digest.
    pub digest_max_tokens: f64,
    /// The model that the conversation is held with; it counts the result.
    pub main_model: Model,
}
