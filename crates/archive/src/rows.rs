//! Defines a batch, the messages that one compression or truncation removes, and reads stored ones. A CRC-32 of content
//! and position detects damaged rows, not those that somebody changed on purpose, with a new checksum.

use crc32fast::Hasher;
use rusqlite::{Connection, Row};

use crate::failure::Failure;

pub const ADD_TO_INDEX: &str = "INSERT INTO message_index (rowid, text) VALUES (?1, ?2)";

const MESSAGES: &str = "SELECT position, role, text, json, checksum FROM messages WHERE batch = ?1 ORDER BY position";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchKind {
    Summary,
    Truncation,
}

impl BatchKind {
    const ALL: [Self; 2] = [Self::Summary, Self::Truncation];
    pub const NAMES: [&str; 2] = [Self::Summary.name(), Self::Truncation.name()];

    /// The name that users see and that is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Truncation => "truncation",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMessage {
    /// `user`, `assistant` …; empty if the message has no role.
    pub role: String,
    /// Its text, for searches and quotations. Stored without long base64.
    pub text: String,
    /// The whole message as the caller wrote it; never parsed.
    pub json: String,
}

#[derive(Debug, Clone, Copy)]
pub struct NewBatch<'b> {
    /// Unique within its session.
    pub id: &'b str,
    pub kind: BatchKind,
    /// How deep compressions are nested, as the caller counts.
    pub level: u32,
    /// When the messages were removed, ms since the epoch.
    pub at_ms: f64,
    /// The message that replaces them, as the caller wrote it.
    pub summary: Option<&'b str>,
    pub messages: &'b [StoredMessage],
}

/// A stored batch, with the fields of [`NewBatch`].
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub id: String,
    pub kind: BatchKind,
    pub level: u32,
    pub at_ms: f64,
    pub summary: Option<String>,
    pub messages: Vec<StoredMessage>,
}

pub fn integer(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A batch's row, not verified yet.
pub struct BatchRow<'r> {
    pub session: &'r str,
    pub id: &'r str,
    pub kind: &'r str,
    pub level: u32,
    pub at_ms: f64,
    pub summary: Option<&'r str>,
    pub message_count: i64,
    pub bytes: i64,
}

impl<'r> BatchRow<'r> {
    pub fn read(row: &'r Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            session: row.get_ref("session")?.as_str()?,
            id: row.get_ref("name")?.as_str()?,
            kind: row.get_ref("kind")?.as_str()?,
            level: row.get("level")?,
            at_ms: row.get("at_ms")?,
            summary: row.get_ref("summary")?.as_str_or_null()?,
            message_count: row.get("messages")?,
            bytes: row.get("bytes")?,
        })
    }

    pub fn checksum(&self) -> i64 {
        let texts = [self.session, self.id, self.kind, self.summary.unwrap_or_default()];
        let numbers = [
            i64::from(self.level).to_le_bytes(),
            bytes_of_time(self.at_ms),
            i64::from(self.summary.is_some()).to_le_bytes(),
            self.message_count.to_le_bytes(),
            self.bytes.to_le_bytes(),
        ];
        checksum_of(texts.into_iter().map(str::as_bytes).chain(numbers.iter().map(<[u8; 8]>::as_slice)))
    }
}

/// The batch in a row of `batches` with all its messages, if they are as they were stored.
pub fn verified_batch(row: &Row<'_>, connection: &Connection) -> Result<Batch, Failure> {
    let stored = BatchRow::read(row)?;
    if stored.checksum() != row.get::<_, i64>("checksum")? {
        return Err(Failure::damaged());
    }
    let BatchRow { session, id, kind, level, at_ms, summary, message_count, .. } = stored;
    let kind = BatchKind::from_name(kind).ok_or_else(Failure::damaged)?;
    let mut statement = connection.prepare(MESSAGES)?;
    let mut rows = statement.query([row.get::<_, i64>("id")?])?;
    let mut messages = Vec::new();
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>("position")? != integer(messages.len()) {
            return Err(Failure::damaged());
        }
        messages.push(verified_message(row, session, id)?);
    }
    if integer(messages.len()) != message_count {
        return Err(Failure::damaged());
    }
    let (id, summary) = (id.to_owned(), summary.map(str::to_owned));
    Ok(Batch { id, kind, level, at_ms, summary, messages })
}

pub fn verified_message(row: &Row<'_>, session: &str, batch: &str) -> Result<StoredMessage, Failure> {
    let message = read_message(row)?;
    let checksum = message_checksum(session, batch, row.get("position")?, &message);
    if checksum == row.get::<_, i64>("checksum")? { Ok(message) } else { Err(Failure::damaged()) }
}

pub fn read_message(row: &Row<'_>) -> rusqlite::Result<StoredMessage> {
    Ok(StoredMessage { role: row.get("role")?, text: row.get("text")?, json: row.get("json")? })
}

/// The checksum of a message at `position` in its batch: a message that was moved counts as damaged, too.
pub fn message_checksum(session: &str, batch: &str, position: i64, message: &StoredMessage) -> i64 {
    let texts = [session, batch, &message.role, &message.text, &message.json].into_iter();
    checksum_of(texts.map(str::as_bytes).chain([position.to_le_bytes().as_slice()]))
}

/// `SQLite` returns a negative zero as zero.
pub fn bytes_of_time(at_ms: f64) -> [u8; 8] {
    (at_ms + 0.0).to_le_bytes()
}

/// Includes the length of each field, so that moving bytes between fields changes the checksum.
pub fn checksum_of<'f>(fields: impl Iterator<Item = &'f [u8]>) -> i64 {
    let mut hasher = Hasher::new();
    for field in fields {
        hasher.update(&u64::try_from(field.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(field);
    }
    i64::from(hasher.finalize())
}
