//! Parses a search query. A query is data: only white space and double quotes have a meaning.

use std::collections::BTreeSet;

use crate::text::folded;

pub const MAX_QUERY_CHARS: usize = 1_000;
/// The most words in a query; each costs a scan of the index.
pub const MAX_QUERY_WORDS: usize = 32;
/// Characters of a term in the index; shorter words match the beginnings of terms.
const TERM_CHARS: usize = 3;
/// The most terms that are looked up in the index: more would hardly reduce the candidates further, and each costs a scan.
pub const MAX_TERMS: usize = 64;

pub fn is_within_limits(query: &str) -> bool {
    query.chars().nth(MAX_QUERY_CHARS).is_none() && Query::parse(query).words.len() <= MAX_QUERY_WORDS
}

#[derive(Debug, PartialEq, Eq)]
pub enum IndexQuery {
    Expression(String),
    Terms { first: String, last: String },
}

#[derive(Debug, PartialEq, Eq)]
pub struct Query {
    /// Case folded; a message must contain all of them.
    pub words: Vec<String>,
}

impl Query {
    /// Splits at white space. A double quote at the beginning of a word opens a phrase, which ends at the next double
    /// quote; white space or the end must follow. Any other double quote is an ordinary character.
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

    /// Finds a superset of the matching messages; `None` for an empty query. Words of one or two characters, as most
    /// Chinese words are, are looked up only if all words are that short.
    pub fn index_query(&self) -> Option<IndexQuery> {
        let long_words = self.ranking_words();
        if long_words.is_empty() {
            let longest = self.words.iter().max_by_key(|word| word.chars().count())?;
            return Some(IndexQuery::Terms { first: longest.clone(), last: format!("{longest}{}", char::MAX) });
        }
        let max_of_word = (MAX_TERMS / long_words.len()).max(1);
        let terms: BTreeSet<String> = long_words.iter().flat_map(|word| terms(word).take(max_of_word)).collect();
        // Each as a string in the index's query language.
        let quoted = terms.iter().map(|term| format!("\"{}\"", term.replace('"', "\"\"")));
        Some(IndexQuery::Expression(quoted.collect::<Vec<_>>().join(" AND ")))
    }

    /// The words that rank messages: those long enough to be rare.
    pub fn ranking_words(&self) -> Vec<&str> {
        let is_long = |word: &&str| word.chars().nth(TERM_CHARS - 1).is_some();
        self.words.iter().map(String::as_str).filter(is_long).collect()
    }

    /// Byte position and length of the first word in `folded`, if all words occur.
    pub fn find(&self, folded: &str) -> Option<(usize, usize)> {
        let first = self.words.first()?;
        let at = folded.find(first.as_str())?;
        self.words.iter().all(|word| folded.contains(word.as_str())).then_some((at, first.len()))
    }
}

/// The index's terms in `word`, without duplicates.
fn terms(word: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = word.chars().collect();
    let windows: Vec<String> = characters.windows(TERM_CHARS).map(|term| term.iter().collect()).collect();
    let mut seen = BTreeSet::new();
    windows.into_iter().filter(move |term| seen.insert(term.clone()))
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
mod tests;
