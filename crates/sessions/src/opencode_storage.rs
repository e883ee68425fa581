//! Files of opencode before it had a database: `storage/session/{project}/{session}.json`,
//! `storage/message/{session}/{message}.json`, `storage/part/{message}/{part}.json`; the first versions had
//! `session/info`, `session/message` and `session/part/{session}` instead. Ids increase with time.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::source::{Source, is_database};

const SESSIONS: &str = "session";
/// Folder of sessions in the first versions.
const FIRST_SESSIONS: &str = "info";
const MESSAGES: &str = "message";
const PARTS: &str = "part";

/// The files of the session in `path`, that one first; `None` if it is not in a storage.
pub(crate) fn files_of(path: &Path) -> Option<Vec<PathBuf>> {
    let id = session_id(path)?;
    let (messages, parts) = folders_of(path, id)?;
    let mut files = vec![path.to_path_buf()];
    for message in json_files(&messages) {
        let own_parts = message.file_stem().map(|name| json_files(&parts.join(name)));
        files.push(message);
        files.extend(own_parts.unwrap_or_default());
    }
    Some(files)
}

fn session_id(path: &Path) -> Option<&OsStr> {
    let is_named = path.extension()? == "json" && path.file_name()?.to_str()?.starts_with("ses_");
    path.file_stem().filter(|_| is_named)
}

fn folders_of(path: &Path, id: &OsStr) -> Option<(PathBuf, PathBuf)> {
    let folder = path.parent()?;
    let parent = folder.parent()?;
    if folder.file_name()? == FIRST_SESSIONS && parent.join(MESSAGES).is_dir() {
        return Some((parent.join(MESSAGES).join(id), parent.join(PARTS).join(id)));
    }
    let root = parent.parent().filter(|root| parent.ends_with(SESSIONS) && root.join(MESSAGES).is_dir())?;
    Some((root.join(MESSAGES).join(id), root.join(PARTS)))
}

/// By name; none if it can't be read. Links are skipped: they may lead elsewhere, and opencode creates none.
fn json_files(folder: &Path) -> Vec<PathBuf> {
    if folder.symlink_metadata().is_ok_and(|about| about.is_symlink()) {
        return Vec::new();
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let is_json = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_json).collect();
    files.sort();
    files
}

/// True for a folder that `has` those of a storage. Its messages and parts are read with their sessions.
pub(crate) fn is_storage(has: impl Fn(&str) -> bool) -> bool {
    (has(SESSIONS) || has(FIRST_SESSIONS)) && has(MESSAGES) && has(PARTS)
}

pub(crate) fn holds_sessions(folder: &Path) -> bool {
    folder.ends_with(SESSIONS) || folder.ends_with(FIRST_SESSIONS)
}

/// Leaves out the sessions of a storage next to a database: opencode has moved them there.
pub(crate) fn without_migrated(mut sources: Vec<Source>) -> Vec<Source> {
    let databases = sources.iter().filter(|source| is_database(&source.path));
    let folders: HashSet<PathBuf> = databases.filter_map(|source| Some(source.path.parent()?.to_path_buf())).collect();
    let is_migrated = |source: &Source| {
        let storage = source.path.ancestors().find(|folder| folder.ends_with("storage"));
        let has_database = storage.and_then(Path::parent).is_some_and(|folder| folders.contains(folder));
        has_database && session_id(&source.path).is_some()
    };
    sources.retain(|source| !is_migrated(source));
    sources
}

#[cfg(test)]
mod tests;
