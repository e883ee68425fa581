//! Converts between the archive's values and JavaScript's.

use std::time::Duration;

use napi::bindgen_prelude::Int32Array;
use napi_derive::napi;
use palimpsest_archive::{
    self as archive, ArchiveSettings, Batch, Deleted, Failure, Hit, ParsedQuery, SessionFigures, Stats, StoredFact,
    StoredMessage,
};

to_js! {
    ArchiveFailure from failure: Failure {
        #[doc = "A stable name, `ARCHIVE_…`."]
        failure: &'static str = failure.code.name(),
        message: String = failure.message,
        #[doc = "The message of the system or `SQLite`."]
        cause: Option<String> = failure.cause,
    }

    #[doc = "A fact as stored in the file."]
    ArchivedFact from fact: StoredFact {
        fact: String = fact.fact,
        #[doc = "When it was written, ms since the epoch."]
        at_ms: f64 = fact.at_ms,
    }

    ArchiveHit from hit: Hit {
        session_id: String = hit.session,
        batch_id: String = hit.batch,
        index: u32 = hit.position,
        #[doc = "When the batch was removed, ms since the epoch."]
        at: f64 = hit.at_ms,
        snippet: String = hit.snippet,
        message: ArchivedMessage = hit.message.into(),
    }

    #[doc = "Times are ms since the epoch."]
    ArchivedSession from figures: SessionFigures {
        session_id: String = figures.session,
        batches: i64 = figures.batches,
        messages: i64 = figures.messages,
        bytes: i64 = figures.bytes,
        first_at: f64 = figures.first_at_ms,
        last_at: f64 = figures.last_at_ms,
    }

    ArchiveStats from stats: Stats {
        sessions: i64 = stats.sessions,
        batches: i64 = stats.batches,
        messages: i64 = stats.messages,
        original_bytes: i64 = stats.original_bytes,
        file_bytes: f64 = stats.file_bytes as f64,
    }

    DeletedSession from deleted: Deleted {
        batches: u32 = deleted.batches as u32,
        messages: u32 = deleted.messages as u32,
        #[doc = "True if nothing of the session is left in the file and its write-ahead log."]
        erased: bool = deleted.erased,
    }

    #[doc = "The searchable form of a message."]
    IndexedText from indexed: archive::IndexedText {
        #[doc = "Without base64 and NUL, case folded."]
        text: String = indexed.text,
        #[doc = "Hashes of one to three neighbouring characters of the text, for an index."]
        grams: Int32Array = indexed.grams.into(),
    }

    #[doc = "A parsed query, case folded."]
    AskedWords from query: ParsedQuery {
        words: Vec<String> = query.words,
        #[doc = "The words whose occurrences rank the hits."]
        ranking: Vec<String> = query.ranking,
        #[doc = "A text that lacks one of these can't match."]
        grams: Int32Array = query.grams.into(),
    }
}

/// How an archive is opened. The JavaScript side has checked types and ranges.
#[napi(object, object_to_js = false)]
pub struct ArchiveOptions {
    pub busy_timeout_ms: u32,
    pub search_timeout_ms: u32,
    pub allow_shared_file: bool,
}

impl From<ArchiveOptions> for ArchiveSettings {
    fn from(options: ArchiveOptions) -> Self {
        Self {
            busy_timeout: Duration::from_millis(options.busy_timeout_ms.into()),
            search_timeout: Duration::from_millis(options.search_timeout_ms.into()),
            allow_shared_file: options.allow_shared_file,
        }
    }
}

#[napi(object, object_to_js = false)]
pub struct ArchiveSearch {
    pub query: String,
    pub session_id: Option<String>,
    pub limit: u32,
    pub offset: u32,
    pub context: u32,
}

/// A message as JSON, with its text for searches and quotations.
#[napi(object)]
pub struct ArchivedMessage {
    pub role: String,
    pub text: String,
    pub json: String,
}

/// The messages that one compression or truncation removed.
#[napi(object)]
pub struct ArchivedBatch {
    pub id: String,
    /// `summary` or `truncation`.
    pub kind: String,
    pub level: u32,
    /// Ms since the epoch.
    pub at: f64,
    pub summary: Option<String>,
    pub messages: Vec<ArchivedMessage>,
}

impl From<Batch> for ArchivedBatch {
    fn from(Batch { id, kind, level, at_ms, summary, messages }: Batch) -> Self {
        let kind = kind.name().to_owned();
        Self { id, kind, level, at: at_ms, summary, messages: converted(messages) }
    }
}

impl From<ArchivedMessage> for StoredMessage {
    fn from(ArchivedMessage { role, text, json }: ArchivedMessage) -> Self {
        Self { role, text, json }
    }
}

impl From<StoredMessage> for ArchivedMessage {
    fn from(StoredMessage { role, text, json }: StoredMessage) -> Self {
        Self { role, text, json }
    }
}

pub fn converted<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
}
