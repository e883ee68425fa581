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
