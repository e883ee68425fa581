//! Searches archived messages for the words of a query, and cuts a snippet around the first match in each.

use std::time::Instant;

use rusqlite::{Connection, Row, ToSql};

use crate::batch::StoredMessage;
use crate::batches::milliseconds;
use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::open::Archive;
use crate::query::{IndexQuery, Query};
use crate::ranking::best_first;
use crate::rows::verified_message;
use crate::text::folded;

/// Default number of hits.
pub const DEFAULT_HITS: u32 = 20;
/// The most hits per call.
pub const MAX_HITS: u32 = 1_000;
/// Default number of characters shown on either side of a match.
pub const CONTEXT_CHARS: u32 = 60;
/// Marks where a snippet was cut.
const CUT: char = '…';

/// What to search for, and which of the hits to return.
#[derive(Debug, Clone, Copy)]
pub struct Search<'s> {
    /// Words separated by white space, all of which must occur; a phrase in double quotes counts as one word. Case
    /// doesn't matter.
    pub query: &'s str,
    /// Searches only this session.
    pub session: Option<&'s str>,
    /// The most hits to return.
    pub limit: usize,
    /// How many of the first hits to skip.
    pub offset: usize,
    /// Characters shown on either side of the match.
    pub context_chars: usize,
}

/// A message that contains every word of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub session: String,
    /// The id of the message's batch.
    pub batch: String,
    /// The message's index in the batch.
    pub position: u32,
    /// When the batch was removed from the conversation, ms since the epoch.
    pub at_ms: f64,
    /// The first match with its surroundings.
    pub snippet: String,
    pub message: StoredMessage,
}

const BY_WORDS: &str = "SELECT rowid FROM message_index WHERE message_index MATCH ?1 ORDER BY rowid DESC";
const BY_WORDS_IN_SESSION: &str = "
    SELECT message_index.rowid FROM message_index
    JOIN messages ON messages.id = message_index.rowid JOIN batches ON batches.id = messages.batch
    WHERE message_index MATCH ?1 AND batches.session = ?2 ORDER BY message_index.rowid DESC";
const BY_TERM: &str =
    "SELECT DISTINCT doc FROM temp.message_terms WHERE term >= ?1 AND term <= ?2 ORDER BY doc DESC";
const BY_TERM_IN_SESSION: &str = "
    SELECT DISTINCT doc FROM temp.message_terms
    JOIN messages ON messages.id = doc JOIN batches ON batches.id = messages.batch
    WHERE term >= ?1 AND term <= ?2 AND batches.session = ?3 ORDER BY doc DESC";
const READ: &str = "
    SELECT batches.session, batches.name, batches.at_ms, messages.position, messages.role, messages.text, messages.json,
        messages.checksum
    FROM messages JOIN batches ON batches.id = messages.batch WHERE messages.id = ?1";

impl Archive {
    /// The messages that contain every word of the query, best first (see `ranking.rs`), the newest first among equals.
    /// Words of one or two characters don't rank: if there are no others, the newest come first.
    ///
    /// A query without words finds nothing; the caller must check [`is_within_limits`](crate::is_within_limits).
    /// O(messages that may match), plus one read for each that is ranked, returned or skipped.
    ///
    /// # Errors
    /// Any error of reading the file. `Timeout` if it takes longer than the archive's options allow.
    pub fn search(&mut self, search: &Search<'_>) -> Result<Vec<Hit>, Failure> {
        let deadline = Deadline::after(self.settings.search_timeout);
        let run = SearchRun { search, query: Query::parse(search.query), started: Instant::now(), deadline };
        let Some(index_query) = run.query.index_query() else { return Ok(Vec::new()) };
        deadline.limit(&mut self.connection, |connection| run.find(connection, &index_query))
    }
}

/// A search that is in progress.
struct SearchRun<'s> {
    search: &'s Search<'s>,
    query: Query,
    started: Instant,
    deadline: Deadline,
}

