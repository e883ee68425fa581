//! Reads one file. One of which too little was understood is refused: figures about it would be silently wrong.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::{
    Agent, Detector, FIRST_SAMPLE_BYTES, Format, Json, LONGEST_LINE_BYTES, Layout, Line, Lines, Message, NoteKind,
    Notes, ReadError, Reader, Session, StoredSessions, layout, open_regular, parse_or_repair, sessions_of, text_of,
    unreadable,
};

/// A document is not split into lines, so all of it is held in memory.
pub(crate) const LONGEST_DOCUMENT_BYTES: usize = 512 << 20;
const MAX_SAMPLE_BYTES: usize = 64 << 20;

/// Message lists with less text are always accepted.
const MIN_REFUSED_BYTES: usize = 1000;
/// A list is refused if it has more than 20 times the text that was understood.
const MAX_OFFERED_PER_UNDERSTOOD: usize = 20;
/// A file is refused if at least this many records were left out, and too many for each message.
const MIN_LEFT_OUT: u64 = 10;
const MAX_LEFT_OUT_PER_MESSAGE: u64 = 10;

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

/// Needs memory for the messages and the longest line.
pub fn read_sessions(input: impl Read) -> Result<Vec<Session>, ReadError> {
    let mut lines = Lines::new(input, LONGEST_LINE_BYTES);
    match layout(&mut lines)? {
        Layout::Empty => Err(ReadError::Empty),
        Layout::Database => Err(unreadable("it has to be opened by its path")),
        Layout::Lines => RecordFeeder::of_lines(&mut lines)?.finish(),
        Layout::Document => read_document(&mut lines),
        Layout::Cassette => read_cassette(&mut lines),
    }
}

fn format_of_lines(lines: &mut Lines<impl Read>) -> Result<&'static Format, ReadError> {
    let mut sample_bytes = FIRST_SAMPLE_BYTES;
    loop {
        let (head, ended) = lines.peek(sample_bytes)?;
        let mut detector = Detector::default();
        let mut sample = Lines::new(head, LONGEST_LINE_BYTES);
        while let Some(line) = sample.next()? {
            if (line.unfinished && !ended) || detector.is_settled() {
                break;
            }
            let add = |value: Json<'_>, _: &mut Notes| detector.add_evidence(&value, line.number);
            let _ = for_each_value(line.bytes, &[], &mut Notes::default(), add);
        }
        if detector.is_settled() || ended || sample_bytes >= MAX_SAMPLE_BYTES {
            return detector.verdict();
        }
        sample_bytes *= 4;
    }
}

/// One session with its companion files: sub-agents and settings. Unreadable companions are left out and noted.
pub(crate) fn read_with_companions(file: &Path, companions: &[PathBuf]) -> Result<Vec<Session>, ReadError> {
    let mut feeder = RecordFeeder::of_lines(&mut Lines::new(open_regular(file)?, LONGEST_LINE_BYTES))?;
    for companion in companions {
        let read = open_regular(companion).and_then(|file| {
            let mut lines = Lines::new(file, LONGEST_LINE_BYTES);
            if is_lines(companion) { feeder.read_lines(&mut lines) } else { feeder.read_document(&mut lines) }
        });
        if let Err(error) = read {
            feeder.notes.set_line(0);
            let what = if is_lines(companion) { "a sub-agent’s file" } else { "the settings beside it" };
            feeder.notes.add(NoteKind::UnreadableFile, || format!("{what}: {error}"));
        }
    }
    feeder.finish()
}

pub(crate) fn is_lines(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}

struct RecordFeeder {
    format: &'static Format,
    reader: Box<dyn Reader>,
    notes: Notes,
    /// Text that the records offer, to compare with what was understood.
    text_bytes: usize,
}

impl RecordFeeder {
    fn of(format: &'static Format) -> Self {
        Self { format, reader: format.reader(), notes: Notes::default(), text_bytes: 0 }
    }

    fn of_lines(lines: &mut Lines<impl Read>) -> Result<Self, ReadError> {
        let mut feeder = Self::of(format_of_lines(lines)?);
        feeder.read_lines(lines)?;
        Ok(feeder)
    }

    fn read_lines(&mut self, lines: &mut Lines<impl Read>) -> Result<(), ReadError> {
        while let Some(line) = lines.next()? {
            self.notes.set_line(line.number);
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
            Err(column) => {
                let (kind, problem) = if line.unfinished {
                    (NoteKind::TornLine, "ends in the middle of a record, at")
                } else {
                    (NoteKind::BadLine, "expected a JSON object, found none at")
                };
                notes.add(kind, || format!("{problem} column {column}"));
            }
        }
    }

