//! What a database other than `SQLite` is given, so that it finds the same messages in the same order: texts and grams to store, words
//! and grams to ask for. It counts words and bytes; [`found_best_first`](crate::found_best_first) decides by these.

use crate::grams::{of_text, of_words};
use crate::query::Query;
use crate::search::snippet_of;
use crate::text::{folded, without_base64};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// Without base64 and NUL, case folded.
    pub text: String,
    /// What an index holds, in order.
    pub grams: Vec<i32>,
}

/// What a query asks for, case folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The words that must all occur.
    pub words: Vec<String>,
    /// The words whose occurrences rank the hits; without any, the newest come first.
    pub ranking: Vec<String>,
    /// The grams that the index must all have; where there are none, the index is of no use to this query.
    pub grams: Vec<i32>,
}

/// What is stored of `text`. O(text · log).
pub fn indexed(text: &str, tenant: &str) -> Indexed {
    let text = folded(&without_base64(text));
    Indexed { grams: of_text(&text, tenant), text }
}

/// What `query` asks for; [`is_within_limits`](crate::is_within_limits) is for the caller to ask.
pub fn asked(query: &str, tenant: &str) -> Asked {
    let query = Query::parse(query);
    Asked {
        words: query.words().to_vec(),
        ranking: query.ranking_words().into_iter().map(str::to_owned).collect(),
        grams: of_words(query.words(), tenant),
    }
}

/// The first match in a found message's text; empty where it holds no match.
pub fn snippet(query: &str, text: &str, context_chars: usize) -> String {
    snippet_of(&Query::parse(query), &without_base64(text), context_chars).unwrap_or_default()
}
