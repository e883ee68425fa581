//! The record of a compression, stored with a summary or notice: what is written, and what the next compression reads.
//! Also which fields of a message a provider accepts, and which ones a compression makes wrong.

pub mod digest;

use std::iter::once;

use serde_json::json;

use crate::compression::message::ChatMessage;
use crate::text::hash::fnv1a;
use digest::Digest;

/// Ends each field: no UTF-8 text contains this byte.
const FIELD_END: [u8; 1] = [0xFF];

/// `cmp_` and sixteen hexadecimal digits, derived from the removed messages, not from the time: a compression that is
/// repeated, because the process or the reply was lost, gets the same archive batch. A cut has another id. O(text).
pub fn compression_id(messages: &[ChatMessage], is_cut: bool) -> String {
    let fields = messages.iter().flat_map(|message| {
        let calls = message.calls.iter().flat_map(|call| [&call.id, &call.name, &call.arguments]);
        let texts = [&message.text].into_iter().chain(calls).chain(&message.answers);
        once(message.role as u8).chain(FIELD_END).chain(texts.flat_map(|text| text.bytes().chain(FIELD_END)))
    });
    let bytes = once(u8::from(is_cut)).chain(FIELD_END).chain(fields);
    format!("cmp_{:016x}", fnv1a(bytes))
}

/// A compression's record without the original messages; the JavaScript side appends those (R7.7).
pub struct RecordFields<'r> {
    pub id: &'r str,
    /// Nesting depth, itself included.
    pub level: u32,
    /// For a notice, how many messages it and earlier notices replace, and their tokens. `None` for a summary.
    pub dropped: Option<(usize, f64)>,
    pub tokens_before: f64,
    pub window_tokens: f64,
    pub model: Option<&'r str>,
    pub duration_ms: f64,
    pub first_request: Option<&'r str>,
    pub digest: &'r Digest,
}

impl RecordFields<'_> {
    /// `beforeCount`, `afterCount`, `tokensAfter` and `usageAfter` are 0, because they aren't known yet.
    pub fn to_json(&self) -> String {
        let mut fields = json!({
            "id": self.id,
            "level": self.level,
            "kind": if self.dropped.is_none() { "summary" } else { "truncation" },
            "beforeCount": 0,
            "afterCount": 0,
            "tokensBefore": self.tokens_before.round(),
            "tokensAfter": 0,
            "windowTokens": self.window_tokens,
            "usageBefore": window_share(self.tokens_before, self.window_tokens),
            "usageAfter": 0,
            "model": self.model,
            "durationMs": self.duration_ms.round(),
            "droppedCount": self.dropped.map(|(messages, _)| messages),
            "droppedTokens": self.dropped.map(|(_, tokens)| tokens.round()),
            "firstRequest": self.first_request,
            "digest": self.digest.to_value(),
        });
        // Of the unknown fields only `model` is written, as null.
        if let Some(fields) = fields.as_object_mut() {
            fields.retain(|name, value| name == "model" || !value.is_null());
        }
        fields.to_string()
    }
}

/// `tokens` as a share of the window, rounded to four decimals.
pub fn window_share(tokens: f64, window_tokens: f64) -> f64 {
    if window_tokens > 0.0 { (tokens / window_tokens * 10_000.0).round() / 10_000.0 } else { 0.0 }
}

/// The record of one summary or notice. It is loaded from a session file: invalid fields have their default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredRecord {
    /// Index of the summary or notice among the messages.
    pub index: usize,
    pub first_request: Option<String>,
    pub digest: Option<String>,
    /// How many messages a notice, and the notices before it, replaced; 1 for a summary.
    pub dropped_count: usize,
    pub dropped_tokens: f64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedHistory {
    /// As the oldest record quotes it. Its message may have been replaced.
    pub first_request: Option<String>,
    /// The digest of the newest summary or notice, which includes earlier ones.
    pub digest: Option<Digest>,
    pub records: Vec<StoredRecord>,
}

impl RecordedHistory {
    pub fn new<'r>(records: impl Iterator<Item = &'r StoredRecord>) -> Self {
        let records: Vec<StoredRecord> = records.cloned().collect();
        let digest = records.iter().rev().find_map(|record| record.digest.as_deref());
        Self {
            first_request: records.iter().find_map(|record| record.first_request.clone()),
            digest: digest.map(Digest::from_json),
            records,
        }
    }
}

/// The fields of a message that some provider's request format knows (R7.8); an allow-list, since several providers
/// reject unknown fields. All are sent to every provider: thinking and signatures must return (EDGE 24 to 26).
#[rustfmt::skip] // Each format has lines of its own.
pub const REQUEST_FIELDS: [&str; 31] = [
    "role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio", // OpenAI chat
    "toolCalls", "toolCallId", "toolName", "functionCall", "isError", "reasoningContent", // as applications store them
    "reasoning_content", "prefix", // DeepSeek
    "reasoning", "reasoning_details", // OpenRouter
    "thinking", "thinking_blocks", "redacted_thinking", "signature", "cache_control", // Anthropic's, as gateways add
    "parts", "thoughtSignature", "thought_signature", "extra_content", // Gemini
    "images", "tool_name", // Ollama
    "partial", // Qwen, Moonshot
    "providerOptions", // The AI SDK, whose text messages look like chat's
];

/// Where applications store the usage of a request. A compression clears these fields on copies of the messages that
/// stay, since they count a history that no longer exists (R7.7, EDGE 5).
pub const USAGE_FIELDS: [&str; 14] = [
    "usage", "usageMetadata", "usage_metadata", "_usage", "tokenUsage", "token_usage", "promptTokens", "prompt_tokens",
    "completionTokens", "completion_tokens", "totalTokens", "total_tokens", "tokens", "tokenCount",
];

#[cfg(test)]
mod tests;
