//! Decides what stands in an archive's file, and brings older files up to date.

use rusqlite::{Connection, TransactionBehavior};

use crate::failure::{Code, Failure};

/// `PALI`, in the file's header: tells an archive from every other application's database.
pub const APPLICATION_ID: i32 = 0x5041_4C49;

/// Each brings a file of version `n` (its place) to `n + 1`. Never changed once released; only added to.
///
/// Small columns come first, so that joining by them doesn't read through long texts. The index holds no text of
/// its own: it is made from `searchable` (see `text.rs`), whose case is folded.
const MIGRATIONS: [&str; 1] = ["
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
"];

/// Terms of the index by message, for words too short to be one. Exists for the connection only.
const TERMS: &str = "CREATE VIRTUAL TABLE temp.message_terms USING fts5vocab (main, message_index, instance)";

/// Makes sure that the file is an archive of this version, creating what a new file lacks.
///
/// Identity and tables are written in one transaction, so that a file that has one has the other.
pub fn prepare(connection: &mut Connection) -> Result<(), Failure> {
    if version(connection)? != latest() {
        migrate(connection)?;
    }
    if number(connection, "application_id")? != APPLICATION_ID {
        return Err(Failure::new(Code::Foreign));
    }
    Ok(connection.execute_batch(TERMS)?)
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
    if version > latest() {
        return Err(Failure::new(Code::NewerVersion).because(&format!("its version is {version}")));
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", latest())?;
    Ok(transaction.commit()?)
}

fn latest() -> i32 {
    i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX)
}

fn version(connection: &Connection) -> Result<i32, Failure> {
    number(connection, "user_version")
}

/// The value of a pragma that is a number in the file's header.
pub fn number(connection: &Connection, pragma: &str) -> Result<i32, Failure> {
    Ok(connection.pragma_query_value(None, pragma, |row| row.get(0))?)
}
