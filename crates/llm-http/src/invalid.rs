/// An invalid option. Never shows the value: it may contain a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option}: expected {expected}, got {came}")]
pub struct Invalid {
    /// The name that users know, such as `baseUrl`.
    pub option: String,
    pub expected: &'static str,
    pub came: &'static str,
}

impl Invalid {
    pub(crate) fn new(option: impl Into<String>, expected: &'static str, came: &'static str) -> Self {
        Self { option: option.into(), expected, came }
    }
}
