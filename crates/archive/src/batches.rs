//! Stores the messages that a compression removed, returns and counts them, and deletes a session's completely.

use std::iter::{once, repeat};
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::failure::{Code, Failure};
use crate::open::{Archive, file_bytes, log_bytes};
use crate::rows::{ADD_TO_INDEX, Batch, BatchRow, NewBatch, StoredMessage, integer, message_checksum, verified_batch};
use crate::text::{searchable, without_base64};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    Stored,
    /// The same batch is already stored; nothing was written.
    AlreadyThere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deleted {
    pub batches: usize,
    pub messages: usize,
    /// False while another connection reads the file or its log; the next deletion, of any session, tries again.
    pub erased: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SessionFigures {
    pub session: String,
    pub batches: i64,
    pub messages: i64,
    /// Bytes of the messages, as the caller wrote them.
    pub bytes: i64,
    /// The earliest and the latest time of a batch, ms since the epoch.
    pub first_at_ms: f64,
    pub last_at_ms: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    pub sessions: i64,
    pub batches: i64,
    pub messages: i64,
    pub original_bytes: i64,
    /// Bytes on the disk, including the write-ahead log.
    pub file_bytes: u64,
}

/// How many pages of the index are rewritten at once; other writers get their turn in between.
const MERGED_PAGES: i32 = 500;
const FIND: &str = "SELECT * FROM batches WHERE session = ?1 AND name = ?2";
const LIST: &str = "SELECT * FROM batches WHERE session = ?1 ORDER BY id";
const ADD: &str = "INSERT INTO batches (session, name, kind, level, at_ms, summary, messages, bytes, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const ADD_MESSAGE: &str =
    "INSERT INTO messages (batch, position, role, text, json, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

impl Archive {
    /// Commits all messages of `batch` as the session's newest batch, or none. O(text), mostly for the index.
    /// Repeating the call is no error, even with another time and summary. `Conflict` if other messages have the batch's id.
    pub fn append(&mut self, session: &str, batch: &NewBatch<'_>) -> Result<Appended, Failure> {
        let started = Instant::now();
        // Immediate: two writers that first read and then write would each wait for the other.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let appended = add(&transaction, session, batch)?;
        transaction.commit()?;
        let (count, stored) = (batch.messages.len(), u8::from(appended == Appended::Stored));
        tracing::debug!(count, stored, duration_ms = milliseconds(started), "archive append");
        Ok(appended)
    }

    /// The batch `id` of a session; `NotFound` if the session has none with this id.
    pub fn get(&mut self, session: &str, id: &str) -> Result<Batch, Failure> {
        let started = Instant::now();
        let transaction = self.connection.transaction()?;
        let batch = find(&transaction, session, id)?.ok_or_else(|| Failure::new(Code::NotFound))?;
        tracing::debug!(count = batch.messages.len(), duration_ms = milliseconds(started), "archive batch read");
        Ok(batch)
    }

    /// All batches of `session`, every level, in the order in which they were appended; empty for an unknown session.
    pub fn restore(&mut self, session: &str) -> Result<Vec<Batch>, Failure> {
        let started = Instant::now();
        // One transaction, so that a batch that another process deletes at the same time is read whole or not at all.
        let transaction = self.connection.transaction()?;
        let mut statement = transaction.prepare(LIST)?;
        let mut rows = statement.query([session])?;
        let mut batches = Vec::new();
        while let Some(row) = rows.next()? {
            batches.push(verified_batch(row, &transaction)?);
        }
        let count: usize = batches.iter().map(|batch| batch.messages.len()).sum();
        let duration_ms = milliseconds(started);
        tracing::debug!(batches = batches.len(), count, duration_ms, "archive session restored");
        Ok(batches)
    }

    /// Deletes everything stored for `session`, and the facts of the conversation with the same name; an unknown
    /// session is no error. The file keeps its size, and its space is reused.
    pub fn delete(&mut self, session: &str) -> Result<Deleted, Failure> {
        let started = Instant::now();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let messages = transaction.execute(
            "DELETE FROM message_index WHERE rowid IN (SELECT messages.id FROM messages
             JOIN batches ON batches.id = messages.batch WHERE batches.session = ?1)",
            [session],
        )?;
        let batches = transaction.execute("DELETE FROM batches WHERE session = ?1", [session])?;
        transaction.execute("DELETE FROM facts WHERE conversation = ?1", [session])?;
        transaction.commit()?;
        // The session is deleted even if the file can't be tidied now.
        let erased = forget_terms(&self.connection).unwrap_or(false);
        tracing::debug!(batches, count = messages, duration_ms = milliseconds(started), "archive session deleted");
        Ok(Deleted { batches, messages, erased })
    }

    pub fn sessions(&self) -> Result<Vec<SessionFigures>, Failure> {
        let mut statement = self.connection.prepare(
            "SELECT session, COUNT(*), SUM(messages), SUM(bytes), MIN(at_ms), MAX(at_ms)
             FROM batches GROUP BY session ORDER BY MAX(id) DESC",
        )?;
        let sessions = statement.query_map([], |row| {
            let (session, batches, messages, bytes) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            let (first_at_ms, last_at_ms) = (row.get(4)?, row.get(5)?);
            Ok(SessionFigures { session, batches, messages, bytes, first_at_ms, last_at_ms })
        })?;
        Ok(sessions.collect::<Result<_, _>>()?)
    }

    pub fn stats(&self) -> Result<Stats, Failure> {
        let file_bytes = file_bytes(&self.path) + log_bytes(&self.path);
        let mut statement = self.connection.prepare(
            "SELECT COUNT(DISTINCT session), COUNT(*), COALESCE(SUM(messages), 0), COALESCE(SUM(bytes), 0) FROM batches",
        )?;
        Ok(statement.query_row([], |row| {
            let (sessions, batches, messages) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Stats { sessions, batches, messages, original_bytes: row.get(3)?, file_bytes })
        })?)
    }
}

