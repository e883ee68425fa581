//! Opens regular files only: a pipe or a device may block, or never end.

use std::fs::{File, FileType};
use std::path::Path;

use crate::error::ReadError;

pub(crate) fn open_regular(path: &Path) -> Result<File, ReadError> {
    expect_regular(path)?;
    Ok(File::open(path)?)
}

/// Call this before opening: opening a pipe blocks until it has a writer.
pub(crate) fn expect_regular(path: &Path) -> Result<(), ReadError> {
    let kind = path.metadata()?.file_type();
    if kind.is_file() { Ok(()) } else { Err(ReadError::NotRegular { found: name_of(kind) }) }
}

fn name_of(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}
