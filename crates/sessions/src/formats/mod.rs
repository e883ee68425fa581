//! A session format detects its records and reads them into sessions. One module per agent or file format.

mod ai_sdk_ui;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod gemini_cli;
mod gemini_stream;
mod harbor;
mod kimi_cli;
mod langchain;
mod mastra;
mod message_array;
mod mini_swe_agent;
mod opencode;
mod openhands;
mod pi;
mod prelude;
mod qwen_code;
mod request_log;
mod swe_agent;

use crate::{Agent, Assembly, Json, Notes, Session};

pub(crate) use opencode::StoredSessions;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    None,
    /// Other agents could have written it, too.
    Hint,
    /// No other agent writes this.
    Sure,
}

impl Evidence {
    pub(crate) fn sure_if(holds: bool) -> Self {
        if holds { Self::Sure } else { Self::None }
    }

    pub(crate) fn hint_if(holds: bool) -> Self {
        if holds { Self::Hint } else { Self::None }
    }
}

pub(crate) struct Format {
    pub(crate) agent: Agent,
    /// Describes an expected record, for the error about a refused file.
    pub(crate) expects: &'static str,
    /// Top-level fields that aren't read; they are skipped without unescaping.
    pub(crate) skipped: &'static [&'static str],
    pub(crate) evidence: FindEvidence,
    read: ReadBy,
}

enum ReadBy {
    Reader(fn() -> Box<dyn Reader>),
    Function(ReadRecord),
}

type FindEvidence = fn(&Json<'_>) -> Evidence;
type ReadRecord = fn(&mut Assembly, Json<'_>, &mut Notes);

impl Format {
    const fn of<R: Reader + Default + 'static>(agent: Agent, expects: &'static str, evidence: FindEvidence) -> Self {
        Self { agent, expects, skipped: &[], evidence, read: ReadBy::Reader(|| Box::<R>::default()) }
    }

    const fn by_function(agent: Agent, expects: &'static str, evidence: FindEvidence, read: ReadRecord) -> Self {
        Self { agent, expects, skipped: &[], evidence, read: ReadBy::Function(read) }
    }

    pub(crate) fn reader(&self) -> Box<dyn Reader> {
        match self.read {
            ReadBy::Reader(reader) => reader(),
            ReadBy::Function(read) => Box::new((Assembly::default(), read)),
        }
    }
}

/// Reads one file, record by record: a line of JSONL, or the only value of a document.
pub(crate) trait Reader {
    fn record(&mut self, record: Json<'_>, notes: &mut Notes);

    /// The sessions read: one for most files, none if there are no messages. The caller sets their agent.
    fn finish(self: Box<Self>, notes: &mut Notes) -> Vec<Session>;
}

impl Reader for (Assembly, ReadRecord) {
    fn record(&mut self, record: Json<'_>, notes: &mut Notes) {
        self.1(&mut self.0, record, notes);
    }

    fn finish(self: Box<Self>, _notes: &mut Notes) -> Vec<Session> {
        self.0.finish()
    }
}

/// The reader's sessions; the first one carries the file's notes.
pub(crate) fn sessions_of(agent: Agent, reader: Box<dyn Reader>, mut notes: Notes) -> Vec<Session> {
    notes.set_line(0);
    let mut sessions = reader.finish(&mut notes);
    for session in &mut sessions {
        session.agent = agent;
    }
    if let Some(first) = sessions.first_mut() {
        first.notes.absorb(notes);
    }
    sessions
}

/// All formats. If two have equal evidence for a file, the first wins.
pub(crate) static ALL: [Format; 23] = [
    claude_code::FORMAT,
    codex::FORMAT,
    pi::FORMAT,
    gemini_cli::FORMAT,
    gemini_stream::FORMAT,
    opencode::FORMAT,
    cline::FORMAT,
    kimi_cli::FORMAT,
    qwen_code::FORMAT,
    copilot::FORMAT,
    openhands::FORMAT,
    cursor::FORMAT,
    droid::FORMAT,
    swe_agent::FORMAT,
    mini_swe_agent::FORMAT,
    harbor::FORMAT,
    langchain::GRAPH,
    langchain::HISTORY,
    ai_sdk_ui::FORMAT,
    mastra::FORMAT,
    message_array::AGENTS_SDK,
    request_log::FORMAT,
    message_array::FORMAT,
];
