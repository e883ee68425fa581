//! Data that lets a database other than `SQLite` find the same messages in the same order: texts and grams to store, words and
//! grams to query. The database counts words and bytes; [`ranked_hits`](crate::ranked_hits) ranks by these counts.

use crate::grams::{grams_of_text, grams_of_words};
use crate::query::Query;
use crate::search::snippet_of;
use crate::text::{folded, without_base64};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedText {
    /// Without base64 and NUL, case folded.
    pub text: String,
    /// The grams to index, in order.
    pub grams: Vec<i32>,
}

/// A parsed query, case folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedQuery {
    /// The words that must all occur.
    pub words: Vec<String>,
    /// The words whose occurrences rank the hits; without any, the newest come first.
    pub ranking: Vec<String>,
    /// The grams that a match must contain; if empty, the index is useless for this query.
    pub grams: Vec<i32>,
}

/// What to store for `text`. O(text · log).
pub fn index_text(text: &str, tenant: &str) -> IndexedText {
    let text = folded(&without_base64(text));
    IndexedText { grams: grams_of_text(&text, tenant), text }
}

/// Parses `query`; the caller must check [`is_within_limits`](crate::is_within_limits).
pub fn parse_query(query: &str, tenant: &str) -> ParsedQuery {
    let query = Query::parse(query);
    ParsedQuery {
        words: query.words().to_vec(),
        ranking: query.ranking_words().into_iter().map(str::to_owned).collect(),
        grams: grams_of_words(query.words(), tenant),
    }
}

/// The first match in a found message's text; empty if there is no match.
pub fn snippet(query: &str, text: &str, context_chars: usize) -> String {
    snippet_of(&Query::parse(query), &without_base64(text), context_chars).unwrap_or_default()
}
