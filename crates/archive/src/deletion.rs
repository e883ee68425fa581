//! Decides what is left of a deleted session: nothing, neither in the tables nor in the index.

use std::time::Instant;

use rusqlite::{Connection, TransactionBehavior};

use crate::batches::milliseconds;
use crate::failure::Failure;
use crate::open::Archive;

/// Pages of the index that are rewritten at once, so that other writers get in between.
const MERGED_PAGES: i32 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deleted {
    pub batches: usize,
    pub messages: usize,
    /// Whether nothing of them is left in the file and its log. Not while somebody reads from it: deleting again, the
    /// same session or any other, tries again.
    pub erased: bool,
}

impl Archive {
    /// Deletes all that is kept of `session`, also the facts of the conversation with its name; an unknown session is no error. The
    /// file keeps its size, and its space is used again.
    ///
    /// # Errors
    /// Fails as every writing to the file may; nothing is deleted then.
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
        // The session is gone even when the file can't be tidied now.
        let erased = forget_terms(&self.connection).unwrap_or(false);
        let duration_ms = milliseconds(started);
        tracing::debug!(batches, count = messages, duration_ms, "archive session deleted");
        Ok(Deleted { batches, messages, erased })
    }
}

/// The index only marks messages as deleted; their terms, from which a text can be put together again, leave the
/// file when it is merged, and the old pages leave the log when it is emptied. False when that is still to be done.
fn forget_terms(connection: &Connection) -> rusqlite::Result<bool> {
    let mut merge =
        connection.prepare("INSERT INTO message_index (message_index, rank) VALUES ('merge', ?1)")?;
    // Negative: begins to merge all of it. One change or none means that there is nothing left to do (SQLite's rule).
    let mut pages = -MERGED_PAGES;
    loop {
        let before = connection.total_changes();
        merge.execute([pages])?;
        if connection.total_changes() - before < 2 {
            break;
        }
        pages = MERGED_PAGES;
    }
    // 0: no reader kept it from emptying the log.
    connection.query_row("PRAGMA wal_checkpoint (TRUNCATE)", [], |row| Ok(row.get::<_, i64>(0)? == 0))
}

#[cfg(test)]
#[path = "deletion_tests.rs"]
mod tests;
