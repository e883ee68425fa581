//! Checks an archive's file: the database structure, and the checksums of its rows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Transaction;

use crate::facts::verified_fact;
use crate::failure::{Code, Failure};
use crate::open::{Access, Archive, connect};
use crate::rows::verified_batch;

/// How long a check waits for a file that another process is recovering.
const CHECK_WAIT: Duration = Duration::from_secs(5);
/// The most problems reported; `SQLite`'s own limit is the same.
const MAX_PROBLEMS: usize = 100;

/// A check of an archive's file. It doesn't use the archive's connection, so that it blocks nobody.
#[derive(Debug)]
pub struct IntegrityCheck {
    path: PathBuf,
    access: Access,
}

impl Archive {
    pub fn integrity_check(&self) -> IntegrityCheck {
        IntegrityCheck { path: self.path.clone(), access: self.access }
    }
}

impl IntegrityCheck {
    /// `SQLite`'s problems with the file; if it has none, the numbers of rows that have changed. Never quotes content.
    pub fn problems(&self) -> Result<Vec<String>, Failure> {
        // A separate connection: FTS5's check trusts the index data that its connection has cached, and reports merges
        // by another process as corruption.
        let connection = connect(&self.path, self.access, CHECK_WAIT)?;
        let mut statement = connection.prepare("PRAGMA integrity_check")?;
        let mut problems = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        problems.retain(|problem| problem != "ok");
        if problems.is_empty() { row_problems(&self.path, self.access) } else { Ok(problems) }
    }
}

fn row_problems(path: &Path, access: Access) -> Result<Vec<String>, Failure> {
    let mut connection = connect(path, access, CHECK_WAIT)?;
    let transaction = connection.transaction()?;
    let mut problems = Vec::new();
    let count_without_batch = "SELECT COUNT(*) FROM messages WHERE batch NOT IN (SELECT id FROM batches)";
    let without_batch: i64 = transaction.query_row(count_without_batch, [], |row| row.get(0))?;
    if without_batch > 0 {
        problems.push(format!("{without_batch} messages without a batch"));
    }
    let mut statement = transaction.prepare("SELECT * FROM batches ORDER BY id")?;
    let mut rows = statement.query([])?;
    while problems.len() < MAX_PROBLEMS
        && let Some(row) = rows.next()?
    {
        let row_id: i64 = row.get("id")?;
        match verified_batch(row, &transaction) {
            Err(failure) if failure.code != Code::Corrupt => return Err(failure),
            Err(_) => problems.push(format!("batch {row_id}: it or its messages aren't as they were stored")),
            Ok(_) => {}
        }
    }
    problems.extend(fact_problems(&transaction)?);
    problems.truncate(MAX_PROBLEMS);
    Ok(problems)
}

/// At most one problem per conversation. Conversations are numbered in the order of their names, which are not shown.
fn fact_problems(transaction: &Transaction<'_>) -> Result<Vec<String>, Failure> {
    let mut statement = transaction
        .prepare("SELECT conversation, position, at_ms, checksum, fact FROM facts ORDER BY conversation, position")?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    let (mut previous, mut number, mut position, mut is_sound) = (None, 0, 0, true);
    while let Some(row) = rows.next()? {
        let conversation: String = row.get("conversation")?;
        if previous.as_ref() != Some(&conversation) {
            (number, position, is_sound) = (number + 1, 0, true);
        }
        match verified_fact(row, &conversation, position) {
            Err(failure) if failure.code != Code::Corrupt => return Err(failure),
            Err(_) if is_sound => {
                is_sound = false;
                problems.push(format!("facts of conversation {number}: they aren't as they were stored"));
            }
            _ => {}
        }
        position += 1;
        previous = Some(conversation);
    }
    Ok(problems)
}

#[cfg(test)]
mod tests;
