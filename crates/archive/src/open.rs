//! Decides which files are archives, and opens them for writing or reading. A file that is no archive is never written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::failure::{Code, Failure};
use crate::file_access::{create_missing, is_writable, refuse_shared, resolved_path, sibling_path, uri_of};
use crate::schema;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveSettings {
    /// How long to wait for a write of another process or thread.
    pub busy_timeout: Duration,
    pub search_timeout: Duration,
    /// Also accepts links, and files that others own or may read.
    pub allow_shared_file: bool,
}

impl Default for ArchiveSettings {
    fn default() -> Self {
        let (busy_timeout, search_timeout) = (Duration::from_secs(5), Duration::from_secs(2));
        Self { busy_timeout, search_timeout, allow_shared_file: false }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Write,
    /// The file or its folder is not writable, but the files that `SQLite` needs for reading exist.
    Read,
    /// The folder is not writable and nobody seems to write: read without locks, since lock files can't be created.
    ReadUnlocked,
}

/// The original messages of compressed conversations, in one `SQLite` file that threads and processes may share. Data
/// that a call has written when it returns survives a crash of the process or the machine.
#[derive(Debug)]
pub struct Archive {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) access: Access,
    pub(crate) settings: ArchiveSettings,
    stamp: Stamp,
}

const UNCLOSED: &str =
    "expected an archive that was closed, because its folder can't be written to; got one with a write-ahead log";

impl Archive {
    /// A missing or empty file becomes a new archive, readable only by its owner. A file that is not writable is opened
    /// for reading. Fails with any [`Code`] except `Conflict`, `NotFound` and `Timeout`.
    pub fn open(path: &Path, settings: ArchiveSettings) -> Result<Self, Failure> {
        let path = resolved_path(path, settings.allow_shared_file)?;
        let is_empty = create_missing(&path)?;
        if !is_empty {
            refuse_foreign(&path)?;
        }
        if !settings.allow_shared_file {
            refuse_shared(&path)?;
        }
        if is_writable(&path) {
            return Self::open_for(Access::Write, path, settings);
        }
        let is_log_empty = log_bytes(&path) == 0;
        match Self::open_for(Access::Read, path.clone(), settings) {
            Err(failure) if !matches!(failure.code, Code::Io | Code::ReadOnly) => Err(failure),
            Err(_) if is_log_empty => Self::open_for(Access::ReadUnlocked, path, settings),
            Err(failure) => Err(Failure::with_message(Code::ReadOnly, UNCLOSED).caused_by(&failure)),
            opened => opened,
        }
    }

    fn open_for(access: Access, path: PathBuf, settings: ArchiveSettings) -> Result<Self, Failure> {
        let stamp = stamp_of(&path, access);
        let mut connection = connect(&path, access, settings.busy_timeout)?;
        apply_settings(&connection)?;
        if access == Access::Write {
            schema::prepare(&mut connection)?;
            write_ahead(&connection)?;
        } else {
            schema::expect_latest(&connection)?;
        }
        // For this connection, the table that finds words of one or two characters.
        connection
            .execute_batch("CREATE VIRTUAL TABLE temp.message_terms USING fts5vocab (main, message_index, instance)")?;
        Ok(Self { connection, path, access, settings, stamp })
    }

    /// True if the file was deleted, moved or replaced since it was opened, so that later writes would be lost, or if a
    /// file that is read without locks was written to. Costs one look-up. On Windows, an open file can't be deleted.
    pub fn is_detached(&self) -> bool {
        stamp_of(&self.path, self.access) != self.stamp
    }

    /// Closes the file. Dropping the archive does the same, but can't report an error, after which committed data is still safe.
    pub fn close(self) -> Result<(), Failure> {
        self.connection.close().map_err(|(_, error)| error.into())
    }
}

/// The parameter of a path's URI with which `SQLite` takes no locks.
const IMMUTABLE: &str = "immutable=1";

/// A hardened connection. It doesn't check whether the file is an archive.
pub fn connect(path: &Path, access: Access, busy_timeout: Duration) -> Result<Connection, Failure> {
    let common = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY | common;
    let write = OpenFlags::SQLITE_OPEN_READ_WRITE | common;
    let connection = match (access, uri_of(path, IMMUTABLE)) {
        (Access::Write, _) => Connection::open_with_flags(path, write),
        (Access::ReadUnlocked, Some(uri)) => Connection::open_with_flags(uri, read | OpenFlags::SQLITE_OPEN_URI),
        _ => Connection::open_with_flags(path, read),
    }?;
    connection.busy_timeout(busy_timeout)?;
    harden(&connection)?;
    Ok(connection)
}

/// Prevents the execution of anything in the file: whoever wrote it may have added more than messages.
pub fn harden(connection: &Connection) -> rusqlite::Result<()> {
    let settings = [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
    ];
    for (setting, on) in settings {
        connection.set_db_config(setting, on)?;
    }
    Ok(())
}

/// Checks that the file isn't another program's, without a lock, a recovery or new files. Rejects only on a clear answer:
/// another process may be writing the file, a path that isn't Unicode has no URI, and the schema is checked later.
fn refuse_foreign(path: &Path) -> Result<(), Failure> {
    if uri_of(path, IMMUTABLE).is_none() {
        return Ok(());
    }
    let Ok(connection) = connect(path, Access::ReadUnlocked, Duration::ZERO) else { return Ok(()) };
    match schema::number(&connection, "application_id") {
        Ok(schema::APPLICATION_ID) => Ok(()),
        Ok(_) => Err(Failure::new(Code::Foreign)),
        Err(failure) if failure.code == Code::NotADatabase => Err(failure),
        Err(_) => Ok(()),
    }
}

/// Identifies a file by device and inode; one that is read without locks also by modification time and bytes of the log.
type Stamp = (Option<(u64, u64)>, Option<(SystemTime, u64)>);

fn stamp_of(path: &Path, access: Access) -> Stamp {
    let modified = || fs::metadata(path).and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let content = (access == Access::ReadUnlocked).then(|| (modified(), log_bytes(path)));
    (identity(path), content)
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
const fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

pub fn log_bytes(path: &Path) -> u64 {
    file_bytes(&sibling_path(path, "-wal"))
}

/// 0 for a missing file.
pub fn file_bytes(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

fn apply_settings(connection: &Connection) -> Result<(), Failure> {
    // FULL: a commit is on the disk when it returns. Temporary tables contain conversations too, so they stay in memory.
    Ok(connection.execute_batch(
        "PRAGMA foreign_keys = ON;
         PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA secure_delete = ON;
         PRAGMA cell_size_check = ON;",
    )?)
}

/// Turns on the write-ahead log, with which readers and a writer work at the same time. If that is impossible (a network
/// disk, a file in use at this moment), the rollback journal is as safe, only slower.
fn write_ahead(connection: &Connection) -> Result<(), Failure> {
    let mode = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    if connection.pragma_query_value(None, "journal_mode", mode)? == "wal" {
        return Ok(());
    }
    match connection.pragma_update_and_check(None, "journal_mode", "wal", mode).map_err(Failure::from) {
        Err(failure) if !matches!(failure.code, Code::Busy | Code::ReadOnly) => Err(failure),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
