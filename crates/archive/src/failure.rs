//! Errors of an archive, with codes that a caller can act on. They never contain archived content.

use rusqlite::ErrorCode;
use thiserror::Error;

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal: $message:literal,)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code {
            $($(#[$doc])* $code,)+
        }

        impl Code {
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)+ }
            }

            const fn expected(self) -> &'static str {
                match self { $(Self::$code => $message,)+ }
            }
        }
    };
}

codes! {
    Corrupt = "ARCHIVE_CORRUPT": "expected an undamaged archive, got one that can't be read; it was left as it is",
    NotADatabase = "ARCHIVE_NOT_A_DATABASE": "expected an archive, got a file of another kind; it was left as it is",
    Foreign = "ARCHIVE_FOREIGN": "expected an archive, got another application's database; it was left as it is",
    /// Another process or thread kept the file locked longer than the busy timeout.
    Busy = "ARCHIVE_BUSY": "expected the archive to become free, got a lock held longer than the busy timeout",
    /// The disk, or the process's quota, is full.
    Full = "ARCHIVE_FULL": "expected room for the messages, got a full disk; nothing was written",
    ReadOnly = "ARCHIVE_READ_ONLY": "expected an archive that can be written to, got a read-only one",
    /// Any other error of the file system.
    Io = "ARCHIVE_IO": "expected to read and write the archive, got an error from the system",
    NewerVersion = "ARCHIVE_NEWER_VERSION": "expected an archive of this version or older, got one of a newer version",
    Schema = "ARCHIVE_SCHEMA":
        "expected the tables of an archive and nothing else, got others; the file was left as it is",
    /// The file is a link, or others own it or may read it.
    NotPrivate = "ARCHIVE_NOT_PRIVATE": "expected a file of the user's own, got one that others own or may read",
    Timeout = "ARCHIVE_TIMEOUT":
        "expected a search that ends within its time limit, got one that doesn't; use longer or rarer words",
    Conflict = "ARCHIVE_CONFLICT": "expected a new id or the messages stored under it, got other messages",
    NotFound = "ARCHIVE_NOT_FOUND": "expected an id that the archive holds, got an unknown one",
}

/// Why an archive operation failed. Earlier commits are unaffected.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct Failure {
    pub code: Code,
    pub message: String,
    /// The message of the system or `SQLite`, if that is the reason.
    pub cause: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: Code) -> Self {
        Self { code, message: code.expected().to_owned(), cause: None }
    }

    pub(crate) fn with_message(code: Code, message: &str) -> Self {
        Self { code, message: message.to_owned(), cause: None }
    }

    pub(crate) fn damaged() -> Self {
        let message = "expected what was stored, got a row that was changed; it was left as it is";
        Self::with_message(Code::Corrupt, message)
    }

    pub(crate) fn caused_by(self, cause: &impl ToString) -> Self {
        Self { cause: Some(cause.to_string()), ..self }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            // SQLite's own message is omitted: it may quote a statement.
            rusqlite::Error::SqliteFailure(error, _) => Self::new(code_of(error.code)).caused_by(&error),
            // A column with a value that this library can't have written; the message would show the value.
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
        // Only a deadline interrupts.
        ErrorCode::OperationInterrupted => Code::Timeout,
        ErrorCode::CannotOpen
        | ErrorCode::SystemIoFailure
        | ErrorCode::PermissionDenied
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::NoLargeFileSupport
        | ErrorCode::OutOfMemory
        | ErrorCode::TooBig => Code::Io,
        // For example a missing table or a violated constraint: all statements are our own, so the file is damaged.
        _ => Code::Corrupt,
    }
}
