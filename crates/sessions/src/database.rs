//! Reads an agent's `SQLite` database, log included, even while the agent runs. Writes nothing and creates no file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use palimpsest_archive::{harden, resolved_path, sibling_path, uri_of};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::{ReadError, expect_regular};

/// Maximum wait while the agent recovers its write-ahead log, or moves it into the database.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// URI parameter that selects `SQLite`'s file access without locks.
const WITHOUT_LOCKS: &str = if cfg!(windows) { "vfs=win32-none" } else { "vfs=unix-none" };

pub(crate) struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
    /// State of the files when they were opened; `None` if a lock protects them.
    opened_stamp: Option<WriteStamp>,
}

impl Database {
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        expect_regular(path)?;
        let path = resolved_path(path, true).map_err(|failure| unreadable(failure.to_string()))?;
        let (is_locked, parameters, settings) = read_access(&path);
        let opened_stamp = (!is_locked).then(|| write_stamp(&path));
        let uri = uri_of(&path, parameters).ok_or_else(|| unreadable("its path is no Unicode"))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags)?;
        connection.busy_timeout(LONGEST_WAIT)?;
        harden(&connection)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.execute_batch(settings)?;
        // One transaction, so that everything is read from one state of the database.
        connection.execute_batch("PRAGMA temp_store = MEMORY; BEGIN")?;
        Ok(Self { connection, path, opened_stamp })
    }

    pub(crate) fn expect_unchanged(&self) -> Result<(), ReadError> {
        match self.opened_stamp {
            Some(opened_stamp) if opened_stamp != write_stamp(&self.path) => {
                Err(unreadable("an agent began to write to it while it was read: try again"))
            }
            _ => Ok(()),
        }
    }
}

/// How a database can be read without writing to it: whether `SQLite`'s locks are used, since the agent may be running;
/// parameters of the URI; and SQL to run after opening.
fn read_access(path: &Path) -> (bool, &'static str, &'static str) {
    let has = |ending: &str| sibling_path(path, ending).exists();
    match (has("-wal"), has("-shm"), has("-journal")) {
        // The log's index is read, not written.
        (true, true, _) | (false, _, true) => (true, "readonly_shm=1", ""),
        // A log without an index: no process has it open. In exclusive mode the index is kept in memory.
        (true, false, _) => (false, WITHOUT_LOCKS, "PRAGMA locking_mode = EXCLUSIVE"),
        // No log: no process has it open.
        (false, _, false) => (false, "immutable=1", ""),
    }
}

type WriteStamp = [Option<(SystemTime, u64)>; 2];

fn write_stamp(path: &Path) -> WriteStamp {
    [path.to_path_buf(), sibling_path(path, "-wal")].map(|file| {
        let about = fs::metadata(file).ok()?;
        Some((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len()))
    })
}

pub(crate) fn unreadable(reason: impl Into<String>) -> ReadError {
    ReadError::Database { reason: reason.into() }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        // `SQLite`'s message may quote names and values from the file; its code doesn't.
        unreadable(match error {
            rusqlite::Error::SqliteFailure(code, _) => code.to_string(),
            _ => "a value in it is of another type than was expected".to_owned(),
        })
    }
}
