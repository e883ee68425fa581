//! Reads rows and verifies that they are unchanged.

use rusqlite::{Connection, Row};

use crate::batch::{Batch, BatchKind, StoredMessage, integer};
use crate::checksum::{Head, of_message};
use crate::failure::Failure;

/// Adds the searchable text of a message to the index.
pub const INDEX: &str = "INSERT INTO message_index (rowid, text) VALUES (?1, ?2)";

const MESSAGES: &str =
    "SELECT position, role, text, json, checksum FROM messages WHERE batch = ?1 ORDER BY position";

pub struct Stored {
    pub number: i64,
    pub session: String,
    pub id: String,
    kind: String,
    level: u32,
    at_ms: f64,
    summary: Option<String>,
    count: i64,
    bytes: i64,
    checksum: i64,
}

pub fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    Ok(Stored {
        number: row.get("id")?,
        session: row.get("session")?,
        id: row.get("name")?,
        kind: row.get("kind")?,
        level: row.get("level")?,
        at_ms: row.get("at_ms")?,
        summary: row.get("summary")?,
        count: row.get("messages")?,
        bytes: row.get("bytes")?,
        checksum: row.get("checksum")?,
    })
}

impl Stored {
    pub fn head(&self) -> Head<'_> {
        let Self { session, id, kind, summary, .. } = self;
        let (level, at_ms, count, bytes) = (self.level, self.at_ms, self.count, self.bytes);
        Head { session, id, kind, level, at_ms, summary: summary.as_deref(), count, bytes }
    }

    /// Returns itself if the checksum is correct.
    pub fn checked(self) -> Result<Self, Failure> {
        if self.head().checksum() == self.checksum { Ok(self) } else { Err(Failure::damaged()) }
    }

    /// Reads and verifies all its messages.
    pub fn with_messages(self, connection: &Connection) -> Result<Batch, Failure> {
        let kind = BatchKind::from_name(&self.kind).ok_or_else(Failure::damaged)?;
        let mut statement = connection.prepare(MESSAGES)?;
        let mut rows = statement.query([self.number])?;
        let mut messages = Vec::new();
        while let Some(row) = rows.next()? {
            let message = checked_message(row, &self.session, &self.id)?;
            if row.get::<_, i64>("position")? != integer(messages.len()) {
                return Err(Failure::damaged());
            }
            messages.push(message);
        }
        if integer(messages.len()) != self.count {
            return Err(Failure::damaged());
        }
        let Self { id, level, at_ms, summary, .. } = self;
        Ok(Batch { id, kind, level, at_ms, summary, messages })
    }
}

/// Reads `position`, `role`, `text`, `json` and `checksum`.
pub fn checked_message(row: &Row<'_>, session: &str, batch: &str) -> Result<StoredMessage, Failure> {
    let message = message(row)?;
    let sum = of_message(session, batch, row.get("position")?, &message);
    if sum == row.get::<_, i64>("checksum")? { Ok(message) } else { Err(Failure::damaged()) }
}

/// Reads `role`, `text` and `json`.
pub fn message(row: &Row<'_>) -> rusqlite::Result<StoredMessage> {
    Ok(StoredMessage { role: row.get("role")?, text: row.get("text")?, json: row.get("json")? })
}
