//! Decides which files are archives. What is none is never written to.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::failure::{Code, Failure};
use crate::schema;

/// How an archive is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How long to wait for another process's or thread's write.
    pub busy_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5) }
    }
}

/// The original messages of compressed conversations, in one `SQLite` file.
///
/// Several archives, in several threads and processes, may share a file. What a call has written when it returns
/// survives a crash of the process and of the machine.
#[derive(Debug)]
pub struct Archive {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    identity: Option<Identity>,
}

/// Device and number: what stays the same of a file while its content changes.
type Identity = (u64, u64);

impl Archive {
    /// Opens the archive at `path`; a missing or empty file becomes a new one, readable for its owner only.
    ///
    /// # Errors
    /// Every [`Code`] but `Conflict` and `NotFound`. `Io` when the folder is missing: none is created.
    pub fn open(path: &Path, options: Options) -> Result<Self, Failure> {
        let io = |error| Failure::new(Code::Io).because(&error);
        // Made absolute: SQLite takes `:memory:` and `file:…` for something else than files.
        let path = path::absolute(path).map_err(io)?;
        let is_empty = create_missing(&path)?;
        if !is_empty {
            refuse_foreign(&path)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(options.busy_timeout)?;
        apply_settings(&connection)?;
        schema::prepare(&mut connection)?;
        write_ahead(&connection)?;
        let identity = identity(&path);
        Ok(Self { connection, path, identity })
    }

    /// Whether the file was deleted, moved or replaced since it was opened: what is written from then on would be lost.
    /// One look at the folder; always false on Windows, where an open file can't be deleted.
    #[must_use]
    pub fn is_detached(&self) -> bool {
        identity(&self.path) != self.identity
    }

    /// Closes the file. Dropping the archive does the same, but can't say whether it worked.
    ///
    /// # Errors
    /// `Io`, when the system says so; what was committed is safe even then.
    pub fn close(self) -> Result<(), Failure> {
        self.connection.close().map_err(|(_, error)| error.into())
    }
}

/// Creates the file where there is none, and says whether it is empty.
///
/// Closing a file drops every lock that the process holds on it (POSIX), so no other thread may be about to lock
/// the file that is created here. For the same reason nothing but `SQLite` ever opens a file that exists.
fn create_missing(path: &Path) -> Result<bool, Failure> {
    static CREATING: Mutex<()> = Mutex::new(());
    let _guard = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => return Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unavailable(path, &error)),
    }
    let found = fs::metadata(path).map_err(|error| unavailable(path, &error))?;
    if !found.is_file() {
        // A pipe would keep the thread waiting for ever.
        return Err(Failure::saying(Code::Io, "expected a file, got a folder or a device"));
    }
    Ok(found.len() == 0)
}

fn unavailable(path: &Path, error: &std::io::Error) -> Failure {
    let is_folder_missing = path.parent().is_some_and(|folder| !folder.is_dir());
    match error.kind() {
        _ if path.is_dir() => Failure::saying(Code::Io, "expected a file, got a folder"),
        _ if is_folder_missing => {
            Failure::saying(Code::Io, "expected a file in a folder that exists, got a missing folder")
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Failure::new(Code::ReadOnly),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Failure::new(Code::Full),
        _ => Failure::new(Code::Io),
    }
    .because(error)
}

/// Looks at the file's identity without a lock, a recovery or a file beside it: none of that may happen to a file
/// that isn't ours. Only a clear answer counts, since the file may be in the middle of another process's write.
fn refuse_foreign(path: &Path) -> Result<(), Failure> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let Some(uri) = immutable_uri(path) else { return Ok(()) };
    let Ok(connection) = Connection::open_with_flags(uri, flags) else { return Ok(()) };
    match schema::number(&connection, "application_id") {
        Ok(schema::APPLICATION_ID) => Ok(()),
        Ok(_) => Err(Failure::new(Code::Foreign)),
        Err(failure) if failure.code == Code::NotADatabase => Err(failure),
        Err(_) => Ok(()),
    }
}

/// `None` for a path that isn't Unicode, which no URI can name.
fn immutable_uri(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    let mut uri = String::from("file://");
    if cfg!(windows) {
        uri.push('/');
    }
    for character in path.chars() {
        match character {
            '\\' if cfg!(windows) => uri.push('/'),
            '%' | '?' | '#' => uri.extend(['%', nibble(character, 4), nibble(character, 0)]),
            other => uri.push(other),
        }
    }
    uri.push_str("?immutable=1");
    Some(uri)
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
const fn identity(_: &Path) -> Option<Identity> {
    None
}

/// A hexadecimal digit of an ASCII character's code.
fn nibble(character: char, shift: u32) -> char {
    char::from_digit(u32::from(character) >> shift & 0xF, 16).unwrap_or('0')
}

fn apply_settings(connection: &Connection) -> Result<(), Failure> {
    // FULL: a commit is on the disk when it returns. Temporary tables hold conversations too, so they stay in memory.
    Ok(connection.execute_batch(
        "PRAGMA foreign_keys = ON;
         PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA secure_delete = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;",
    )?)
}

/// Lets readers and a writer work at once. Where that can't be had (a network disk, a file in use at this moment)
/// the rollback journal is as safe, only slower.
fn write_ahead(connection: &Connection) -> Result<(), Failure> {
    let mode = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let current = connection.pragma_query_value(None, "journal_mode", mode)?;
    if current == "wal" {
        return Ok(());
    }
    match connection.pragma_update_and_check(None, "journal_mode", "wal", mode).map_err(Failure::from) {
        Err(failure) if !matches!(failure.code, Code::Busy | Code::ReadOnly) => Err(failure),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
