//! Names what can go wrong with an archive, so that a caller can act on it. Never holds what was archived.

use rusqlite::ErrorCode;
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    Corrupt,
    /// The file is something else than a database.
    NotADatabase,
    /// The file is another application's database.
    Foreign,
    /// Another process or thread kept the file locked for longer than the busy timeout.
    Busy,
    /// The disk, or the space that the process may use, is full.
    Full,
    /// The file or its folder can't be written to.
    ReadOnly,
    /// Anything else between the archive and the disk.
    Io,
    /// A newer version of this library has written the file.
    NewerVersion,
    /// The file holds other tables than an archive's.
    Schema,
    /// The file is a link, or others own it or may read it.
    NotPrivate,
    Timeout,
    /// The archive holds other messages under that id.
    Conflict,
    /// The archive holds nothing under that id.
    NotFound,
}

impl Code {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Corrupt => "ARCHIVE_CORRUPT",
            Self::NotADatabase => "ARCHIVE_NOT_A_DATABASE",
            Self::Foreign => "ARCHIVE_FOREIGN",
            Self::Busy => "ARCHIVE_BUSY",
            Self::Full => "ARCHIVE_FULL",
            Self::ReadOnly => "ARCHIVE_READ_ONLY",
            Self::Io => "ARCHIVE_IO",
            Self::NewerVersion => "ARCHIVE_NEWER_VERSION",
            Self::Schema => "ARCHIVE_SCHEMA",
            Self::NotPrivate => "ARCHIVE_NOT_PRIVATE",
            Self::Timeout => "ARCHIVE_TIMEOUT",
            Self::Conflict => "ARCHIVE_CONFLICT",
            Self::NotFound => "ARCHIVE_NOT_FOUND",
        }
    }

    const fn expected(self) -> &'static str {
        match self {
            Self::Corrupt => {
                "expected an undamaged archive, got one that can't be read; it was left as it is"
            }
            Self::NotADatabase => "expected an archive, got a file of another kind; it was left as it is",
            Self::Foreign => "expected an archive, got another application's database; it was left as it is",
            Self::Busy => "expected the archive to become free, got a lock held longer than the busy timeout",
            Self::Full => "expected room for the messages, got a full disk; nothing was written",
            Self::ReadOnly => "expected an archive that can be written to, got a read-only one",
            Self::Io => "expected to read and write the archive, got an error from the system",
            Self::NewerVersion => "expected an archive of this version or older, got one of a newer version",
            Self::Schema => {
                "expected the tables of an archive and nothing else, got others; the file was left as it is"
            }
            Self::NotPrivate => "expected a file of the user's own, got one that others own or may read",
            Self::Timeout => {
                "expected a search that ends within its time limit, got one that doesn't; use longer or rarer words"
            }
            Self::Conflict => "expected a new id or the messages stored under it, got other messages",
            Self::NotFound => "expected an id that the archive holds, got an unknown one",
        }
    }
}

/// Why an archive did not do what was asked. What was committed before is as it was.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct Failure {
    pub code: Code,
    /// What was expected and what came; without ids and contents.
    pub message: String,
    /// What the system or `SQLite` says, where they are the reason.
    pub cause: Option<String>,
}

impl Failure {
    /// With the code's own words.
    #[must_use]
    pub(crate) fn new(code: Code) -> Self {
        Self { code, message: code.expected().to_owned(), cause: None }
    }

    /// With words of its own: `expected …, got …`.
    pub(crate) fn saying(code: Code, message: &str) -> Self {
        Self { code, message: message.to_owned(), cause: None }
    }

    /// The failure for a row that isn't as it was stored.
    pub(crate) fn damaged() -> Self {
        Self::saying(
            Code::Corrupt,
            "expected what was stored, got a row that was changed; it was left as it is",
        )
    }

    pub(crate) fn because(self, cause: &impl ToString) -> Self {
        Self { cause: Some(cause.to_string()), ..self }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            // SQLite's own message is left out: it may quote a statement.
            rusqlite::Error::SqliteFailure(error, _) => Self::new(code_of(error.code)).because(&error),
            // A column that can't be what this library has written. What it holds instead stays unsaid.
            _ => Self::damaged(),
        }
    }
}

const fn code_of(error: ErrorCode) -> Code {
    match error {
        ErrorCode::NotADatabase => Code::NotADatabase,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Code::Busy,
        ErrorCode::DiskFull => Code::Full,
        ErrorCode::ReadOnly => Code::ReadOnly,
        // Nothing but a deadline interrupts.
        ErrorCode::OperationInterrupted => Code::Timeout,
        ErrorCode::CannotOpen
        | ErrorCode::SystemIoFailure
        | ErrorCode::PermissionDenied
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::NoLargeFileSupport
        | ErrorCode::OutOfMemory
        | ErrorCode::TooBig => Code::Io,
        // Such as a missing table or a broken constraint: every statement is our own, so the file is wrong.
        _ => Code::Corrupt,
    }
}
