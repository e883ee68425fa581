//! Counts what an archive stores, by session and in all.

use crate::failure::Failure;
use crate::open::{Archive, file_bytes, log_bytes};

/// What is stored of one session.
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

/// Sums over all sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    pub sessions: i64,
    pub batches: i64,
    pub messages: i64,
    /// Bytes of the messages, as the caller wrote them.
    pub original_bytes: i64,
    /// Bytes on the disk, including the write-ahead log.
    pub file_bytes: u64,
}

impl Archive {
    /// All sessions, most recently written first.
    pub fn sessions(&self) -> Result<Vec<SessionFigures>, Failure> {
        let mut statement = self.connection.prepare(
            "SELECT session, COUNT(*), SUM(messages), SUM(bytes), MIN(at_ms), MAX(at_ms)
             FROM batches GROUP BY session ORDER BY MAX(id) DESC",
        )?;
        let sessions = statement.query_map([], |row| {
            Ok(SessionFigures {
                session: row.get(0)?,
                batches: row.get(1)?,
                messages: row.get(2)?,
                bytes: row.get(3)?,
                first_at_ms: row.get(4)?,
                last_at_ms: row.get(5)?,
            })
        })?;
        Ok(sessions.collect::<Result<_, _>>()?)
    }

    /// The sums over all sessions.
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
