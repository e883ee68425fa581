//! Requests that lost the prompt cache, and why.

use serde::Serialize;

use super::surprises::Surprise;

/// A request that read fewer tokens from the cache than the previous request held.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bust {
    /// Index of the thread, and of the request in it.
    pub thread: usize,
    pub request: usize,
    pub line: u64,
    pub at_ms: Option<i64>,
    /// Time since the previous request; 0 if a timestamp is missing.
    pub pause_ms: f64,
    pub cause: Cause,
    /// What happened, if nothing in the file predicts the loss.
    pub surprise: Option<Surprise>,
    /// True if the file predicts the loss, so that the predicted bill includes it.
    pub announced: bool,
    /// Tokens of this prompt that the previous request held.
    pub expected_tokens: f64,
    pub read_tokens: u64,
    /// Extra cost compared with a cache hit on the previous request: in units of base input, and in US dollars if known.
    pub cost: f64,
    pub usd: Option<f64>,
}

/// Why a prefix wasn't in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The pause was longer than the cache's lifetime.
    Idle,
    /// The agent replaced its history, or cleared results.
    Compaction,
    /// The prefix changed: a rewind, other instructions, or an unexplained shrink.
    EditedPrefix,
    /// The file does not tell.
    Unknown,
}

impl Cause {
    /// Text for tables.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Idle => "a pause, and the cache had expired",
            Self::Compaction => "the agent replaced its history, or cleared results",
            Self::EditedPrefix => "the prompt began otherwise",
            Self::Unknown => "nothing in the file says why",
        }
    }
}
