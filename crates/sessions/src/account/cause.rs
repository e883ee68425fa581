//! Causes of cache misses.

use serde::Serialize;

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
