//! Detects by content which agent wrote a file; names don't help, since sessions get copied and renamed.

use std::io::{self, Read};

use crate::{Evidence, Format, Json, LONGEST_LINE_BYTES, Lines, ReadError, formats};

/// After this many records without sure evidence, hints decide.
const MAX_RECORDS: u64 = 400;

const SQLITE_HEADER: &[u8] = b"SQLite format 3\0";
pub(crate) const FIRST_SAMPLE_BYTES: usize = 64 << 10;

#[derive(Default)]
pub(crate) struct Detector {
    /// By format, the number of records with sure evidence, and with hints.
    scores: [(u64, u64); formats::ALL.len()],
    record_count: u64,
    first: Option<(u64, String)>,
}

impl Detector {
    pub(crate) fn add_evidence(&mut self, record: &Json<'_>, line: u64) {
        self.record_count += 1;
        self.first.get_or_insert_with(|| (line, description(record)));
        for (format, (sure, hints)) in formats::ALL.iter().zip(&mut self.scores) {
            match (format.evidence)(record) {
                Evidence::Sure => *sure += 1,
                Evidence::Hint => *hints += 1,
                Evidence::None => {}
            }
        }
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.record_count >= MAX_RECORDS || self.scores.iter().any(|(sure, _)| *sure > 0)
    }

    pub(crate) fn format_of(value: &Json<'_>) -> Result<&'static Format, ReadError> {
        let mut detector = Self::default();
        detector.add_evidence(value, 1);
        detector.verdict()
    }

    /// The format with the most sure evidence; without any, the one with the most hints. The order of the formats
    /// decides a tie.
    pub(crate) fn verdict(&self) -> Result<&'static Format, ReadError> {
        let ranked = formats::ALL.iter().zip(self.scores).rev().max_by_key(|(_, score)| *score);
        let best = ranked.filter(|(_, score)| *score != (0, 0));
        match best {
            Some((format, (sure, hints))) if sure > 0 || hints * 2 > self.record_count => Ok(format),
            _ => {
                let nearest = best.map(|(format, _)| (format.agent, format.expects));
                let (line, found) = self.first.clone().unwrap_or((1, "no JSON".to_owned()));
                Err(ReadError::UnknownFormat { nearest, line, found })
            }
        }
    }
}

pub(crate) enum Layout {
    Empty,
    Database,
    /// One record per line.
    Lines,
    /// One JSON value on many lines.
    Document,
    /// Recorded HTTP in YAML.
    Cassette,
}

/// Detects the layout by the first line, without consuming it.
pub(crate) fn layout(lines: &mut Lines<impl Read>) -> io::Result<Layout> {
    let mut sample_bytes = FIRST_SAMPLE_BYTES;
    loop {
        let (head, ended) = lines.peek(sample_bytes)?;
        if head.starts_with(SQLITE_HEADER) {
            return Ok(Layout::Database);
        }
        let text = head.trim_ascii_start();
        let line_end = memchr::memchr(b'\n', text);
        if line_end.is_none() && !ended && sample_bytes < LONGEST_LINE_BYTES {
            sample_bytes *= 4;
            continue;
        }
        let first = text.get(..line_end.unwrap_or(text.len())).unwrap_or_default().trim_ascii();
        return Ok(match first {
            [] => Layout::Empty,
            [b'{' | b'[', ..] => {
                let parsed = serde_json::from_slice::<serde::de::IgnoredAny>(first);
                let is_cut_off = parsed.is_err_and(|error| error.is_eof());
                if is_cut_off && line_end.is_some() { Layout::Document } else { Layout::Lines }
            }
            _ if text.starts_with(b"interactions:") => Layout::Cassette,
            _ if memchr::memmem::find(text, b"\ninteractions:").is_some() => Layout::Cassette,
            _ => Layout::Lines,
        });
    }
}

fn description(value: &Json<'_>) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(_) => "a boolean".to_owned(),
        Json::Number(_) => "a number".to_owned(),
        Json::Text(_) => "a string".to_owned(),
        Json::List(items) => format!("a list of {} values", items.len()),
        Json::Object(fields) => format!("an object with {} fields, none of which says whose it is", fields.len()),
    }
}
