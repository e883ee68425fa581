//! Searches archived messages for the words of a query, and cuts a snippet around the first match in each.

use std::time::Instant;

use rusqlite::{Connection, ToSql};

use crate::batches::milliseconds;
use crate::failure::Failure;
use crate::open::Archive;
use crate::query::{IndexQuery, Query};
use crate::ranking::{Deadline, best_first};
use crate::rows::{StoredMessage, verified_message};
use crate::text::folded;

pub const DEFAULT_HITS: u32 = 20;
pub const MAX_HITS: u32 = 1_000;
pub const CONTEXT_CHARS: u32 = 60;
const CUT: &str = "…";

#[derive(Debug, Clone, Copy)]
pub struct Search<'s> {
    /// Words separated by white space, all of which must occur, in any case; a phrase in double quotes counts as one word.
    pub query: &'s str,
    pub session: Option<&'s str>,
    /// The most hits to return, after this many that are skipped.
    pub limit: usize,
    pub offset: usize,
    pub context_chars: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub session: String,
    /// The id of the message's batch.
    pub batch: String,
    pub position: u32,
    /// When the batch was removed from the conversation, ms since the epoch.
    pub at_ms: f64,
    pub snippet: String,
    pub message: StoredMessage,
}

const BY_WORDS: &str = "SELECT rowid FROM message_index WHERE message_index MATCH ?1 ORDER BY rowid DESC";
const BY_WORDS_IN_SESSION: &str = "
    SELECT message_index.rowid FROM message_index
    JOIN messages ON messages.id = message_index.rowid JOIN batches ON batches.id = messages.batch
    WHERE message_index MATCH ?1 AND batches.session = ?2 ORDER BY message_index.rowid DESC";
const BY_TERM: &str = "SELECT DISTINCT doc FROM temp.message_terms WHERE term >= ?1 AND term <= ?2 ORDER BY doc DESC";
const BY_TERM_IN_SESSION: &str = "
    SELECT DISTINCT doc FROM temp.message_terms
    JOIN messages ON messages.id = doc JOIN batches ON batches.id = messages.batch
    WHERE term >= ?1 AND term <= ?2 AND batches.session = ?3 ORDER BY doc DESC";
const READ: &str = "
    SELECT batches.session, batches.name, batches.at_ms, messages.position, messages.role, messages.text, messages.json,
        messages.checksum
    FROM messages JOIN batches ON batches.id = messages.batch WHERE messages.id = ?1";

impl Archive {
    /// The messages that contain every word of the query, best first (see `ranking.rs`), the newest first among equals and if all words
    /// have one or two characters. A query without words finds nothing; the caller must check
    /// [`is_within_limits`](crate::is_within_limits). O(messages that may match), plus one read for each ranked, returned or skipped.
    /// `Timeout` if it takes longer than the archive's options allow.
    pub fn search(&mut self, search: &Search<'_>) -> Result<Vec<Hit>, Failure> {
        let started = Instant::now();
        let deadline = Deadline::after(self.settings.search_timeout);
        let query = Query::parse(search.query);
        let Some(index_query) = query.index_query() else { return Ok(Vec::new()) };
        deadline.limit(&mut self.connection, |connection| {
            let transaction = connection.transaction()?;
            let rows = candidate_rows(&transaction, &index_query, search.session)?;
            let candidates = rows.len();
            let rows = best_first(&transaction, &query, rows, deadline)?;
            let hits = read_hits(&transaction, &rows, search, &query, deadline)?;
            let (count, duration_ms) = (hits.len(), milliseconds(started));
            tracing::debug!(candidates, count, duration_ms, "archive search");
            Ok(hits)
        })
    }
}

fn read_hits(
    connection: &Connection,
    candidates: &[i64],
    &Search { limit, offset, context_chars, .. }: &Search<'_>,
    query: &Query,
    deadline: Deadline,
) -> Result<Vec<Hit>, Failure> {
    let mut statement = connection.prepare(READ)?;
    let (mut hits, mut match_count) = (Vec::new(), 0);
    for &candidate in candidates {
        if hits.len() >= limit {
            break;
        }
        deadline.check()?;
        let mut rows = statement.query([candidate])?;
        let Some(row) = rows.next()? else { continue };
        let (session, batch): (String, String) = (row.get("session")?, row.get("name")?);
        let message = verified_message(row, &session, &batch)?;
        let (position, at_ms) = (row.get("position")?, row.get("at_ms")?);
        let Some(snippet) = snippet_of(query, &message.text, context_chars) else { continue };
        if match_count >= offset {
            hits.push(Hit { session, batch, position, at_ms, snippet, message });
        }
        match_count += 1;
    }
    Ok(hits)
}

/// The row ids of messages that may match, newest first, so that many can be found without holding all their texts.
fn candidate_rows(connection: &Connection, query: &IndexQuery, session: Option<&str>) -> Result<Vec<i64>, Failure> {
    let (sql, mut parameters): (&str, Vec<&dyn ToSql>) = match (query, session) {
        (IndexQuery::Expression(words), None) => (BY_WORDS, vec![words]),
        (IndexQuery::Expression(words), Some(_)) => (BY_WORDS_IN_SESSION, vec![words]),
        (IndexQuery::Terms { first, last }, None) => (BY_TERM, vec![first, last]),
        (IndexQuery::Terms { first, last }, Some(_)) => (BY_TERM_IN_SESSION, vec![first, last]),
    };
    parameters.extend(session.as_ref().map(|session| session as &dyn ToSql));
    let mut statement = connection.prepare(sql)?;
    Ok(statement.query_map(parameters.as_slice(), |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The first match in `text` with its surroundings. `None` if a word is missing: short ones may not have been looked up.
pub fn snippet_of(query: &Query, text: &str, context_chars: usize) -> Option<String> {
    let folded = folded(text);
    let (at, len) = query.find(&folded)?;
    let characters = |range: Option<&str>| range.unwrap_or_default().chars().count();
    let match_start = characters(folded.get(..at));
    let match_chars = characters(folded.get(at..at + len));
    // Folding keeps the number of characters, so these are also counts in `text`.
    let start = match_start.saturating_sub(context_chars);
    let mut rest = text.chars().skip(start);
    let shown: String = rest.by_ref().take(match_start - start + match_chars + context_chars).collect();
    let cut = |is_cut: bool| if is_cut { CUT } else { "" };
    Some(format!("{}{shown}{}", cut(start > 0), cut(rest.next().is_some())))
}

#[cfg(test)]
mod tests;
