//! Reads rows and verifies that they are unchanged.

use rusqlite::{Connection, Row};

use crate::batch::{Batch, BatchKind, StoredMessage, integer};
use crate::checksum::{BatchRow, message_checksum};
use crate::failure::Failure;

/// Adds the searchable text of a message to the index.
pub const INDEX: &str = "INSERT INTO message_index (rowid, text) VALUES (?1, ?2)";

const MESSAGES: &str =
    "SELECT position, role, text, json, checksum FROM messages WHERE batch = ?1 ORDER BY position";

/// A batch's row as it was read, not verified yet.
pub struct Stored {
    pub number: i64,
    pub row: BatchRow,
    checksum: i64,
}

pub fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let content = BatchRow {
        session: row.get("session")?,
        id: row.get("name")?,
        kind: row.get("kind")?,
        level: row.get("level")?,
        at_ms: row.get("at_ms")?,
        summary: row.get("summary")?,
        count: row.get("messages")?,
        bytes: row.get("bytes")?,
    };
    Ok(Stored { number: row.get("id")?, row: content, checksum: row.get("checksum")? })
}

impl Stored {
    /// Returns itself if the checksum is correct.
    pub fn checked(self) -> Result<Self, Failure> {
        if self.row.checksum() == self.checksum { Ok(self) } else { Err(Failure::damaged()) }
    }

    /// Reads and verifies all its messages.
    pub fn with_messages(self, connection: &Connection) -> Result<Batch, Failure> {
        let kind = BatchKind::from_name(&self.row.kind).ok_or_else(Failure::damaged)?;
        let mut statement = connection.prepare(MESSAGES)?;
        let mut rows = statement.query([self.number])?;
        let mut messages = Vec::new();
        while let Some(row) = rows.next()? {
            let message = checked_message(row, &self.row.session, &self.row.id)?;
            if row.get::<_, i64>("position")? != integer(messages.len()) {
                return Err(Failure::damaged());
            }
            messages.push(message);
        }
        if integer(messages.len()) != self.row.count {
            return Err(Failure::damaged());
        }
        let BatchRow { id, level, at_ms, summary, .. } = self.row;
        Ok(Batch { id, kind, level, at_ms, summary, messages })
    }
}

/// Reads `position`, `role`, `text`, `json` and `checksum`.
pub fn checked_message(row: &Row<'_>, session: &str, batch: &str) -> Result<StoredMessage, Failure> {
    let message = message(row)?;
    let sum = message_checksum(session, batch, row.get("position")?, &message);
    if sum == row.get::<_, i64>("checksum")? { Ok(message) } else { Err(Failure::damaged()) }
}

/// Reads `role`, `text` and `json`.
pub fn message(row: &Row<'_>) -> rusqlite::Result<StoredMessage> {
    Ok(StoredMessage { role: row.get("role")?, text: row.get("text")?, json: row.get("json")? })
}
