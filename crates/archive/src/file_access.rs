//! Decides which files may be an archive: the user's own, not readable by others, and not a link, since a file of
//! somebody else could contain forged messages, or expose real ones. On Windows the folder's access list decides.

use std::ffi::OsString;
use std::fs::{self, Metadata, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::failure::{Code, Failure};

/// Endings of the files that `SQLite` creates and reads next to the database.
const SIBLING_ENDINGS: [&str; 3] = ["-wal", "-shm", "-journal"];

pub fn sibling_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    name.into()
}

/// Makes the path absolute, since `SQLite` treats `:memory:` and `file:…` as something else than files. Resolves links in
/// its folders, with `follow` also the last one. Fails for an empty path, or without a working directory.
pub fn resolved_path(path: &Path, follow: bool) -> Result<PathBuf, Failure> {
    let path = path::absolute(path).map_err(|error| Failure::new(Code::Io).caused_by(&error))?;
    if cfg!(windows) {
        return Ok(path);
    }
    if follow && let Ok(resolved) = fs::canonicalize(&path) {
        return Ok(resolved);
    }
    // A missing folder is reported when the file is opened.
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    let resolved = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
    Ok(resolved.unwrap_or(path))
}

/// Creates the file if it doesn't exist, and returns true if it is empty. No two threads do so at once, and only `SQLite`
/// opens an existing file: closing a file releases all locks that the process holds on it (POSIX).
pub fn create_missing(path: &Path) -> Result<bool, Failure> {
    static CREATING: Mutex<()> = Mutex::new(());
    let _guard = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut options = OpenOptions::new();
    // New: never through a link, which could lead to a file of an attacker's choice.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => return Ok(true),
        Err(error) if fs::symlink_metadata(path).is_err() => return Err(unavailable(path, &error)),
        Err(_) => {}
    }
    // Links on Windows require an administrator, so they are followed.
    let look = if cfg!(windows) { fs::metadata } else { fs::symlink_metadata };
    let found = look(path).map_err(|error| unavailable(path, &error))?;
    if found.is_symlink() {
        return Err(Failure::with_message(Code::NotPrivate, "expected a file of the user's own, got a link"));
    }
    if !found.is_file() {
        // Opening a pipe would block the thread for ever.
        return Err(Failure::with_message(Code::Io, "expected a file, got a folder or a device"));
    }
    Ok(found.len() == 0)
}

fn unavailable(path: &Path, error: &Error) -> Failure {
    let is_folder_missing = path.parent().is_some_and(|folder| !folder.is_dir());
    if is_folder_missing {
        let message = "expected a file in a folder that exists, got a missing folder";
        return Failure::with_message(Code::Io, message).caused_by(error);
    }
    let code = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Code::ReadOnly,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::Full,
        _ => Code::Io,
    };
    Failure::new(code).caused_by(error)
}

/// Rejects the file, or one that `SQLite` would read next to it, if others own it, may read it, or have replaced it by a link.
pub fn refuse_shared(path: &Path) -> Result<(), Failure> {
    let files = SIBLING_ENDINGS.iter().map(|ending| sibling_path(path, ending));
    for file in files.chain([path.to_owned()]) {
        if let Ok(found) = fs::symlink_metadata(&file) {
            refuse_shared_file(&found)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn refuse_shared_file(found: &Metadata) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let problem = if found.is_symlink() {
        "got a link beside it"
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        "got one that belongs to another user"
    } else if found.mode() & 0o077 != 0 {
        "got one that others may read or write (chmod 600 keeps them out)"
    } else {
        return Ok(());
    };
    Err(Failure::with_message(Code::NotPrivate, &format!("expected a file of the user's own, {problem}")))
}

#[cfg(not(unix))]
const fn refuse_shared_file(_: &Metadata) -> Result<(), Failure> {
    Ok(())
}

/// True if the file and its folder are writable. `SQLite` needs both.
#[cfg(unix)]
pub fn is_writable(path: &Path) -> bool {
    use rustix::fs::{Access, access};
    let can_write = |place: &Path| access(place, Access::WRITE_OK).is_ok();
    can_write(path) && path.parent().is_none_or(can_write)
}

#[cfg(not(unix))]
pub fn is_writable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.permissions().readonly())
}

/// The URI with which `SQLite` opens `path` with `parameters`; `None` for a path that isn't Unicode.
pub fn uri_of(path: &Path, parameters: &str) -> Option<String> {
    path.to_str().map(|path| file_uri(path, parameters, cfg!(windows)))
}

/// A share's name already begins with two slashes: with a third, `SQLite` would not find its host.
fn file_uri(path: &str, parameters: &str, windows: bool) -> String {
    let is_share = path.starts_with(['\\', '/']);
    let mut uri = String::from(if windows && !is_share { "file:///" } else { "file://" });
    for character in path.chars() {
        match character {
            '\\' if windows => uri.push('/'),
            '%' => uri.push_str("%25"),
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            other => uri.push(other),
        }
    }
    uri + "?" + parameters
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod uri_tests;
