//! Defines an archive's tables, rejects files with others, and upgrades older files.

use std::sync::OnceLock;

use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};

use crate::failure::{Code, Failure};
use crate::rows::{ADD_TO_INDEX, BatchRow, message_checksum, read_message};
use crate::text::searchable;

/// `PALI`, in the file's header: distinguishes an archive from the databases of other applications.
pub const APPLICATION_ID: i32 = 0x5041_4C49;

/// Entry `n` upgrades a file of version `n` to `n + 1`. Released entries never change; new ones are appended.
/// Small columns come first, so that joins on them don't read long texts. The index stores no text of its own: it is
/// built from `searchable` (see `text.rs`). Since the second version it stores which messages contain a term, but not
/// where: a megabyte of one letter had a million positions, which a search for a thousand letters scanned as often.
const MIGRATIONS: [&str; 4] = [
    "
    CREATE TABLE batches (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        level INTEGER NOT NULL,
        at_ms REAL NOT NULL,
        messages INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        summary TEXT,
        UNIQUE (session, name)
    ) STRICT;
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY,
        batch INTEGER NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        json TEXT NOT NULL,
        UNIQUE (batch, position)
    ) STRICT;
    CREATE VIRTUAL TABLE message_index USING fts5 (
        text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    );
",
    "
    ALTER TABLE batches ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE messages ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    DROP TABLE message_index;
    CREATE VIRTUAL TABLE message_index USING fts5 (
        text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
    );
",
    "
    CREATE TABLE conversations (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        fence INTEGER NOT NULL,
        lease_end_ms REAL NOT NULL,
        owner TEXT
    ) STRICT;
    CREATE TABLE conversation_states (
        conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        is_whole INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (conversation, version)
    ) STRICT, WITHOUT ROWID;
",
    "
    DROP TABLE conversation_states;
    DROP TABLE conversations;
    CREATE TABLE facts (
        conversation TEXT NOT NULL,
        position INTEGER NOT NULL,
        at_ms REAL NOT NULL,
        checksum INTEGER NOT NULL,
        fact TEXT NOT NULL,
        PRIMARY KEY (conversation, position)
    ) STRICT, WITHOUT ROWID;
",
];
const FIRST_WITH_CHECKSUMS: i32 = 2;

/// Type, name, table and statement.
type SchemaEntry = (String, String, String, Option<String>);

/// Ensures that the file is an archive of this version, creating what a new file lacks: all in one transaction, or nothing.
pub fn prepare(connection: &mut Connection) -> Result<(), Failure> {
    if version(connection)? != latest() {
        migrate(connection)?;
    }
    expect_latest(connection)
}

pub fn expect_latest(connection: &Connection) -> Result<(), Failure> {
    if number(connection, "application_id")? != APPLICATION_ID {
        return Err(Failure::new(Code::Foreign));
    }
    let version = version(connection)?;
    if version < latest() {
        let reason = "expected an archive of this version or one that can be written to, got an older one that can't";
        return Err(Failure::with_message(Code::ReadOnly, reason));
    }
    refuse_newer(version)?;
    expect_tables(connection, version)
}

fn migrate(connection: &mut Connection) -> Result<(), Failure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again: another process may have migrated while this one waited for the lock.
    let version = version(&transaction)?;
    let is_empty = transaction.query_one("SELECT COUNT(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?;
    let application = number(&transaction, "application_id")?;
    if application != APPLICATION_ID && !(is_empty && application == 0 && version == 0) {
        return Err(Failure::new(Code::Foreign));
    }
    refuse_newer(version)?;
    expect_tables(&transaction, version)?;
    if version < latest() {
        run_migrations(&transaction, version, latest())?;
        if (1..FIRST_WITH_CHECKSUMS).contains(&version) {
            add_checksums(&transaction)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", latest())?;
    }
    Ok(transaction.commit()?)
}

/// Adds checksums to the rows of a file from before there were any, and rebuilds its index.
fn add_checksums(transaction: &Transaction<'_>) -> Result<(), Failure> {
    let mut statement = transaction.prepare("SELECT * FROM batches ORDER BY id")?;
    let mut batches = statement.query([])?;
    let mut set_batch_checksum = transaction.prepare("UPDATE batches SET checksum = ?2 WHERE id = ?1")?;
    let mut set_checksum = transaction.prepare("UPDATE messages SET checksum = ?2 WHERE id = ?1")?;
    let mut add_to_index = transaction.prepare(ADD_TO_INDEX)?;
    let mut messages_of_batch = transaction.prepare("SELECT * FROM messages WHERE batch = ?1")?;
    while let Some(row) = batches.next()? {
        let (row_id, batch): (i64, _) = (row.get("id")?, BatchRow::read(row)?);
        set_batch_checksum.execute([row_id, batch.checksum()])?;
        let mut rows = messages_of_batch.query([row_id])?;
        while let Some(row) = rows.next()? {
            let (row_id, position): (i64, i64) = (row.get("id")?, row.get("position")?);
            let message = read_message(row)?;
            set_checksum.execute([row_id, message_checksum(batch.session, batch.id, position, &message)])?;
            add_to_index.execute(params![row_id, searchable(&message.text)])?;
        }
    }
    Ok(())
}

fn run_migrations(connection: &Connection, from: i32, to: i32) -> Result<(), Failure> {
    let index = |version| usize::try_from(version).unwrap_or(0);
    for migration in MIGRATIONS.iter().take(index(to)).skip(index(from)) {
        connection.execute_batch(migration)?;
    }
    Ok(())
}

/// An additional trigger, view or column means a foreign file; a missing table means damage.
fn expect_tables(connection: &Connection, version: i32) -> Result<(), Failure> {
    static LATEST: OnceLock<Vec<SchemaEntry>> = OnceLock::new();
    let expected = match LATEST.get() {
        Some(expected) if version == latest() => expected.clone(),
        _ => {
            let empty = Connection::open_in_memory()?;
            run_migrations(&empty, 0, version)?;
            entries(&empty)?
        }
    };
    if entries(connection)? != expected {
        return Err(Failure::new(Code::Schema));
    }
    if version == latest() {
        LATEST.get_or_init(|| expected);
    }
    Ok(())
}

fn entries(connection: &Connection) -> Result<Vec<SchemaEntry>, Failure> {
    let mut statement =
        connection.prepare("SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name")?;
    let entry = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    Ok(statement.query_map([], entry)?.collect::<Result<_, _>>()?)
}

fn refuse_newer(version: i32) -> Result<(), Failure> {
    let failure = || Failure::new(Code::NewerVersion).caused_by(&format!("its version is {version}"));
    if version <= latest() { Ok(()) } else { Err(failure()) }
}

fn latest() -> i32 {
    i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX)
}

fn version(connection: &Connection) -> Result<i32, Failure> {
    number(connection, "user_version")
}

/// A pragma whose value is a number in the file's header.
pub fn number(connection: &Connection, pragma: &str) -> Result<i32, Failure> {
    Ok(connection.pragma_query_value(None, pragma, |row| row.get(0))?)
}

#[cfg(test)]
mod tests;
