//! Data that lets a database other than `SQLite` find the same messages in the same order. A *gram* is some neighbouring
//! characters, stored as the number to which they are hashed: each character beyond ASCII and each pair of them, since
//! Chinese words have one or two; three ASCII characters, since fewer are too frequent.

use crate::query::{MAX_TERMS, Query};
use crate::search::snippet_of;
use crate::text::{folded, without_base64};

const ASCII_CHARS: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedText {
    /// Without base64 and NUL, case folded.
    pub text: String,
    pub grams: Vec<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedQuery {
    pub words: Vec<String>,
    /// The words whose occurrences rank the hits; without any, the newest come first.
    pub ranking: Vec<String>,
    /// The grams that a match must contain; if empty, the index is useless for this query.
    pub grams: Vec<i32>,
}

pub fn index_text(text: &str, tenant: &str) -> IndexedText {
    let text = folded(&without_base64(text));
    IndexedText { grams: grams_of_text(&text, tenant), text }
}

/// Parses `query`; the caller must check [`is_within_limits`](crate::is_within_limits).
pub fn parse_query(query: &str, tenant: &str) -> ParsedQuery {
    let query = Query::parse(query);
    ParsedQuery {
        words: query.words.clone(),
        ranking: query.ranking_words().into_iter().map(str::to_owned).collect(),
        grams: grams_of_words(&query.words, tenant),
    }
}

/// The first match in a found message's text; empty if there is no match.
pub fn snippet(query: &str, text: &str, context_chars: usize) -> String {
    snippet_of(&Query::parse(query), &without_base64(text), context_chars).unwrap_or_default()
}

/// The grams of a folded text. Grams of different `tenant`s differ, so that no tenant scans another's lists. O(text · log).
fn grams_of_text(folded: &str, tenant: &str) -> Vec<i32> {
    let characters: Vec<char> = folded.chars().collect();
    let grams = runs(&characters).flat_map(|run| {
        let sizes: &[usize] = if is_ascii(run) { &[ASCII_CHARS] } else { &[1, 2] };
        sizes.iter().flat_map(|&size| run.windows(size)).map(|gram| hash(tenant, gram))
    });
    sorted_without_duplicates(grams)
}

/// Grams that every text with all these words has; empty if each word is too short. A pair implies its single characters.
fn grams_of_words(words: &[String], tenant: &str) -> Vec<i32> {
    let max_of_word = (MAX_TERMS / words.len().max(1)).max(1);
    let grams_of_word = |word: &String| -> Vec<i32> {
        let characters: Vec<char> = word.chars().collect();
        let grams = runs(&characters).flat_map(|run| {
            let size = if is_ascii(run) { ASCII_CHARS } else { run.len().clamp(1, 2) };
            run.windows(size).map(|gram| hash(tenant, gram))
        });
        grams.take(max_of_word).collect()
    };
    sorted_without_duplicates(words.iter().flat_map(grams_of_word))
}

fn sorted_without_duplicates(grams: impl Iterator<Item = i32>) -> Vec<i32> {
    let mut grams: Vec<i32> = grams.collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

fn runs(characters: &[char]) -> impl Iterator<Item = &[char]> {
    characters.chunk_by(|one, other| one.is_ascii() == other.is_ascii())
}

fn is_ascii(run: &[char]) -> bool {
    run.first().is_some_and(char::is_ascii)
}

/// FNV-1a, 32 bits. If two grams have the same hash, the only cost is reading a message that doesn't match.
fn hash(tenant: &str, gram: &[char]) -> i32 {
    let characters = gram.iter().flat_map(|&character| u32::from(character).to_le_bytes());
    let bytes = tenant.bytes().chain([0xFF]).chain(characters);
    bytes.fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)).cast_signed()
}

#[cfg(test)]
mod tests;
