//! Reads a regular file line by line; the buffer grows to the longest line.

use std::fs::{File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use memchr::memchr;

use crate::error::ReadError;

/// Longer than any line that an agent writes, such as a dozen base64 images in one message.
pub(crate) const LONGEST_LINE_BYTES: usize = 256 << 20;
const FIRST_BUFFER_BYTES: usize = 256 * 1024;

pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Offsets into the buffer: start of the next line, end of the searched part, end of the filled part.
    start: usize,
    searched: usize,
    filled: usize,
    ended: bool,
    limit_bytes: usize,
    number: u64,
}

pub(crate) struct Line<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) number: u64,
    /// The file ends without a line break after this line.
    pub(crate) unfinished: bool,
    /// Longer than the limit; `bytes` is empty.
    pub(crate) too_long: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, limit_bytes: usize) -> Self {
        let buffer = Vec::new();
        Self { input, buffer, start: 0, searched: 0, filled: 0, ended: false, limit_bytes, number: 0 }
    }

    /// The next bytes without consuming them: at least `wanted` unless the file ends; and whether it ended.
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<(&[u8], bool)> {
        while self.filled - self.start < wanted && !self.ended {
            self.fill()?;
        }
        let bytes = self.buffer.get(self.start..self.filled).unwrap_or_default();
        Ok((bytes, self.ended))
    }

    /// The next line, without its line break; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut too_long = false;
        let (from, to, unfinished) = loop {
            let unsearched = self.buffer.get(self.searched..self.filled).unwrap_or_default();
            if let Some(offset) = memchr(b'\n', unsearched) {
                break (self.start, self.searched + offset, false);
            }
            self.searched = self.filled;
            if self.ended {
                if self.start == self.filled && !too_long {
                    return Ok(None);
                }
                break (self.start, self.filled, true);
            }
            if self.filled - self.start > self.limit_bytes {
                too_long = true;
                self.start = self.filled;
            }
            self.fill()?;
        };
        self.number += 1;
        self.start = if unfinished { to } else { to + 1 };
        self.searched = self.start;
        let range = if too_long { 0..0 } else { from..to };
        let bytes = self.buffer.get(range).unwrap_or_default();
        Ok(Some(Line { bytes, number: self.number, unfinished, too_long }))
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        if self.filled == self.buffer.len() {
            self.buffer.resize((self.buffer.len() * 2).max(FIRST_BUFFER_BYTES), 0);
        }
        let free = self.buffer.get_mut(self.filled..).unwrap_or_default();
        match self.input.read(free) {
            Ok(0) => self.ended = true,
            Ok(count) => self.filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Opens a regular file: a pipe or a device may block, or never end.
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

#[cfg(test)]
mod tests;
