//! A message as compression sees it: whole texts, since they are quoted, and who answers whom.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRole {
    System,
    /// A user; in Anthropic's form also whoever answers with tool results.
    User,
    Assistant,
    Tool,
    Other,
}

/// One declared tool call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolCall {
    /// Empty where the message gives none; such a call has no result.
    pub id: String,
    pub name: String,
    /// JSON as the model wrote it: it may be cut off or empty.
    pub arguments: String,
}

/// Marks the messages that this library has made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeKind {
    Summary,
    /// A notice that messages were cut out.
    Notice,
    /// Repeats a message that the host pinned, before the summary that took its place.
    Pinned,
}

/// The form of a provider's own summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// The message's text begins with it.
    Text,
    /// Encrypted: nobody else can carry on what it says.
    Sealed,
}

/// Whether a message can be sent without the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Apart,
    /// Neither message can be sent without the other: items of one answer of `OpenAI`'s Responses, a reasoning item among
    /// them, and a decision about a call that waits for approval.
    Joined,
}

/// One message of the conversation. Texts are UTF-8: lone surrogates have become U+FFFD.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatMessage {
    pub role: ChatRole,
    /// Its texts, joined by line breaks; without images and the like.
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// The ids of the calls that it answers: one for a tool result, several in Anthropic's form, its own in opencode's, else none.
    pub answers: Vec<String>,
    /// Of a message that answers calls, UTF-16 units of the text beside the results: a user's own words in
    /// Anthropic's form.
    pub units_beside_results: usize,
    /// Its tokens with their share of the chat format, not rounded.
    pub tokens: f64,
    /// The host says that it failed (`messageStatus: 'error'`, `is_error`).
    pub failed: bool,
    /// It has thinking that a provider wants back as it was: `thinking`, `reasoning_content`, signatures.
    pub has_thinking: bool,
    /// The host wants it kept as it is.
    pub pinned: bool,
    /// The provider's own summary of everything before it, where the message has one.
    pub compaction: Option<Compaction>,
    /// Set on messages that this library has made.
    pub made: Option<MadeKind>,
    /// How many compressions lie within it: 0, or a summary's or notice's `level`.
    pub level: u32,
    pub standing: Standing,
}

impl ChatMessage {
    /// Whether only the provider can read what the message holds.
    pub fn is_sealed(&self) -> bool {
        self.compaction == Some(Compaction::Sealed)
    }

    /// How many messages of a chat say the same: dialects differ in what they put into one, and a conversation is cut
    /// at the same place in each.
    pub const fn chat_messages(&self) -> usize {
        match (self.standing, self.answers.len()) {
            (Standing::Joined, _) => 0,
            (Standing::Apart, 0) => 1,
            // opencode has calls and results in one message.
            (Standing::Apart, answers) if matches!(self.role, ChatRole::Assistant) => answers + 1,
            (Standing::Apart, answers) => answers + (self.units_beside_results > 0) as usize,
        }
    }
}

/// Where the newest messages begin that are `count` in a chat. O(those).
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

impl Default for ChatMessage {
    fn default() -> Self {
        Self {
            role: ChatRole::Other,
            text: String::new(),
            calls: Vec::new(),
            answers: Vec::new(),
            units_beside_results: 0,
            tokens: 0.0,
            failed: false,
            has_thinking: false,
            pinned: false,
            compaction: None,
            made: None,
            level: 0,
            standing: Standing::Apart,
        }
    }
}
