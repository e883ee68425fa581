//! Decides how the messages that one compression took out are kept, and gives them back as they were.

use std::time::Instant;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::checksum::{Head, of_message};
use crate::failure::{Code, Failure};
use crate::open::Archive;
use crate::rows::{Stored, message, stored};
use crate::text::{searchable, without_base64};

/// Why messages were taken out of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A summary stands in their place.
    Summary,
    /// They were cut to get under the hard limit.
    Truncation,
}

impl Kind {
    /// As users see it, and as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Truncation => "truncation",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Summary, Self::Truncation].into_iter().find(|kind| kind.name() == name)
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `user`, `assistant` …; empty when it has none.
    pub role: String,
    /// What it says, to be searched and quoted. Base64 in it is left out when it is stored.
    pub text: String,
    /// All of it, as its owner wrote it; never looked into.
    pub json: String,
}

/// What one compression or truncation takes out of a conversation.
#[derive(Debug, Clone, Copy)]
pub struct NewBatch<'b> {
    /// Unique within its session.
    pub id: &'b str,
    /// Why.
    pub kind: Kind,
    /// How many compressions lie within it, itself included.
    pub level: u32,
    /// When, ms since the epoch.
    pub at_ms: f64,
    /// What stands in the place of the messages, as its owner wrote it.
    pub summary: Option<&'b str>,
    /// The messages, in order.
    pub messages: &'b [Message],
}

/// What is kept of one compression or truncation.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Unique within its session.
    pub id: String,
    /// Why.
    pub kind: Kind,
    /// How many compressions lie within it, itself included.
    pub level: u32,
    /// When, ms since the epoch.
    pub at_ms: f64,
    /// What stands in the place of the messages.
    pub summary: Option<String>,
    /// The messages, in order.
    pub messages: Vec<Message>,
}

/// What [`Archive::append`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The batch is new and was committed.
    Stored,
    /// The same batch was there already; nothing was written.
    AlreadyThere,
}

const FIND: &str = "SELECT * FROM batches WHERE session = ?1 AND name = ?2";
const LIST: &str = "SELECT * FROM batches WHERE session = ?1 ORDER BY id";
const ADD: &str =
    "INSERT INTO batches (session, name, kind, level, at_ms, summary, messages, bytes, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const ADD_MESSAGE: &str =
    "INSERT INTO messages (batch, position, role, text, json, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const INDEX: &str = "INSERT INTO message_index (rowid, text) VALUES (?1, ?2)";

impl Archive {
    /// Commits all messages of `batch`, or none. Doing it again is no error, whatever the time it is given then.
    ///
    /// Batches of a session are kept in the order of their appending. O(text): the index is the larger part.
    ///
    /// # Errors
    /// `Conflict` when other messages are stored under the batch's id; nothing is written then.
    pub fn append(&mut self, session: &str, batch: &NewBatch<'_>) -> Result<Appended, Failure> {
        let started = Instant::now();
        // Immediate: two writers that first read and then write would each wait for the other.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let appended = match find(&transaction, session, batch.id)? {
            Some(stored) if is_same(&stored, batch) => Appended::AlreadyThere,
            Some(_) => return Err(Failure::new(Code::Conflict)),
            None => {
                insert(&transaction, session, batch)?;
                Appended::Stored
            }
        };
        transaction.commit()?;
        tracing::debug!(
            count = batch.messages.len(),
            stored = u8::from(appended == Appended::Stored),
            duration_ms = milliseconds(started),
            "archive append"
        );
        Ok(appended)
    }

    /// One batch.
    ///
    /// # Errors
    /// `NotFound` when the session has none of that id.
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

    /// All batches of `session`, every level, in the order of their appending; none for an unknown session.
    ///
    /// # Errors
    /// Those of reading a file.
    pub fn restore(&mut self, session: &str) -> Result<Vec<Batch>, Failure> {
        let started = Instant::now();
        // One transaction: what another process deletes meanwhile is read whole or not at all.
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

fn insert(transaction: &Transaction<'_>, session: &str, batch: &NewBatch<'_>) -> Result<(), Failure> {
    let bytes: usize = batch.messages.iter().map(|message| message.json.len()).sum();
    let NewBatch { id, level, at_ms, summary, .. } = *batch;
    let (kind, count, bytes) = (batch.kind.name(), integer(batch.messages.len()), integer(bytes));
    let sum = Head { session, id, kind, level, at_ms, summary, count, bytes }.checksum();
    transaction
        .prepare(ADD)?
        .execute(params![session, id, kind, level, at_ms, summary, count, bytes, sum])?;
    let row = transaction.last_insert_rowid();
    let mut add = transaction.prepare(ADD_MESSAGE)?;
    let mut index = transaction.prepare(INDEX)?;
    for (position, message) in batch.messages.iter().enumerate() {
        let position = integer(position);
        let text = without_base64(&message.text).into_owned();
        let message = Message { text, ..message.clone() };
        let sum = of_message(session, id, position, &message);
        add.execute(params![row, position, message.role, message.text, message.json, sum])?;
        index.execute(params![transaction.last_insert_rowid(), searchable(&message.text)])?;
    }
    Ok(())
}

/// Gives the rows of a file from before there were checksums theirs, and makes its index anew.
pub fn renew(transaction: &Transaction<'_>) -> Result<(), Failure> {
    let mut statement = transaction.prepare("SELECT * FROM batches ORDER BY id")?;
    let rows = statement.query_map([], stored)?.collect::<Result<Vec<_>, _>>()?;
    let mut seal = transaction.prepare("UPDATE batches SET checksum = ?2 WHERE id = ?1")?;
    let mut seal_message = transaction.prepare("UPDATE messages SET checksum = ?2 WHERE id = ?1")?;
    let mut index = transaction.prepare(INDEX)?;
    for row in rows {
        seal.execute([row.number, row.head().checksum()])?;
        let mut ids = transaction.prepare("SELECT * FROM messages WHERE batch = ?1")?;
        let mut messages = ids.query([row.number])?;
        while let Some(found) = messages.next()? {
            let (number, position): (i64, i64) = (found.get("id")?, found.get("position")?);
            let message = message(found)?;
            seal_message.execute([number, of_message(&row.session, &row.id, position, &message)])?;
            index.execute(params![number, searchable(&message.text)])?;
        }
    }
    Ok(())
}

/// The time is not compared: who tries again because an answer was lost has a new one.
fn is_same(stored: &Batch, batch: &NewBatch<'_>) -> bool {
    stored.kind == batch.kind
        && stored.level == batch.level
        && stored.summary.as_deref() == batch.summary
        && stored.messages.len() == batch.messages.len()
        && stored.messages.iter().zip(batch.messages).all(|(stored, message)| stored.json == message.json)
}

fn find(connection: &Connection, session: &str, id: &str) -> Result<Option<Batch>, Failure> {
    let mut statement = connection.prepare(FIND)?;
    let found = statement.query_row([session, id], stored).optional()?;
    found.map(|row| row.checked()?.with_messages(connection)).transpose()
}

pub fn integer(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[allow(clippy::cast_possible_truncation)] // no call takes 500 million years
pub fn milliseconds(started: Instant) -> u64 {
    started.elapsed().as_millis() as u64
}

#[cfg(test)]
#[path = "batches_tests.rs"]
mod tests;
