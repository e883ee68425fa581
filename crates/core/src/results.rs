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

named_enum! {
    /// The language of the texts that this package writes: sentences for users, placeholders, prompts. Its name is its tag.
    #[derive(Default)]
    Language {
        /// The default: its texts equal those of the application's functions that the drop-in functions replace.
        #[default]
        Chinese = "zh",
        English = "en",
    }
}

pub(crate) fn in_language<T>(language: Language, chinese: T, english: T) -> T {
    if language == Language::Chinese { chinese } else { english }
}
