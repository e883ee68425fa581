//! Stores the facts of conversations (when a request was sent, which summary replaced which messages), as an append-only
//! list of texts for each. If two processes write the same position, the first one wins.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Row, TransactionBehavior, params};

use crate::failure::Failure;
use crate::open::Archive;
use crate::rows::{bytes_of_time, checksum_of, integer};

#[derive(Debug, Clone, PartialEq)]
pub struct StoredFact {
    pub fact: String,
    /// This machine's clock when the fact was written, ms since the epoch.
    pub at_ms: f64,
}

const COUNT: &str = "SELECT COUNT(*) FROM facts WHERE conversation = ?1";
const ADD: &str = "INSERT INTO facts (conversation, position, at_ms, checksum, fact) VALUES (?1, ?2, ?3, ?4, ?5)";
const READ: &str =
    "SELECT position, at_ms, checksum, fact FROM facts WHERE conversation = ?1 AND position >= ?2 ORDER BY position";

impl Archive {
    /// Adds `new` facts if the conversation has exactly `from` facts, and returns every fact from `from` on.
    pub fn append_facts(&mut self, conversation: &str, from: i64, new: &[String]) -> Result<Vec<StoredFact>, Failure> {
        // Immediate: two writers that first read and then write would each wait for the other.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let count: i64 = transaction.query_row(COUNT, [conversation], |row| row.get(0))?;
        if count == from {
            let at_ms = now_ms();
            let mut add = transaction.prepare(ADD)?;
            for (position, fact) in (from..).zip(new) {
                let checksum = fact_checksum(conversation, position, at_ms, fact);
                add.execute(params![conversation, position, at_ms, checksum, fact])?;
            }
        }
        let stored = read(&transaction, conversation, from)?;
        transaction.commit()?;
        Ok(stored)
    }

    pub fn facts(&mut self, conversation: &str, from: i64) -> Result<Vec<StoredFact>, Failure> {
        read(&self.connection, conversation, from)
    }
}

fn read(connection: &Connection, conversation: &str, from: i64) -> Result<Vec<StoredFact>, Failure> {
    let mut statement = connection.prepare(READ)?;
    let mut rows = statement.query(params![conversation, from])?;
    let mut facts = Vec::new();
    while let Some(row) = rows.next()? {
        facts.push(verified_fact(row, conversation, from.saturating_add(integer(facts.len())))?);
    }
    Ok(facts)
}

/// The fact in a row; an error if it was changed, or is not the one at `position`.
pub fn verified_fact(row: &Row<'_>, conversation: &str, position: i64) -> Result<StoredFact, Failure> {
    let fact = StoredFact { fact: row.get("fact")?, at_ms: row.get("at_ms")? };
    let checksum = fact_checksum(conversation, position, fact.at_ms, &fact.fact);
    let is_sound = row.get::<_, i64>("position")? == position && row.get::<_, i64>("checksum")? == checksum;
    if is_sound { Ok(fact) } else { Err(Failure::damaged()) }
}

fn fact_checksum(conversation: &str, position: i64, at_ms: f64, fact: &str) -> i64 {
    let (position, time) = (position.to_le_bytes(), bytes_of_time(at_ms));
    checksum_of([conversation.as_bytes(), fact.as_bytes(), &position, &time].into_iter())
}

fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| (since.as_secs_f64() * 1_000.0).round())
}

#[cfg(test)]
mod tests;
