//! Deletes a session completely, from the tables and from the index.

use std::time::Instant;

use rusqlite::{Connection, TransactionBehavior};

use crate::batches::milliseconds;
use crate::failure::Failure;
use crate::open::Archive;

/// How many pages of the index are rewritten at once; other writers get their turn in between.
const MERGED_PAGES: i32 = 500;

/// What was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deleted {
    pub batches: usize,
    pub messages: usize,
    /// True if nothing of the session is left in the file and its write-ahead log. False while another connection reads the
    /// file; the next deletion, of any session, tries again.
    pub erased: bool,
}

impl Archive {
    /// Deletes everything stored for `session`, and the facts of the conversation with the same name; an unknown
    /// session is no error. The file keeps its size, and its space is reused.
    ///
    /// # Errors
    /// Any error of writing the file; then nothing is deleted.
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
        let duration_ms = milliseconds(started);
        tracing::debug!(batches, count = messages, duration_ms, "archive session deleted");
        Ok(Deleted { batches, messages, erased })
    }
}

/// The index only marks messages as deleted. Their terms, from which a text can be reconstructed, leave the file when the index
/// is merged. The old pages leave the write-ahead log when that is emptied. False if this is still to be done.
fn forget_terms(connection: &Connection) -> rusqlite::Result<bool> {
    let mut merge =
        connection.prepare("INSERT INTO message_index (message_index, rank) VALUES ('merge', ?1)")?;
    // Negative: begins to merge the whole index. At most one change means that nothing is left to do (SQLite's rule).
    let mut pages = -MERGED_PAGES;
    loop {
        let before = connection.total_changes();
        merge.execute([pages])?;
        if connection.total_changes() - before < 2 {
            break;
        }
        pages = MERGED_PAGES;
    }
    // 0: no reader prevented emptying the log.
    connection.query_row("PRAGMA wal_checkpoint (TRUNCATE)", [], |row| Ok(row.get::<_, i64>(0)? == 0))
}

#[cfg(test)]
#[path = "deletion_tests.rs"]
mod tests;
