//! A session format: detects its records, and reads them into sessions.

use crate::Agent;
use crate::json::Json;
use crate::model::Session;
use crate::notes::Notes;

/// How strongly one record indicates a format.
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

/// How one agent's records are recognised and read.
pub(crate) struct Format {
    pub(crate) agent: Agent,
    /// Describes an expected record, for the error about a refused file.
    pub(crate) expects: &'static str,
    /// Top-level fields that aren't read; they are skipped without unescaping.
    pub(crate) skipped: &'static [&'static str],
    pub(crate) evidence: fn(&Json<'_>) -> Evidence,
    pub(crate) reader: fn() -> Box<dyn Reader>,
}

/// Reads one file, record by record: a line of JSONL, or the only value of a document.
pub(crate) trait Reader {
    fn record(&mut self, record: Json<'_>, notes: &mut Notes);

    /// The sessions read: one for most files, none if there are no messages. The caller sets their agent.
    fn finish(self: Box<Self>, notes: &mut Notes) -> Vec<Session>;
}
