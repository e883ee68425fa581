//! A message as compression sees it: full texts, since summaries quote them, and which call each result answers.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChatRole {
    System,
    /// A user; in Anthropic's form also the sender of tool results.
    User,
    Assistant,
    Tool,
    #[default]
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolCall {
    /// Empty if the message gives none; such a call has no result.
    pub id: String,
    pub name: String,
    /// JSON as the model wrote it; may be truncated or empty.
    pub arguments: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreatedKind {
    Summary,
    /// Says that messages were cut out.
    Notice,
    /// A copy of a pinned message, placed before the summary that replaced the original.
    Pinned,
}

/// The form of a provider's own summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// The message's text begins with the summary.
    Text,
    /// Encrypted: only the provider can read it.
    Sealed,
}

/// Whether a message can be sent without the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    #[default]
    Separate,
    /// Neither message can be sent without the other: items of one `OpenAI` Responses output, including a reasoning
    /// item, or a decision about a call that awaits approval.
    Joined,
}

/// One message of the conversation. Texts are UTF-8: lone surrogates have become U+FFFD.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChatMessage {
    pub role: ChatRole,
    /// The message's texts, joined by line breaks; no images or other media.
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// Ids of the calls that it answers: one for a tool result, several in Anthropic's form, the message's own calls in
    /// opencode's, otherwise none.
    pub answers: Vec<String>,
    /// In a message that answers calls, UTF-16 units of the text outside the results: a user's own words in Anthropic's form.
    pub units_beside_results: usize,
    /// Tokens of the message including its chat format, not rounded.
    pub tokens: f64,
    /// The application marked it as failed (`messageStatus: 'error'`, `is_error`).
    pub failed: bool,
    /// It has thinking that a provider requires back unchanged: `thinking`, `reasoning_content`, signatures.
    pub has_thinking: bool,
    pub pinned: bool,
    /// The provider's own summary of all earlier messages, if this message holds one.
    pub compaction: Option<Compaction>,
    /// Set on messages that this library created.
    pub created_as: Option<CreatedKind>,
    /// Nesting depth of compressions: 0, or a summary's or notice's `level`.
    pub level: u32,
    pub linkage: Linkage,
}

impl ChatMessage {
    pub fn is_sealed(&self) -> bool {
        self.compaction == Some(Compaction::Sealed)
    }

    /// How many messages of the OpenAI chat format carry the same content. Dialects differ in what one message holds;
    /// counting this way cuts a conversation at the same place in each.
    pub const fn chat_messages(&self) -> usize {
        match (self.linkage, self.answers.len()) {
            (Linkage::Joined, _) => 0,
            (Linkage::Separate, 0) => 1,
            // opencode has calls and results in one message.
            (Linkage::Separate, answers) if matches!(self.role, ChatRole::Assistant) => answers + 1,
            (Linkage::Separate, answers) => answers + (self.units_beside_results > 0) as usize,
        }
    }
}

/// Index where the newest messages begin that are `count` in the chat format. O(number of these messages).
pub fn newest_at(messages: &[ChatMessage], count: usize) -> usize {
    let mut left = count;
    messages
        .iter()
        .rposition(|message| {
            let is_older = left == 0;
            left = left.saturating_sub(message.chat_messages());
            is_older
        })
        .map_or(0, |older| older + 1)
}
