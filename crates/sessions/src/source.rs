//! A source: a file, or the files of one folder, that are read together; reading one source, or many in parallel.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::{
    Agent, Detector, LONGEST_DOCUMENT_BYTES, NoteKind, Notes, ReadError, Reader, Session, StoredSessions, is_lines,
    parse_or_repair, read_file, read_whole_file, read_with_companions, sessions_of, text_of,
};

pub(crate) const DATABASE_EXTENSION: &str = "db";

/// One file (a database may hold many sessions), or the files of a folder that together are one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub path: PathBuf,
    /// In reading order. Includes a database's write-ahead log, which holds the last writes.
    pub files: Vec<PathBuf>,
    pub bytes: u64,
}

pub(crate) fn is_database(path: &Path) -> bool {
    has_extension(path, DATABASE_EXTENSION)
}

pub(crate) fn has_extension(path: &Path, known: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(known))
}

/// If there are several files, unreadable ones are left out and noted.
pub fn read_source(source: &Source) -> Result<Vec<Session>, ReadError> {
    let mut sessions = Vec::new();
    read_each(source, &mut |session| sessions.push(session))?;
    Ok(sessions)
}

/// Like [`read_source`], one session after another: only one of a database is in memory at a time.
/// Sessions passed to `each` before an error are incomplete.
pub fn read_each(source: &Source, each: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
    let sessions = match source.files.as_slice() {
        [file, ..] if is_database(file) => match StoredSessions::open(file) {
            Ok(stored) => return stored.read(|_| true, each),
            // Other programs use this extension, too.
            Err(_) => read_file(file)?,
        },
        [file] => read_file(file)?,
        [session, companions @ ..] if is_lines(session) => read_with_companions(session, companions)?,
        files => read_as_one(files, LONGEST_DOCUMENT_BYTES)?,
    };
    sessions.into_iter().for_each(each);
    Ok(())
}

pub(crate) fn read_one(source: &Source, number: usize) -> Result<(Option<Session>, usize), ReadError> {
    let database = source.files.first().filter(|file| is_database(file));
    if let Some(Ok(stored)) = database.map(|file| StoredSessions::open(file)) {
        let mut found = None;
        stored.read(|stored_number| stored_number == number, &mut |session| found = Some(session))?;
        return Ok((found, stored.count()));
    }
    let sessions = read_source(source)?;
    let count = sessions.len();
    Ok((sessions.into_iter().nth(number), count))
}

/// Notes have a file's number (from 1) as line. Unreadable files are left out and noted.
fn read_as_one(files: &[PathBuf], limit_bytes: usize) -> Result<Vec<Session>, ReadError> {
    let mut reader: Option<(Agent, Box<dyn Reader>)> = None;
    let mut refusal = ReadError::Empty;
    let mut notes = Notes::default();
    let mut used_bytes = 0;
    for (number, file) in files.iter().enumerate() {
        notes.set_line(number as u64 + 1);
        let bytes = match read_whole_file(file, limit_bytes.saturating_sub(used_bytes)) {
            Ok(bytes) => bytes,
            Err(ReadError::TooLarge { .. }) => return Err(ReadError::TooLarge { limit_bytes }),
            Err(error) => {
                notes.set_line(0);
                notes.add(NoteKind::UnreadableFile, || format!("{}: {error}", name_of(file)));
                refusal = error;
                continue;
            }
        };
        used_bytes += bytes.len();
        let text = text_of(&bytes, &mut notes);
        let read = parse_or_repair(&text, &[], &mut notes, |value, notes| {
            if reader.is_none() {
                match Detector::format_of(&value) {
                    Ok(format) => reader = Some((format.agent, format.reader())),
                    Err(error) => refusal = error,
                }
            }
            if let Some((_, reader)) = &mut reader {
                reader.record(value, notes);
            }
        });
        if read.is_err() {
            notes.set_line(0);
            notes.add(NoteKind::BadLine, || format!("{} is no JSON", name_of(file)));
        }
    }
    reader.map(|(agent, reader)| sessions_of(agent, reader, notes)).ok_or(refusal)
}

/// The file's name in its folder: given by the agent, so it reveals no content.
fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or(OsStr::new("a file")).to_string_lossy().into_owned()
}

/// Calls `each` on `threads` threads. Results are in the order of `sources`, `None` if not begun when `cancelled` became
/// true. Memory doesn't grow with the number of sources.
pub fn for_each_source<T: Send>(
    sources: &[Source],
    threads: NonZeroUsize,
    cancelled: &AtomicBool,
    each: impl Fn(&Source) -> T + Sync,
) -> Vec<Option<T>> {
    // Largest first, so that no thread is left with a large source at the end.
    let mut jobs: Vec<(usize, &Source)> = sources.iter().enumerate().collect();
    jobs.sort_by_key(|(_, source)| std::cmp::Reverse(source.bytes));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<T>>> = Mutex::new(sources.iter().map(|_| None).collect());
    let work = || {
        while !cancelled.load(Ordering::Relaxed) {
            let Some(&(index, source)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let result = each(source);
            if let Some(slot) = results.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
                *slot = Some(result);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(sources.len()) {
            scope.spawn(work);
        }
        work();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
