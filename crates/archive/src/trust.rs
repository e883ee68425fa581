//! Decides which files an archive may lie in: the user's own, readable for nobody else, at the end of no link. Anybody
//! else's could hold messages that nobody said, or show to others what was. On Windows a folder's access list decides.

use std::ffi::OsString;
use std::fs::{self, Metadata, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::failure::{Code, Failure};

/// What `SQLite` puts beside a file, and reads.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    name.into()
}

/// Absolute, since `SQLite` takes `:memory:` and `file:…` for something else than files; and with the links of its
/// folders resolved, so that a link is one at the path's end. With `follow` that one is resolved, too.
///
/// # Errors
/// For an empty path, and for a relative one where the working directory can't be told.
pub fn located(path: &Path, follow: bool) -> Result<PathBuf, Failure> {
    let path = path::absolute(path).map_err(|error| Failure::new(Code::Io).because(&error))?;
    if cfg!(windows) {
        return Ok(path);
    }
    if follow && let Ok(resolved) = fs::canonicalize(&path) {
        return Ok(resolved);
    }
    // What is missing is said when it is opened.
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    Ok(match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    })
}

/// Creates the file where there is none, and says whether it is empty.
///
/// Closing a file drops every lock that the process holds on it (POSIX), so no other thread may be about to lock
/// the file that is created here. For the same reason nothing but `SQLite` ever opens a file that exists.
pub fn create_missing(path: &Path) -> Result<bool, Failure> {
    static CREATING: Mutex<()> = Mutex::new(());
    let _guard = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut options = OpenOptions::new();
    // New: never through a link, which would be a file of somebody's choice.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => return Ok(true),
        Err(error) if fs::symlink_metadata(path).is_err() => return Err(unavailable(path, &error)),
        Err(_) => {}
    }
    // Links on Windows take an administrator to make, and lead where he wants.
    let look = if cfg!(windows) { fs::metadata } else { fs::symlink_metadata };
    let found = look(path).map_err(|error| unavailable(path, &error))?;
    if found.is_symlink() {
        return Err(Failure::saying(Code::NotPrivate, "expected a file of the user's own, got a link"));
    }
    if !found.is_file() {
        // A pipe would keep the thread waiting for ever.
        return Err(Failure::saying(Code::Io, "expected a file, got a folder or a device"));
    }
    Ok(found.len() == 0)
}

fn unavailable(path: &Path, error: &Error) -> Failure {
    let is_folder_missing = path.parent().is_some_and(|folder| !folder.is_dir());
    match error.kind() {
        _ if is_folder_missing => {
            Failure::saying(Code::Io, "expected a file in a folder that exists, got a missing folder")
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Failure::new(Code::ReadOnly),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Failure::new(Code::Full),
        _ => Failure::new(Code::Io),
    }
    .because(error)
}

/// Refuses a file, or one that `SQLite` would read beside it, that others own, may read or have put a link in place of.
pub fn refuse_shared(path: &Path) -> Result<(), Failure> {
    let files = BESIDE.iter().map(|ending| beside(path, ending));
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
    Err(Failure::saying(Code::NotPrivate, &format!("expected a file of the user's own, {problem}")))
}

#[cfg(not(unix))]
const fn refuse_shared_file(_: &Metadata) -> Result<(), Failure> {
    Ok(())
}

/// Whether the file and its folder can be written to. `SQLite` needs both.
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

#[cfg(test)]
#[path = "trust_tests.rs"]
mod tests;
