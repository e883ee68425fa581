//! Opens an agent's `SQLite` database to read it. Nothing is written to it and no file is put beside it, and what its
//! write-ahead log holds is read, whether or not the agent is running.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use palimpsest_archive::{beside, harden, located, uri_of};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::ReadError;
use crate::regular::expect_regular;

/// How long a reader waits while the agent recovers or moves its log.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

pub(crate) struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
    /// How the files were when reading began, where no lock keeps them so.
    before: Option<WriteStamp>,
}

impl Database {
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        expect_regular(path)?;
        let path = located(path, true).map_err(|failure| unreadable(failure.to_string()))?;
        let access = ReadWay::of(&path);
        let before = access.is_unlocked().then(|| WriteStamp::of(&path));
        let uri = uri_of(&path, access.parameters()).ok_or_else(|| unreadable("its path is no Unicode"))?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags)?;
        connection.busy_timeout(LONGEST_WAIT)?;
        harden(&connection)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.execute_batch(access.settings())?;
        // One state of the database for all that is read.
        connection.execute_batch("PRAGMA temp_store = MEMORY; BEGIN")?;
        Ok(Self { connection, path, before })
    }

    /// # Errors
    /// Where the files were written to since they were opened, and no lock kept what was read whole.
    pub(crate) fn expect_unchanged(&self) -> Result<(), ReadError> {
        match self.before {
            Some(before) if before != WriteStamp::of(&self.path) => {
                Err(unreadable("an agent began to write to it while it was read: try again"))
            }
            _ => Ok(()),
        }
    }
}

/// How a database can be read without leaving a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadWay {
    /// By `SQLite`'s own locks: the agent may be running. The log's index is read and not written.
    Locked,
    /// There is a log without an index, so nobody has it open, and the index is made in memory.
    OwnIndex,
    /// There is no log, and nobody has it open.
    Immutable,
}

impl ReadWay {
    fn of(path: &Path) -> Self {
        let has = |ending: &str| beside(path, ending).exists();
        match (has("-wal"), has("-shm"), has("-journal")) {
            (true, true, _) | (false, _, true) => Self::Locked,
            (true, false, _) => Self::OwnIndex,
            (false, _, false) => Self::Immutable,
        }
    }

    fn is_unlocked(self) -> bool {
        self != Self::Locked
    }

    fn parameters(self) -> &'static str {
        match self {
            Self::Locked => "readonly_shm=1",
            Self::OwnIndex if cfg!(windows) => "vfs=win32-none",
            Self::OwnIndex => "vfs=unix-none",
            Self::Immutable => "immutable=1",
        }
    }

    /// `SQLite` keeps the index of a log in memory for a connection that is alone.
    fn settings(self) -> &'static str {
        if self == Self::OwnIndex { "PRAGMA locking_mode = EXCLUSIVE" } else { "" }
    }
}

/// Times and lengths of the database and of its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WriteStamp([Option<(SystemTime, u64)>; 2]);

impl WriteStamp {
    fn of(path: &Path) -> Self {
        let one = |path: &Path| {
            let about = fs::metadata(path).ok()?;
            Some((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len()))
        };
        Self([one(path), one(&beside(path, "-wal"))])
    }
}

pub(crate) fn unreadable(reason: impl Into<String>) -> ReadError {
    ReadError::Database { reason: reason.into() }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        // `SQLite`'s own text can quote names and values of the file; its code doesn't.
        unreadable(match error {
            rusqlite::Error::SqliteFailure(code, _) => code.to_string(),
            _ => "a value in it is of another type than was expected".to_owned(),
        })
    }
}
