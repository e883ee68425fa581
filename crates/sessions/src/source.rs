//! The files of one session.

use std::path::{Path, PathBuf};

pub(crate) const DATABASE: &str = "db";

/// One file, or the files of a folder that together are one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, or the folder.
    pub path: PathBuf,
    /// In reading order. Includes a database's write-ahead log, which holds the last writes.
    pub files: Vec<PathBuf>,
    pub bytes: u64,
}

pub(crate) fn is_database(path: &Path) -> bool {
    has_extension(path, DATABASE)
}

pub(crate) fn has_extension(path: &Path, known: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(known))
}