    fn read_document(&mut self, lines: &mut Lines<impl Read>) -> Result<(), ReadError> {
        let bytes = read_all(lines, LONGEST_DOCUMENT_BYTES)?;
        self.notes.set_line(0);
        let text = text_of(&bytes, &mut self.notes);
        let reader = &mut self.reader;
        let read = parse_or_repair(&text, &[], &mut self.notes, |value, notes| reader.record(value, notes));
        read.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("it is no JSON: {error}")).into())
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
    let bytes = read_all(lines, LONGEST_DOCUMENT_BYTES)?;
    let mut notes = Notes::default();
    let text = text_of(&bytes, &mut notes);
    match parse_or_repair(&text, &[], &mut notes, read_value) {
        Ok(sessions) => sessions,
        Err(error) => read_broken_document(&bytes, &error),
    }
}

/// Reads what is no JSON document as lines: its first line may be torn. A truncated document is refused.
fn read_broken_document(bytes: &[u8], error: &serde_json::Error) -> Result<Vec<Session>, ReadError> {
    let broken = || ReadError::UnknownFormat {
        nearest: None,
        line: error.line() as u64,
        found: format!("a JSON document that breaks off or is none at column {}", error.column()),
    };
    let feeder = RecordFeeder::of_lines(&mut Lines::new(bytes, LONGEST_LINE_BYTES)).map_err(|_| broken())?;
    // Some lines of a truncated array may parse as messages, but only an arbitrary part of them.
    if feeder.format.agent == Agent::MessageArray && bytes.trim_ascii_start().starts_with(b"[") {
        return Err(broken());
    }
    feeder.finish().map_err(|_| broken())
}

fn read_value(value: Json<'_>, notes: &mut Notes) -> Result<Vec<Session>, ReadError> {
    let mut feeder = RecordFeeder::of(Detector::format_of(&value)?);
    feeder.notes = std::mem::take(notes);
    feeder.text_bytes = offered_bytes(feeder.format, &value);
    feeder.reader.record(value, &mut feeder.notes);
    feeder.finish()
}

fn read_cassette(lines: &mut Lines<impl Read>) -> Result<Vec<Session>, ReadError> {
    let bytes = read_all(lines, LONGEST_DOCUMENT_BYTES)?;
    let mut notes = Notes::default();
    let text = text_of(&bytes, &mut notes);
    let value: Json<'_> = serde_saphyr::from_str(&text).map_err(|error| ReadError::UnknownFormat {
        nearest: Some((Agent::RequestLog, "YAML with a list `interactions`")),
        line: error.location().map_or(1, |place| place.line()),
        found: "something that is no YAML".to_owned(),
    })?;
    read_value(value, &mut notes)
}

pub(crate) fn read_whole_file(path: &Path, limit_bytes: usize) -> Result<Vec<u8>, ReadError> {
    read_all(&mut Lines::new(open_regular(path)?, LONGEST_LINE_BYTES), limit_bytes)
}

fn read_all(lines: &mut Lines<impl Read>, limit_bytes: usize) -> Result<Vec<u8>, ReadError> {
    // One more byte distinguishes a file of exactly the limit from a longer one.
    let (bytes, ended) = lines.peek(limit_bytes + 1)?;
    if ended && bytes.len() <= limit_bytes { Ok(bytes.to_vec()) } else { Err(ReadError::TooLarge { limit_bytes }) }
}

/// Bytes of text that should be understood: all in a message list, none in agents' files, which repeat texts for the UI.
fn offered_bytes(format: &Format, value: &Json<'_>) -> usize {
    if format.agent == Agent::MessageArray { value.text_bytes() } else { 0 }
}

fn expect_understood(offered: usize, sessions: Vec<Session>) -> Result<Vec<Session>, ReadError> {
    let messages = || sessions.iter().flat_map(|session| &session.messages);
    let understood: usize = messages().map(Message::text_bytes).sum();
    if offered >= MIN_REFUSED_BYTES && understood.saturating_mul(MAX_OFFERED_PER_UNDERSTOOD) < offered {
        return Err(ReadError::NotUnderstood { understood, offered, what: "bytes of text" });
    }
    let kept = messages().count();
    let kinds = [NoteKind::UnknownRecord, NoteKind::IncompleteRecord, NoteKind::BadLine, NoteKind::LongLine];
    let left_out_of = |session: &Session| kinds.iter().map(|&kind| session.notes.count(kind)).sum::<u64>();
    let left_out: u64 = sessions.iter().map(left_out_of).sum();
    if left_out >= MIN_LEFT_OUT && left_out > MAX_LEFT_OUT_PER_MESSAGE.saturating_mul(kept as u64) {
        let offered = kept.saturating_add(usize::try_from(left_out).unwrap_or(usize::MAX));
        return Err(ReadError::NotUnderstood { understood: kept, offered, what: "records" });
    }
    Ok(sessions)
}
