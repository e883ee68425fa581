//! What a format is: it tells its records from others', and turns them into sessions one by one.

use crate::Agent;
use crate::json::Json;
use crate::model::Session;
use crate::notes::Notes;

/// How much one record says about whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    None,
    /// Others could have written it, too.
    Hint,
    /// Nobody else writes this.
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

pub(crate) trait Format: Sync {
    fn agent(&self) -> Agent;

    /// What a record must look like, for people whose file is refused.
    fn expects(&self) -> &'static str;

    /// Fields at a record's top that aren't read: they are passed over without being unescaped.
    fn skipped(&self) -> &'static [&'static str] {
        &[]
    }

    fn evidence(&self, record: &Json<'_>) -> Evidence;

    fn reader(&self) -> Box<dyn Reader>;
}

/// Reads one file, record by record: a line of JSONL, or the only value of a document.
pub(crate) trait Reader {
    fn record(&mut self, record: Json<'_>, notes: &mut Notes);

    /// What came out: one session for most files, none where nothing was said.
    fn finish(self: Box<Self>, notes: &mut Notes) -> Vec<Session>;
}
