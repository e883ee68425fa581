//! Decides which process goes on with a conversation: its state by versions, who may write the next one, and for how long somebody may
//! keep it for a summary. States are texts that only views read.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::batch::NewBatch;
use crate::batches::add;
use crate::failure::{Code, Failure};
use crate::open::Archive;

/// Who takes a conversation, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Lease<'l> {
    pub owner: &'l str,
    pub ms: f64,
}

/// A conversation as it stands. `snapshot` is none for a new one; `deltas` have come since, the oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Acquired {
    pub snapshot: Option<String>,
    pub deltas: Vec<String>,
    pub version: i64,
    pub fence: i64,
    /// This machine's clock: whoever shares a file shares it.
    pub now_ms: f64,
}

/// The next version of a conversation: all of its state, or what is new.
#[derive(Debug, Clone, Copy)]
pub struct NewState<'s> {
    pub fence: i64,
    pub version: i64,
    pub text: &'s str,
    pub is_whole: bool,
    pub batches: &'s [NewBatch<'s>],
}

/// The version that there is after a commit, and the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Committed {
    pub version: i64,
    pub now_ms: f64,
}

/// A conversation's row; one that isn't there yet has version 0 and was never taken.
#[derive(Default)]
struct StateHead {
    number: i64,
    version: i64,
    fence: i64,
    owner: Option<String>,
    lease_end_ms: f64,
}

const HEAD: &str = "SELECT id, version, fence, owner, lease_end_ms FROM conversations WHERE name = ?1";
const TEXTS: &str = "SELECT is_whole, text FROM conversation_states WHERE conversation = ?1 ORDER BY version";
const LAST: &str = "SELECT is_whole, text FROM conversation_states WHERE conversation = ?1 AND version = ?2";
const PUT: &str =
    "INSERT INTO conversations (name, version, fence, owner, lease_end_ms) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (name) DO UPDATE SET version = ?2, fence = ?3, owner = ?4, lease_end_ms = ?5";

impl Archive {
    /// Reads a conversation, and takes it where a lease is asked for: none while somebody else's lease stands. Who has it gets it
    /// again, prolonged.
    ///
    /// # Errors
    /// Fails as every reading of the file may, and with a lease as every writing may.
    pub fn acquire(&mut self, name: &str, lease: Option<Lease<'_>>) -> Result<Option<Acquired>, Failure> {
        let now_ms = now_ms();
        let behavior =
            if lease.is_some() { TransactionBehavior::Immediate } else { TransactionBehavior::Deferred };
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let mut head = head(&transaction, name)?;
        if let Some(Lease { owner, ms }) = lease {
            let is_own = head.owner.as_deref() == Some(owner);
            let is_taken = head.owner.is_some() && head.lease_end_ms > now_ms;
            if is_taken && !is_own {
                return Ok(None);
            }
            head.fence += i64::from(!(is_taken && is_own));
            transaction.execute(PUT, params![name, head.version, head.fence, owner, now_ms + ms])?;
        }
        let mut statement = transaction.prepare(TEXTS)?;
        let rows = statement.query_map([head.number], text)?.collect::<Result<Vec<_>, _>>()?;
        drop(statement);
        transaction.commit()?;
        let mut acquired =
            Acquired { snapshot: None, deltas: Vec::new(), version: head.version, fence: head.fence, now_ms };
        for (is_whole, text) in rows {
            if is_whole {
                acquired.snapshot = Some(text);
            } else {
                acquired.deltas.push(text);
            }
        }
        Ok(Some(acquired))
    }

    /// Writes the next version and its batches, or nothing. The commit that made the present version is answered again.
    ///
    /// # Errors
    /// `Stale` when the fence or the version isn't the present one. `Conflict` when other messages are stored under a batch's id.
    pub fn commit(&mut self, name: &str, new: &NewState<'_>) -> Result<Committed, Failure> {
        let now_ms = now_ms();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let head = head(&transaction, name)?;
        let version = new.version.saturating_add(1);
        if head.version == version {
            let last = transaction.query_row(LAST, [head.number, version], text).optional()?;
            if last.is_some_and(|(is_whole, text)| is_whole == new.is_whole && text == new.text) {
                return Ok(Committed { version, now_ms });
            }
        }
        if head.version != new.version || head.fence != new.fence {
            return Err(Failure::new(Code::Stale));
        }
        for batch in new.batches {
            add(&transaction, name, batch)?;
        }
        transaction.execute(PUT, params![name, version, head.fence, head.owner, head.lease_end_ms])?;
        let number: i64 = transaction.query_row(HEAD, [name], |row| row.get("id"))?;
        if new.is_whole {
            transaction.execute("DELETE FROM conversation_states WHERE conversation = ?1", [number])?;
        }
        transaction.execute(
            "INSERT INTO conversation_states (conversation, version, is_whole, text) VALUES (?1, ?2, ?3, ?4)",
            params![number, version, new.is_whole, new.text],
        )?;
        transaction.commit()?;
        Ok(Committed { version, now_ms })
    }

    /// Ends the lease of that fence, where there is one.
    ///
    /// # Errors
    /// Fails as every writing to the file may.
    pub fn release(&mut self, name: &str, fence: i64) -> Result<(), Failure> {
        let sql = "UPDATE conversations SET owner = NULL, lease_end_ms = 0 WHERE name = ?1 AND fence = ?2";
        self.connection.execute(sql, params![name, fence])?;
        Ok(())
    }
}

fn head(connection: &Connection, name: &str) -> Result<StateHead, Failure> {
    let read = |row: &Row<'_>| {
        Ok(StateHead {
            number: row.get("id")?,
            version: row.get("version")?,
            fence: row.get("fence")?,
            owner: row.get("owner")?,
            lease_end_ms: row.get("lease_end_ms")?,
        })
    };
    Ok(connection.query_row(HEAD, [name], read).optional()?.unwrap_or_default())
}

fn text(row: &Row<'_>) -> rusqlite::Result<(bool, String)> {
    Ok((row.get("is_whole")?, row.get("text")?))
}

fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| (since.as_secs_f64() * 1_000.0).round())
}

#[cfg(test)]
#[path = "states_tests.rs"]
mod tests;