impl SearchRun<'_> {
    fn find(&self, connection: &mut Connection, index_query: &IndexQuery) -> Result<Vec<Hit>, Failure> {
        let transaction = connection.transaction()?;
        let rows = candidate_rows(&transaction, index_query, self.search.session)?;
        let candidates = rows.len();
        let rows = best_first(&transaction, &self.query, rows, self.deadline)?;
        let hits = self.read_hits(&transaction, &rows)?;
        let (count, duration_ms) = (hits.len(), milliseconds(self.started));
        tracing::debug!(candidates, count, duration_ms, "archive search");
        Ok(hits)
    }

    /// Reads candidates in order until there are enough hits.
    fn read_hits(&self, connection: &Connection, candidates: &[i64]) -> Result<Vec<Hit>, Failure> {
        let Search { limit, offset, context_chars, .. } = *self.search;
        let mut statement = connection.prepare(READ)?;
        let mut hits = Vec::new();
        let mut match_count = 0;
        for &candidate in candidates {
            if hits.len() >= limit {
                break;
            }
            self.deadline.check()?;
            let mut rows = statement.query([candidate])?;
            let Some(row) = rows.next()? else { continue };
            let hit = read_hit(row)?;
            let snippet = snippet_of(&self.query, &hit.message.text, context_chars);
            let Some(snippet) = snippet else { continue };
            if match_count >= offset {
                hits.push(Hit { snippet, ..hit });
            }
            match_count += 1;
        }
        Ok(hits)
    }
}

/// The row ids of messages that may match, newest first, so that many can be found without holding all their texts.
fn candidate_rows(
    connection: &Connection,
    index_query: &IndexQuery,
    session: Option<&str>,
) -> Result<Vec<i64>, Failure> {
    let (sql, mut parameters): (&str, Vec<&dyn ToSql>) = match (index_query, session) {
        (IndexQuery::Expression(words), None) => (BY_WORDS, vec![words]),
        (IndexQuery::Expression(words), Some(_)) => (BY_WORDS_IN_SESSION, vec![words]),
        (IndexQuery::Terms { first, last }, None) => (BY_TERM, vec![first, last]),
        (IndexQuery::Terms { first, last }, Some(_)) => (BY_TERM_IN_SESSION, vec![first, last]),
    };
    parameters.extend(session.as_ref().map(|session| session as &dyn ToSql));
    let mut statement = connection.prepare(sql)?;
    Ok(statement.query_map(parameters.as_slice(), |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Without its snippet.
fn read_hit(row: &Row<'_>) -> Result<Hit, Failure> {
    let (session, batch): (String, String) = (row.get("session")?, row.get("name")?);
    let message = verified_message(row, &session, &batch)?;
    let (position, at_ms) = (row.get("position")?, row.get("at_ms")?);
    Ok(Hit { session, batch, position, at_ms, snippet: String::new(), message })
}

/// The first match in `text` with its surroundings. `None` if a word is missing: the index may not have been queried for
/// short ones.
pub fn snippet_of(query: &Query, text: &str, context_chars: usize) -> Option<String> {
    let folded = folded(text);
    let (at, len) = query.find(&folded)?;
    let characters = |range: Option<&str>| range.unwrap_or_default().chars().count();
    let match_start = characters(folded.get(..at));
    let match_chars = characters(folded.get(at..at + len));
    Some(around(text, match_start, match_chars, context_chars))
}

/// The whole match, and at most `context` characters on either side. All counts are in characters of `text`.
fn around(text: &str, match_start: usize, match_chars: usize, context: usize) -> String {
    let start = match_start.saturating_sub(context);
    let kept_chars = match_start - start + match_chars + context;
    let mut characters = text.chars().skip(start);
    let mut snippet = String::new();
    if start > 0 {
        snippet.push(CUT);
    }
    snippet.extend(characters.by_ref().take(kept_chars));
    if characters.next().is_some() {
        snippet.push(CUT);
    }
    snippet
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
