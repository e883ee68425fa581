//! Defines the fields of a compression's record and their order.

use serde_json::json;

use super::digest::Digest;

/// A compression's record without the original messages; the JavaScript side appends those (R7.7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordFields<'r> {
    pub id: &'r str,
    /// Nesting depth, itself included.
    pub level: u32,
    /// For a notice, how many messages it replaces and their tokens, including those of earlier notices. `None` for a
    /// summary.
    pub dropped: Option<(usize, f64)>,
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
        });
        let dropped = self.dropped.map(|(messages, tokens)| {
            [("droppedCount", json!(messages)), ("droppedTokens", json!(tokens.round()))]
        });
        let first_request = self.first_request.map(|request| ("firstRequest", json!(request)));
        let rest = dropped.into_iter().flatten().chain(first_request);
        let rest = rest.chain([("digest", self.digest.to_value())]);
        if let Some(fields) = fields.as_object_mut() {
            fields.extend(rest.map(|(name, value)| (name.to_owned(), value)));
        }
        fields.to_string()
    }
}

/// `tokens` as a share of the window, rounded to four decimals.
pub fn window_share(tokens: f64, window_tokens: f64) -> f64 {
    if window_tokens > 0.0 { (tokens / window_tokens * 10_000.0).round() / 10_000.0 } else { 0.0 }
}
