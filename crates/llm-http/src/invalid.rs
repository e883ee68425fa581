//! Defines the error for an option or request that is rejected before anything is sent.

/// An invalid option. Never shows the value: it may contain a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option}: expected {expected}, got {actual}")]
pub struct Invalid {
    /// The name that users know, such as `baseUrl`.
    pub option: String,
    pub expected: &'static str,
    pub actual: &'static str,
}

impl Invalid {
    pub(crate) fn new(option: impl Into<String>, expected: &'static str, actual: &'static str) -> Self {
        Self { option: option.into(), expected, actual }
    }
}
