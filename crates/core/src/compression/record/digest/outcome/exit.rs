//! What a process left behind, and which values stand for none.

/// What a process left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::compression::record::digest) enum Exit {
    /// Its exit code.
    Code(i64),
    /// No code: a signal ended it.
    Killed,
}

/// A value that stands for none.
pub(super) fn says_nothing(value: &str) -> bool {
    let value = value.trim().trim_matches(['(', ')', '"', '\'']).to_ascii_lowercase();
    matches!(value.as_str(), "none" | "null" | "undefined" | "empty" | "no error" | "无" | "n/a")
}
