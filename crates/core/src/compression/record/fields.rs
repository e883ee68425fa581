//! Defines the fields of a compression's record and their order.

use serde_json::{Map, Value, json};

use super::digest::Digest;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RecordKind {
    Summary,
    /// A notice; the counts include those of earlier notices that this cut removes.
    Truncation {
        dropped_messages: usize,
        dropped_tokens: f64,
    },
}

/// A compression's record without the original messages; the JavaScript side appends those (R7.7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fields<'r> {
    pub id: &'r str,
    /// Nesting depth, itself included.
    pub level: u32,
    pub kind: RecordKind,
    pub tokens_before: f64,
    /// The size of the context window.
    pub window_tokens: f64,
    /// The model that wrote the summary, if known.
    pub model: Option<&'r str>,
    pub duration_ms: f64,
    /// The user's first request, for later compressions.
    pub first_request: Option<&'r str>,
    pub digest: &'r Digest,
}

impl Fields<'_> {
    /// `beforeCount`, `afterCount`, `tokensAfter` and `usageAfter` are 0, because they aren't known yet.
    pub fn to_json(&self) -> String {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| {
            fields.insert(name.to_owned(), value);
        };
        put("id", json!(self.id));
        put("level", json!(self.level));
        put("kind", json!(if self.kind == RecordKind::Summary { "summary" } else { "truncation" }));
        put("beforeCount", json!(0));
        put("afterCount", json!(0));
        put("tokensBefore", json!(self.tokens_before.round()));
        put("tokensAfter", json!(0));
        put("windowTokens", json!(self.window_tokens));
        put("usageBefore", json!(share_of(self.tokens_before, self.window_tokens)));
        put("usageAfter", json!(0));
        put("model", json!(self.model));
        put("durationMs", json!(self.duration_ms.round()));
        if let RecordKind::Truncation { dropped_messages, dropped_tokens } = self.kind {
            put("droppedCount", json!(dropped_messages));
            put("droppedTokens", json!(dropped_tokens.round()));
        }
        if let Some(first_request) = self.first_request {
            put("firstRequest", json!(first_request));
        }
        put("digest", self.digest.to_value());
        Value::Object(fields).to_string()
    }
}

/// Usage as a share of the window, rounded to four decimals.
pub fn share_of(tokens: f64, window_tokens: f64) -> f64 {
    if window_tokens > 0.0 { (tokens / window_tokens * 10_000.0).round() / 10_000.0 } else { 0.0 }
}
