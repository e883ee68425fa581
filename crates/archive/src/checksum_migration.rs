//! Upgrades a file from before there were checksums when it is opened.

use rusqlite::{Transaction, params};

use crate::checksum::of_message;
use crate::failure::Failure;
use crate::rows::{INDEX, message, stored};
use crate::text::searchable;

/// Adds checksums to the rows of such a file, and rebuilds its index.
pub fn add_checksums(transaction: &Transaction<'_>) -> Result<(), Failure> {
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
