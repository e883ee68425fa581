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
    Notice,
    /// A copy of a pinned message, placed before the summary that replaced the original.
    Pinned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderSummary {
    /// The message's text begins with the summary.
    Text,
    /// Encrypted: only the provider can read it.
    Sealed,
}

/// The most tokens that any chat format adds to a message.
pub const MAX_FORMAT_TOKENS: f64 = 32.0;
/// The most tokens per UTF-8 byte of a text, in any model ([`crate::tokens::models`]). What a message takes in addition
/// are images and calls.
pub const MAX_TOKENS_PER_BYTE: f64 = 1.6;
/// No notice quotes more of the first request, whatever the window's size.
const LONGEST_RECORDED_CHARS: usize = 4_000;

/// One message of the conversation. Texts are UTF-8: lone surrogates have become U+FFFD.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a message")]
pub struct ChatMessage {
    pub role: ChatRole,
    /// The message's texts, joined by line breaks; no images or other media.
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// Ids of the calls whose results it holds: several in Anthropic's form, the message's own calls in opencode's.
    pub answers: Vec<String>,
    /// In a message with results, UTF-16 units of the text outside them: a user's own words in Anthropic's form.
    pub units_beside_results: usize,
    /// Tokens of the message including its chat format, not rounded.
    pub tokens: f64,
    /// The application marked it as failed (`messageStatus: 'error'`, `is_error`).
    pub failed: bool,
    /// It has thinking that a provider requires back unchanged: `thinking`, `reasoning_content`, signatures.
    pub has_thinking: bool,
    pub pinned: bool,
    /// The provider's own summary of all earlier messages, if this message holds one.
    pub provider_summary: Option<ProviderSummary>,
    pub created_as: Option<CreatedKind>,
    /// Nesting depth of compressions: 0, or a summary's or notice's `level`.
    pub level: u32,
    /// Neither this message nor the one before can be sent without the other: items of one `OpenAI` Responses output,
    /// including a reasoning item, or a decision about a call that awaits approval.
    pub is_joined: bool,
}

impl ChatMessage {
    pub fn is_sealed(&self) -> bool {
        self.provider_summary == Some(ProviderSummary::Sealed)
    }

    pub fn is_result(&self) -> bool {
        !self.answers.is_empty() || self.role == ChatRole::Tool
    }

    /// Providers start a turn at every user message without tool results, including a summary or notice.
    pub fn begins_turn(&self) -> bool {
        self.role == ChatRole::User && self.answers.is_empty()
    }

    /// How many messages of the OpenAI chat format carry the same content: a conversation is cut at the same place in
    /// each dialect.
    pub const fn chat_message_count(&self) -> usize {
        match self.answers.len() {
            _ if self.is_joined => 0,
            0 => 1,
            // opencode has calls and results in one message.
            results if matches!(self.role, ChatRole::Assistant) => results + 1,
            results => results + (self.units_beside_results > 0) as usize,
        }
    }
}

/// Index of the first of the newest messages that together count as `count` messages of the chat format.
pub fn start_of_newest(messages: &[ChatMessage], count: usize) -> usize {
    let mut missing = count;
    let newest = messages.iter().rev().take_while(|message| {
        let is_needed = missing > 0;
        missing = missing.saturating_sub(message.chat_message_count());
        is_needed
    });
    messages.len() - newest.count()
}

/// The current request: the newest message with words of the user, even next to tool results.
pub fn newest_user_request(messages: &[ChatMessage]) -> Option<usize> {
    let has_words = |ChatMessage { text, answers, units_beside_results, .. }: &ChatMessage| {
        if answers.is_empty() { !text.trim().is_empty() } else { *units_beside_results > 0 }
    };
    let is_by_user = |message: &ChatMessage| message.role == ChatRole::User && message.created_as.is_none();
    messages.iter().rposition(|message| is_by_user(message) && has_words(message))
}

/// The user's earliest remaining request, which states the task (EDGE 20).
pub fn first_user_request(messages: &[ChatMessage]) -> Option<usize> {
    messages.iter().position(|message| message.begins_turn() && message.created_as.is_none())
}

pub fn first_request_to_record(messages: &[ChatMessage]) -> Option<String> {
    let request = messages.get(first_user_request(messages)?)?;
    Some(request.text.chars().take(LONGEST_RECORDED_CHARS).collect())
}
