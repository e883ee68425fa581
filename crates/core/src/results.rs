//! Decides what of a tool's result a model gets to see: no binary data, a few lines of text, a friendly error.

pub mod binary_data;
pub mod format;
pub mod json_rewrite;
pub mod overflow;
pub mod progress;

/// The language of what a user reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Chinese,
    English,
}

impl Language {
    /// The language of that tag: `zh`, `zh-CN`, `en`, `en-US` …; `None` for others.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next()?.to_ascii_lowercase().as_str() {
            "zh" => Some(Self::Chinese),
            "en" => Some(Self::English),
            _ => None,
        }
    }
}
