//! Stores the messages that a compression removed, and returns them unchanged.

use std::time::Instant;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::batch::{Batch, NewBatch, StoredMessage, integer};
use crate::checksum::{BatchRow, message_checksum};
use crate::failure::{Code, Failure};
use crate::open::Archive;
use crate::rows::{INDEX, Stored, stored};
use crate::text::{searchable, without_base64};

/// What an append did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The batch is new and was committed.
    Stored,
    /// The same batch is already stored; nothing was written.
    AlreadyThere,
}

const FIND: &str = "SELECT * FROM batches WHERE session = ?1 AND name = ?2";
const LIST: &str = "SELECT * FROM batches WHERE session = ?1 ORDER BY id";
const ADD: &str =
    "INSERT INTO batches (session, name, kind, level, at_ms, summary, messages, bytes, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const ADD_MESSAGE: &str =
    "INSERT INTO messages (batch, position, role, text, json, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

impl Archive {
    /// Commits all messages of `batch`, or none. Repeating the call is no error, even with another time and summary.
    ///
    /// Batches of a session are kept in the order in which they were appended. O(text), mostly for the index.
    ///
    /// # Errors
    /// `Conflict` if other messages are stored under the batch's id; then nothing is written.
    pub fn append(&mut self, session: &str, batch: &NewBatch<'_>) -> Result<Appended, Failure> {
        let started = Instant::now();
        // Immediate: two writers that first read and then write would each wait for the other.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let appended = add(&transaction, session, batch)?;
        transaction.commit()?;
        tracing::debug!(
            count = batch.messages.len(),
            stored = u8::from(appended == Appended::Stored),
            duration_ms = milliseconds(started),
            "archive append"
        );
        Ok(appended)
    }

    /// The batch `id` of a session.
    ///
    /// # Errors
    /// `NotFound` if the session has no batch with this id.
    pub fn get(&mut self, session: &str, id: &str) -> Result<Batch, Failure> {
        let started = Instant::now();
        let transaction = self.connection.transaction()?;
        let batch = find(&transaction, session, id)?.ok_or_else(|| Failure::new(Code::NotFound))?;
        tracing::debug!(
            count = batch.messages.len(),
            duration_ms = milliseconds(started),
            "archive batch read"
        );
        Ok(batch)
    }

    /// All batches of `session`, every level, in the order in which they were appended; empty for an unknown session.
    ///
    /// # Errors
    /// Any error of reading the file.
    pub fn restore(&mut self, session: &str) -> Result<Vec<Batch>, Failure> {
        let started = Instant::now();
        // One transaction, so that a batch that another process deletes at the same time is read whole or not at all.
        let transaction = self.connection.transaction()?;
        let mut statement = transaction.prepare(LIST)?;
        let rows = statement.query_map([session], stored)?.collect::<Result<Vec<_>, _>>()?;
        let read = |row: Stored| row.checked()?.with_messages(&transaction);
        let batches = rows.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
        let count: usize = batches.iter().map(|batch| batch.messages.len()).sum();
        tracing::debug!(
            batches = batches.len(),
            count,
            duration_ms = milliseconds(started),
            "archive session restored"
        );
        Ok(batches)
    }
}

/// Adds a batch unless it is already stored.
pub fn add(transaction: &Transaction<'_>, session: &str, batch: &NewBatch<'_>) -> Result<Appended, Failure> {
    match find(transaction, session, batch.id)? {
        Some(stored) if has_same_messages(&stored, batch) => Ok(Appended::AlreadyThere),
        Some(_) => Err(Failure::new(Code::Conflict)),
        None => insert(transaction, session, batch).map(|()| Appended::Stored),
    }
}

fn insert(transaction: &Transaction<'_>, session: &str, batch: &NewBatch<'_>) -> Result<(), Failure> {
    let bytes: usize = batch.messages.iter().map(|message| message.json.len()).sum();
    let new = BatchRow {
        session: session.to_owned(),
        id: batch.id.to_owned(),
        kind: batch.kind.name().to_owned(),
        level: batch.level,
        at_ms: batch.at_ms,
        summary: batch.summary.map(str::to_owned),
        count: integer(batch.messages.len()),
        bytes: integer(bytes),
    };
    let checksum = new.checksum();
    let BatchRow { kind, level, at_ms, summary, count, bytes, .. } = new;
    transaction
        .prepare(ADD)?
        .execute(params![session, batch.id, kind, level, at_ms, summary, count, bytes, checksum])?;
    let batch_row = transaction.last_insert_rowid();
    let mut add = transaction.prepare(ADD_MESSAGE)?;
    let mut index = transaction.prepare(INDEX)?;
    for (position, message) in batch.messages.iter().enumerate() {
        let position = integer(position);
        let text = without_base64(&message.text).into_owned();
        let message = StoredMessage { text, ..message.clone() };
        let checksum = message_checksum(session, batch.id, position, &message);
        add.execute(params![batch_row, position, message.role, message.text, message.json, checksum])?;
        index.execute(params![transaction.last_insert_rowid(), searchable(&message.text)])?;
    }
    Ok(())
}

/// Time and summary aren't compared: a compression of the same messages that is repeated, because the reply or the
/// process was lost, has new ones.
fn has_same_messages(stored: &Batch, batch: &NewBatch<'_>) -> bool {
    stored.kind == batch.kind
        && stored.level == batch.level
        && stored.messages.len() == batch.messages.len()
        && stored.messages.iter().zip(batch.messages).all(|(stored, message)| stored.json == message.json)
}

fn find(connection: &Connection, session: &str, id: &str) -> Result<Option<Batch>, Failure> {
    let mut statement = connection.prepare(FIND)?;
    let found = statement.query_row([session, id], stored).optional()?;
    found.map(|row| row.checked()?.with_messages(connection)).transpose()
}

#[allow(clippy::cast_possible_truncation)] // no call takes 500 million years
pub fn milliseconds(started: Instant) -> u64 {
    started.elapsed().as_millis() as u64
}

#[cfg(test)]
#[path = "batches_tests.rs"]
mod tests;
