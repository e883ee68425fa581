//! Why a request found its prefix in the provider's cache, or didn't.

use serde::Serialize;

/// Why a prefix was, or wasn't, in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The pause was longer than the cache lives.
    Idle,
    /// The agent replaced its history, or cleared results.
    Compaction,
    /// The prompt began otherwise: a rewind, other instructions, or it shrank though no record says why.
    EditedPrefix,
    /// Nothing in the file tells.
    Unknown,
}

impl Cause {
    /// The words for it in tables.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Idle => "a pause, and the cache had expired",
            Self::Compaction => "the agent replaced its history, or cleared results",
            Self::EditedPrefix => "the prompt began otherwise",
            Self::Unknown => "nothing in the file says why",
        }
    }
}
