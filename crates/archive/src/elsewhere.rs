//! What a database other than `SQLite` is given, so that it finds the same messages in the same order: texts and grams to store, words
//! and grams to ask for. It counts words and bytes; [`found_best_first`](crate::found_best_first) decides by these.

use crate::grams::{of_text, of_words};
use crate::query::Query;
use crate::search::snippet_of;
use crate::text::{folded, without_base64};

/// What is stored to find a message by.
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
    /// Each of which must occur.
    pub words: Vec<String>,
    /// Those whose occurrences rank; where there are none, the newest come first.
    pub ranking: Vec<String>,
    /// All of which the index must have; where there are none, it is of no use.
    pub grams: Vec<i32>,
}

/// What is stored of `text`. O(text · log).
#[must_use]
pub fn indexed(text: &str, tenant: &str) -> Indexed {
    let text = folded(&without_base64(text));
    Indexed { grams: of_text(&text, tenant), text }
}

/// What `query` asks for; [`is_within_limits`](crate::is_within_limits) is for the caller to ask.
#[must_use]
pub fn asked(query: &str, tenant: &str) -> Asked {
    let query = Query::parse(query);
    Asked {
        words: query.words().to_vec(),
        ranking: query.ranking_words().into_iter().map(str::to_owned).collect(),
        grams: of_words(query.words(), tenant),
    }
}

/// The first match in a found message's text; empty where it holds no match.
#[must_use]
pub fn snippet(query: &str, text: &str, context_chars: usize) -> String {
    snippet_of(&Query::parse(query), &without_base64(text), context_chars).unwrap_or_default()
}
