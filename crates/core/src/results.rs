//! Prepares a tool result for the model: removes binary data, formats the outcome as text, recognises errors (R5).

mod base64_detection;
mod base64_group;
mod base64_runs;
mod base64_tokens;
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
    /// The default; these texts equal those of the functions that the drop-in functions replace.
    #[default]
    Chinese,
    English,
}

impl Language {
    /// As callers spell them; the default first.
    pub const TAGS: [&str; 2] = ["zh", "en"];

    pub fn from_tag(tag: &str) -> Option<Self> {
        [Self::Chinese, Self::English]
            .into_iter()
            .zip(Self::TAGS)
            .find_map(|(language, name)| (name == tag).then_some(language))
    }

    pub fn tag(self) -> &'static str {
        let [chinese, english] = Self::TAGS;
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}