fn add(transaction: &Transaction<'_>, session: &str, batch: &NewBatch<'_>) -> Result<Appended, Failure> {
    match find(transaction, session, batch.id)? {
        Some(stored) if has_same_messages(&stored, batch) => return Ok(Appended::AlreadyThere),
        Some(_) => return Err(Failure::new(Code::Conflict)),
        None => {}
    }
    let NewBatch { id, level, at_ms, summary, .. } = *batch;
    let (kind, message_count) = (batch.kind.name(), integer(batch.messages.len()));
    let bytes = integer(batch.messages.iter().map(|message| message.json.len()).sum());
    let checksum = BatchRow { session, id, kind, level, at_ms, summary, message_count, bytes }.checksum();
    let row = params![session, id, kind, level, at_ms, summary, message_count, bytes, checksum];
    transaction.prepare(ADD)?.execute(row)?;
    let batch_row_id = transaction.last_insert_rowid();
    let mut add_message = transaction.prepare(ADD_MESSAGE)?;
    let mut add_to_index = transaction.prepare(ADD_TO_INDEX)?;
    for (position, message) in (0..).zip(batch.messages) {
        let message = StoredMessage { text: without_base64(&message.text).into_owned(), ..message.clone() };
        let checksum = message_checksum(session, batch.id, position, &message);
        add_message.execute(params![batch_row_id, position, message.role, message.text, message.json, checksum])?;
        add_to_index.execute(params![transaction.last_insert_rowid(), searchable(&message.text)])?;
    }
    Ok(Appended::Stored)
}

/// Time and summary aren't compared: a compression repeated after a lost reply or process has new ones.
fn has_same_messages(stored: &Batch, batch: &NewBatch<'_>) -> bool {
    stored.kind == batch.kind
        && stored.level == batch.level
        && stored.messages.len() == batch.messages.len()
        && stored.messages.iter().zip(batch.messages).all(|(stored, message)| stored.json == message.json)
}

fn find(connection: &Connection, session: &str, id: &str) -> Result<Option<Batch>, Failure> {
    let mut statement = connection.prepare(FIND)?;
    let mut rows = statement.query([session, id])?;
    rows.next()?.map(|row| verified_batch(row, connection)).transpose()
}

/// Removes the terms of deleted messages, from which a text can be reconstructed: the index only marks them, so it is
/// merged, and the write-ahead log with the old pages is emptied. False if this is still to be done.
fn forget_terms(connection: &Connection) -> rusqlite::Result<bool> {
    let mut merge = connection.prepare("INSERT INTO message_index (message_index, rank) VALUES ('merge', ?1)")?;
    // Negative: begins to merge the whole index. At most one change means that nothing is left to do (SQLite's rule).
    for pages in once(-MERGED_PAGES).chain(repeat(MERGED_PAGES)) {
        let before = connection.total_changes();
        merge.execute([pages])?;
        if connection.total_changes() - before < 2 {
            break;
        }
    }
    // 0: no reader prevented emptying the log.
    connection.query_row("PRAGMA wal_checkpoint (TRUNCATE)", [], |row| Ok(row.get::<_, i64>(0)? == 0))
}
#[allow(clippy::cast_possible_truncation)] // no call takes 500 million years
pub fn milliseconds(started: Instant) -> u64 {
    started.elapsed().as_millis() as u64
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod deletion_tests;
