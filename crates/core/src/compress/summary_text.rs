//! What a summary's content is made of, and how its model's own text is found in it again.

use super::digest::render::heading;
use crate::results::Language;

/// What a summary's content begins with: hosts and their users know it.
pub const SUMMARY_PREFIX: &str = "[压缩摘要]\n";

/// The model's own text in a summary's content: without prefix and digest.
#[must_use]
pub fn summary_text_of(content: &str) -> &str {
    let content = content.trim_start();
    let text = content.strip_prefix(SUMMARY_PREFIX.trim_end()).unwrap_or(content);
    let digest_at = |language| {
        let heading = heading(language);
        text.match_indices(heading).map(|(at, _)| at).find(|&at| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + heading.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'))
        })
    };
    let end = [Language::Chinese, Language::English].into_iter().filter_map(digest_at).min();
    text.get(..end.unwrap_or(text.len())).unwrap_or_default().trim()
}
