//! Reported usage of a session.

use palimpsest_core::provider::usage::Usage;
use serde::Serialize;

/// Usage reported by the provider, in classes that don't overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageFigures {
    pub requests: usize,
    pub prompt: u64,
    pub input: u64,
    pub cache_read: u64,
    pub cache_write_5m: u64,
    pub cache_write_1h: u64,
    pub cache_write: u64,
    pub output: u64,
}

impl UsageFigures {
    pub(super) fn of(requests: usize, usage: &Usage) -> Self {
        Self {
            requests,
            prompt: usage.total(),
            input: usage.uncached,
            cache_read: usage.cache_read,
            cache_write_5m: usage.cache_write_5m,
            cache_write_1h: usage.cache_write_1h,
            cache_write: usage.cache_write_unspecified(),
            output: usage.output,
        }
    }
}

/// Tokens of prompts and output without a known price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnpricedModel {
    /// `None` if the file doesn't name it.
    pub model: Option<String>,
    pub tokens: u64,
}
