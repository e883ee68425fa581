//! Prepares a tool result for the model: removes binary data, formats the outcome as text, recognises errors (R5).

mod base64_detection;
mod base64_runs;
pub(crate) mod base64_tokens;
pub mod binary_data;
pub mod binary_runs;
pub mod byte_lists;
mod data_urls;
pub mod format;
pub mod json_rewrite;
pub mod overflow;
pub mod progress;

/// The language of the texts that this package writes: sentences for users, placeholders, prompts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The default: its texts equal those of the application's functions that the drop-in functions replace.
    #[default]
    Chinese,
    English,
}

impl Language {
    /// The tags of all languages; the default first.
    pub const TAGS: [&str; 2] = [Self::Chinese.tag(), Self::English.tag()];

    pub fn from_tag(tag: &str) -> Option<Self> {
        [Self::Chinese, Self::English].into_iter().find(|language| language.tag() == tag)
    }

    pub const fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh",
            Self::English => "en",
        }
    }
}

pub(crate) fn in_language<T>(language: Language, chinese: T, english: T) -> T {
    if language == Language::Chinese { chinese } else { english }
}
