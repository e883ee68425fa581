//! Reads one file: detects its format, then passes its records to that format's reader one by one.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::Agent;
use crate::coverage::{expect_understood, offered_bytes};
use crate::database::unreadable;
use crate::detect::{Detector, FIRST_SAMPLE_BYTES, Layout, layout};
use crate::error::ReadError;
use crate::format::{Format, Reader};
use crate::formats::StoredSessions;
use crate::json::Json;
use crate::lines::{LONGEST_LINE_BYTES, Line, Lines};
use crate::model::Session;
use crate::notes::{NoteKind, Notes};
use crate::regular_file::open_regular;
use crate::repair::{parse_or_repair, text_of};

/// A document is not split into lines, so all of it is held in memory.
pub(crate) const LONGEST_DOCUMENT_BYTES: usize = 512 << 20;
/// Bytes sampled at most to detect the format.
const LAST_SAMPLE_BYTES: usize = 64 << 20;

/// The sessions of one file; `path` is only used to open it.
///
/// # Errors
/// If it is not a regular file, can't be opened or read, is empty, or is in no known format.
pub fn read_file(path: &Path) -> Result<Vec<Session>, ReadError> {
    match read_sessions(open_regular(path)?) {
        Err(ReadError::Database { .. }) => {
            let mut sessions = Vec::new();
            StoredSessions::open(path)?.read(|_| true, &mut |session| sessions.push(session))?;
            Ok(sessions)
        }
        read => read,
    }
}

/// The sessions in `input`; needs memory for their messages and the longest line.
///
/// # Errors
/// If reading fails, the input is empty, or the format is unknown. Broken records are not errors: they are in the
/// sessions' notes.
pub fn read_sessions(input: impl Read) -> Result<Vec<Session>, ReadError> {
    let mut lines = Lines::new(input, LONGEST_LINE_BYTES);
    match layout(&mut lines)? {
        Layout::Empty => Err(ReadError::Empty),
        Layout::Database => Err(unreadable("it has to be opened by its path")),
        Layout::Lines => {
            let format = format_of_lines(&mut lines)?;
            read_lines(&mut lines, format)
        }
        Layout::Document => read_document(&mut lines),
        Layout::Cassette => read_cassette(&mut lines),
    }
}

fn format_of_lines(lines: &mut Lines<impl Read>) -> Result<&'static Format, ReadError> {
    let mut wanted = FIRST_SAMPLE_BYTES;
    loop {
        let (head, ended) = lines.peek(wanted)?;
        let mut detector = Detector::new();
        let mut sample = Lines::new(head, LONGEST_LINE_BYTES);
        while let Some(line) = sample.next()? {
            if (line.unfinished && !ended) || detector.is_settled() {
                break;
            }
            let add = |value: Json<'_>, _: &mut Notes| detector.add_evidence(&value, line.number);
            let _ = for_each_value(line.bytes, &[], &mut Notes::default(), add);
        }
        if detector.is_settled() || ended || wanted >= LAST_SAMPLE_BYTES {
            return detector.verdict();
        }
        wanted *= 4;
    }
}

fn read_lines(lines: &mut Lines<impl Read>, format: &'static Format) -> Result<Vec<Session>, ReadError> {
    let mut records = Records::of(format);
    records.read_lines(lines)?;
    records.finish()
}

/// One session with its additional files: sub-agents and settings. Unreadable ones are left out and noted.
pub(crate) fn read_with_others(session: &Path, others: &[PathBuf]) -> Result<Vec<Session>, ReadError> {
    let mut lines = Lines::new(open_regular(session)?, LONGEST_LINE_BYTES);
    let mut records = Records::of(format_of_lines(&mut lines)?);
    records.read_lines(&mut lines)?;
    for other in others {
        let read = open_regular(other).and_then(|file| {
            let mut lines = Lines::new(file, LONGEST_LINE_BYTES);
            if is_lines(other) { records.read_lines(&mut lines) } else { records.read_document(&mut lines) }
        });
        if let Err(error) = read {
            records.notes.at_line(0);
            let what = if is_lines(other) { "a sub-agent’s file" } else { "the settings beside it" };
            records.notes.add(NoteKind::UnreadableFile, || format!("{what}: {error}"));
        }
    }
    records.finish()
}

/// True if the file name says that records are lines.
pub(crate) fn is_lines(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}

/// Passes records to a format's reader and counts their text.
struct Records {
    format: &'static Format,
    reader: Box<dyn Reader>,
    notes: Notes,
    /// Text that the records offer, to compare with what was understood.
    text_bytes: usize,
}

impl Records {
    fn of(format: &'static Format) -> Self {
        Self { format, reader: (format.reader)(), notes: Notes::default(), text_bytes: 0 }
    }

    fn read_lines(&mut self, lines: &mut Lines<impl Read>) -> Result<(), ReadError> {
        while let Some(line) = lines.next()? {
            self.notes.at_line(line.number);
            self.read_line(&line);
        }
        Ok(())
    }

