//! Decides what a search asks for. A query is data: nothing in it is an operator but white space and double quotes.

use std::collections::BTreeSet;

use crate::text::folded;

/// The longest query in characters: nobody types more, and each word costs a walk through the index.
pub const MOST_QUERY_CHARS: usize = 1_000;

pub const MOST_QUERY_WORDS: usize = 32;

/// Whether a query is to be answered. O(query).
pub fn is_within_limits(query: &str) -> bool {
    query.chars().nth(MOST_QUERY_CHARS).is_none() && Query::parse(query).words.len() <= MOST_QUERY_WORDS
}

/// Characters of a term in the index; shorter words are beginnings of terms.
const TERM_CHARS: usize = 3;

/// The most terms that the index is asked for: more would hardly narrow down further, and each costs a walk through it.
pub const MOST_TERMS: usize = 64;

/// Where the messages that may match come from.
#[derive(Debug, PartialEq, Eq)]
pub enum IndexQuery {
    /// An expression of the full-text index.
    Expression(String),
    /// Terms from the first to the second, both included.
    Terms(String, String),
}

/// Words of which a message must hold every one, case folded.
#[derive(Debug, PartialEq, Eq)]
pub struct Query {
    words: Vec<String>,
}

impl Query {
    /// Splits at white space. A word that begins with a double quote goes on to the next one, if that ends a word:
    /// it is a phrase. Any other double quote is a character.
    pub fn parse(query: &str) -> Self {
        let mut words = Vec::new();
        let mut rest = query.trim_start();
        while !rest.is_empty() {
            let (word, after) = phrase(rest).unwrap_or_else(|| word(rest));
            words.push(folded(word));
            rest = after.trim_start();
        }
        Self { words }
    }

    /// Messages among which all that match are; `None` when nothing is asked.
    ///
    /// Words of one or two characters, which most Chinese words are, narrow down only where there is no longer one.
    pub fn candidates(&self) -> Option<IndexQuery> {
        let long = self.ranking_words();
        if !long.is_empty() {
            let share = (MOST_TERMS / long.len()).max(1);
            let terms: BTreeSet<String> = long.iter().flat_map(|word| terms(word).take(share)).collect();
            let terms: Vec<_> = terms.iter().map(|term| quoted(term)).collect();
            return Some(IndexQuery::Expression(terms.join(" AND ")));
        }
        let shortest_list = self.words.iter().max_by_key(|word| word.chars().count())?;
        Some(IndexQuery::Terms(shortest_list.clone(), format!("{shortest_list}{}", char::MAX)))
    }

    /// All words, case folded.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The words by which messages are put in order: those that are long enough to be rare.
    pub fn ranking_words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).filter(|word| is_long(word)).collect()
    }

    /// Where in `folded` (bytes) the first word stands and how long it is, when all words occur.
    pub fn find(&self, folded: &str) -> Option<(usize, usize)> {
        let first = self.words.first()?;
        let at = folded.find(first.as_str())?;
        self.words.iter().all(|word| folded.contains(word.as_str())).then_some((at, first.len()))
    }
}

fn is_long(word: &str) -> bool {
    word.chars().nth(TERM_CHARS - 1).is_some()
}

/// The index's terms in `word`, each once.
fn terms(word: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = word.chars().collect();
    let windows: Vec<String> = characters.windows(TERM_CHARS).map(|term| term.iter().collect()).collect();
    let mut seen = BTreeSet::new();
    windows.into_iter().filter(move |term| seen.insert(term.clone()))
}

/// As a string of the index's own query language.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

fn phrase(rest: &str) -> Option<(&str, &str)> {
    let (phrase, after) = rest.strip_prefix('"')?.split_once('"')?;
    let ends_a_word = after.chars().next().is_none_or(char::is_whitespace);
    (ends_a_word && !phrase.is_empty()).then_some((phrase, after))
}

fn word(rest: &str) -> (&str, &str) {
    rest.split_at_checked(rest.find(char::is_whitespace).unwrap_or(rest.len())).unwrap_or((rest, ""))
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
