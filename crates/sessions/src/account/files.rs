//! Accounts of many files in parallel, with progress.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use palimpsest_core::need::Vocabulary;
use serde::Serialize;

use super::{Account, AccountSettings};
use crate::{ReadError, Session, Source, find_files, for_each_source, read_each, read_one};

/// Progress of the work; setting `cancelled` ends it after the files in progress.
#[derive(Debug, Default)]
pub struct Progress {
    pub files: AtomicUsize,
    pub files_done: AtomicUsize,
    pub bytes: AtomicU64,
    pub bytes_done: AtomicU64,
    pub cancelled: AtomicBool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accounts {
    pub prices_date: String,
    /// Models of these sessions whose price couldn't be compared with a published one.
    pub unchecked_models: Vec<String>,
    pub files: Vec<FileAccounts>,
    /// Number of files in folders that are not sessions of a known format.
    pub passed_over: usize,
    pub not_read: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileAccounts {
    pub path: String,
    pub bytes: u64,
    pub sessions: Vec<Account>,
    pub error: Option<FileError>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileError {
    pub code: &'static str,
    pub message: String,
}

/// Reads every session under `paths` on `threads` threads. Memory holds one session per thread, and the accounts.
pub fn account_files(
    paths: &[PathBuf],
    options: &AccountSettings,
    threads: NonZeroUsize,
    progress: &Progress,
) -> Accounts {
    let found = find_files(paths);
    progress.files.store(found.sources.len(), Ordering::Relaxed);
    progress.bytes.store(found.sources.iter().map(|source| source.bytes).sum(), Ordering::Relaxed);
    // Common names are only known once everything is read, so each session adds its names when it is done.
    let vocabulary = Mutex::new(Vocabulary::default());
    let each = |source: &Source| {
        let mut file = file_accounts(source, options, paths.contains(&source.path));
        if let Some(file) = &mut file {
            let mut vocabulary = vocabulary.lock().unwrap_or_else(PoisonError::into_inner);
            for account in &mut file.sessions {
                account.add_names_to(&file.path, &mut vocabulary);
            }
        }
        progress.files_done.fetch_add(1, Ordering::Relaxed);
        progress.bytes_done.fetch_add(source.bytes, Ordering::Relaxed);
        file
    };
    let results = for_each_source(&found.sources, threads, &progress.cancelled, each).into_iter();
    let begun: Vec<Option<FileAccounts>> = results.flatten().collect();
    let not_read = found.sources.len() - begun.len();
    let passed_over = begun.iter().filter(|file| file.is_none()).count();
    let mut files: Vec<FileAccounts> = begun.into_iter().flatten().collect();
    let failures = found.failures.into_iter();
    files.extend(failures.map(|(path, error)| FileAccounts::of(&path, 0, Err(error.into()))));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let vocabulary = vocabulary.into_inner().unwrap_or_else(PoisonError::into_inner);
    for account in files.iter_mut().flat_map(|file| &mut file.sessions) {
        account.count_missed_needs(&vocabulary);
    }
    let models = files.iter().flat_map(|file| &file.sessions).flat_map(|session| &session.models);
    let unchecked: BTreeSet<&String> = models.filter(|model| options.prices.is_unchecked(model)).collect();
    let unchecked_models = unchecked.into_iter().cloned().collect();
    Accounts { prices_date: options.prices.date.clone(), unchecked_models, files, passed_over, not_read }
}

/// Session `number` of a file, or of a folder that is one session.
pub fn session_at(path: &Path, number: usize) -> Result<Session, FileError> {
    let found = find_files(&[path.to_path_buf()]).sources.into_iter().find(|source| source.path == path);
    let alone = || Source { path: path.to_path_buf(), files: vec![path.to_path_buf()], bytes: 0 };
    let (session, count) = read_one(&found.unwrap_or_else(alone), number).map_err(|error| FileError::of(&error))?;
    session.ok_or_else(|| FileError {
        code: "ERR_NO_SESSION",
        message: format!("expected one of {count} sessions, counted from 0; got {number}"),
    })
}

/// `None` for a file that was found by scanning and is not a session.
fn file_accounts(source: &Source, options: &AccountSettings, is_named: bool) -> Option<FileAccounts> {
    let mut accounts = Vec::new();
    let read = read_each(source, &mut |session| accounts.push(Account::of(&session, options)));
    let is_no_session =
        matches!(read, Err(ReadError::UnknownFormat { .. } | ReadError::NotUnderstood { .. } | ReadError::Empty));
    let read = read.map(|()| accounts);
    (is_named || !is_no_session).then(|| FileAccounts::of(&source.path, source.bytes, read))
}

impl FileAccounts {
    fn of(path: &Path, bytes: u64, read: Result<Vec<Account>, ReadError>) -> Self {
        let path = path.to_string_lossy().into_owned();
        let error = read.as_ref().err().map(FileError::of);
        Self { path, bytes, sessions: read.unwrap_or_default(), error }
    }
}

impl FileError {
    fn of(error: &ReadError) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}