    fn read_line(&mut self, line: &Line<'_>) {
        let Self { format, reader, notes, text_bytes } = self;
        if line.too_long {
            notes.add(NoteKind::LongLine, || format!("expected at most {LONGEST_LINE_BYTES} bytes"));
            return;
        }
        let read = for_each_value(line.bytes, format.skipped, notes, |value, notes| {
            *text_bytes += offered_bytes(format, &value);
            reader.record(value, notes);
        });
        match read {
            Ok(0 | 1) => {}
            Ok(_) => notes.add(NoteKind::JoinedLine, || "several records on one line".to_owned()),
            Err(at) if line.unfinished => {
                notes.add(NoteKind::TornLine, || format!("ends in the middle of a record, at column {at}"));
            }
            Err(at) => {
                notes.add(NoteKind::BadLine, || format!("expected a JSON object, found none at column {at}"));
            }
        }
    }

    fn read_document(&mut self, lines: &mut Lines<impl Read>) -> Result<(), ReadError> {
        let bytes = whole(lines, LONGEST_DOCUMENT_BYTES)?;
        self.notes.at_line(0);
        let text = text_of(&bytes, &mut self.notes);
        let reader = &mut self.reader;
        let read = parse_or_repair(&text, &[], &mut self.notes, |value, notes| reader.record(value, notes));
        read.map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("it is no JSON: {error}")).into()
        })
    }

    fn finish(self) -> Result<Vec<Session>, ReadError> {
        expect_understood(self.text_bytes, sessions_of(self.format.agent, self.reader, self.notes))
    }
}

/// Calls `each` with every JSON value of a line; returns their number, or the column at which one is invalid.
fn for_each_value(
    bytes: &[u8],
    skipped: &[&str],
    notes: &mut Notes,
    mut each: impl FnMut(Json<'_>, &mut Notes),
) -> Result<usize, usize> {
    let bytes = bytes.trim_ascii();
    // Some editors write a byte order mark.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.is_empty() {
        return Ok(0);
    }
    let text = text_of(bytes, notes);
    if parse_or_repair(&text, skipped, notes, &mut each).is_ok() {
        return Ok(1);
    }
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Json<'_>>();
    let mut count = 0;
    while let Some(value) = values.next() {
        each(value.map_err(|_| values.byte_offset() + 1)?, notes);
        count += 1;
    }
    Ok(count)
}

fn read_document(lines: &mut Lines<impl Read>) -> Result<Vec<Session>, ReadError> {
    let bytes = whole(lines, LONGEST_DOCUMENT_BYTES)?;
    let mut notes = Notes::default();
    let text = text_of(&bytes, &mut notes);
    let sessions = parse_or_repair(&text, &[], &mut notes, read_value);
    match sessions {
        Ok(sessions) => sessions,
        // Either JSON lines with a torn first line, or a truncated document.
        Err(error) => {
            let mut again = Lines::new(&*bytes, LONGEST_LINE_BYTES);
            let broken = || ReadError::UnknownFormat {
                nearest: None,
                line: error.line() as u64,
                found: format!("a JSON document that breaks off or is none at column {}", error.column()),
            };
            // Some lines of a truncated array may parse as messages, but only an arbitrary part of them.
            let format = format_of_lines(&mut again).map_err(|_| broken())?;
            if format.agent == Agent::MessageArray && bytes.trim_ascii_start().starts_with(b"[") {
                return Err(broken());
            }
            read_lines(&mut again, format).map_err(|_| broken())
        }
    }
}

fn read_value(value: Json<'_>, notes: &mut Notes) -> Result<Vec<Session>, ReadError> {
    let mut records = Records::of(Detector::format_of(&value)?);
    records.notes = std::mem::take(notes);
    records.text_bytes = offered_bytes(records.format, &value);
    records.reader.record(value, &mut records.notes);
    records.finish()
}

fn read_cassette(lines: &mut Lines<impl Read>) -> Result<Vec<Session>, ReadError> {
    let bytes = whole(lines, LONGEST_DOCUMENT_BYTES)?;
    let mut notes = Notes::default();
    let text = text_of(&bytes, &mut notes);
    let value: Json<'_> = serde_saphyr::from_str(&text).map_err(|error| ReadError::UnknownFormat {
        nearest: Some((Agent::RequestLog, "YAML with a list `interactions`")),
        line: error.location().map_or(1, |place| place.line()),
        found: "something that is no YAML".to_owned(),
    })?;
    read_value(value, &mut notes)
}

/// Reads a whole file that is part of a document.
pub(crate) fn whole_file(path: &Path, limit_bytes: usize) -> Result<Vec<u8>, ReadError> {
    whole(&mut Lines::new(open_regular(path)?, LONGEST_LINE_BYTES), limit_bytes)
}

fn whole(lines: &mut Lines<impl Read>, limit_bytes: usize) -> Result<Vec<u8>, ReadError> {
    // One more byte distinguishes a file of exactly the limit from a longer one.
    let (bytes, ended) = lines.peek(limit_bytes + 1)?;
    if ended && bytes.len() <= limit_bytes {
        Ok(bytes.to_vec())
    } else {
        Err(ReadError::TooLarge { limit_bytes })
    }
}

/// The reader's sessions; the first one carries the file's notes.
pub(crate) fn sessions_of(agent: Agent, reader: Box<dyn Reader>, mut notes: Notes) -> Vec<Session> {
    notes.at_line(0);
    let mut sessions = reader.finish(&mut notes);
    for session in &mut sessions {
        session.agent = agent;
    }
    if let Some(first) = sessions.first_mut() {
        first.notes.absorb(notes);
    }
    sessions
}
