//! A source: a file, or the files of one folder, that are read together.

use std::path::{Path, PathBuf};

pub(crate) const DATABASE_EXTENSION: &str = "db";

/// One file (a database may hold many sessions), or the files of a folder that together are one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, or the folder.
    pub path: PathBuf,
    /// In reading order. Includes a database's write-ahead log, which holds the last writes.
    pub files: Vec<PathBuf>,
    /// Size of all files.
    pub bytes: u64,
}

pub(crate) fn is_database(path: &Path) -> bool {
    has_extension(path, DATABASE_EXTENSION)
}

pub(crate) fn has_extension(path: &Path, known: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(known))
}
