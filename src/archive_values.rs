//! Converts between the archive's values and JavaScript's.

use std::time::Duration;

use napi::{Error, Result};
use napi_derive::napi;
use palimpsest_archive::{
    ArchiveSettings, Batch, BatchKind, CONTEXT_CHARS, DEFAULT_HITS, Deleted, Failure, Hit, MAX_HITS,
    MAX_RANKED, NewBatch, SessionFigures, Stats, StoredFact, StoredMessage,
};

/// Default values and limits of options.
#[napi(object)]
pub struct ArchiveLimits {
    pub kinds: Vec<String>,
    pub busy_timeout_ms: f64,
    pub search_timeout_ms: f64,
    pub hits: u32,
    pub most_hits: u32,
    pub context: u32,
    /// How many of the newest matches are ranked.
    pub most_ranked: u32,
}

#[napi(catch_unwind)]
#[allow(clippy::cast_possible_truncation)] // a few thousand
pub fn archive_limits() -> ArchiveLimits {
    let ArchiveSettings { busy_timeout, search_timeout, .. } = ArchiveSettings::default();
    let ms = |timeout: Duration| timeout.as_secs_f64() * 1_000.0;
    ArchiveLimits {
        kinds: BatchKind::NAMES.map(str::to_owned).to_vec(),
        busy_timeout_ms: ms(busy_timeout),
        search_timeout_ms: ms(search_timeout),
        hits: DEFAULT_HITS,
        most_hits: MAX_HITS,
        context: CONTEXT_CHARS,
        most_ranked: MAX_RANKED as u32,
    }
}

/// How an archive is opened. The JavaScript side has checked types and ranges.
#[napi(object, object_to_js = false)]
pub struct ArchiveOptions {
    pub busy_timeout_ms: u32,
    pub search_timeout_ms: u32,
    pub allow_shared_file: bool,
}

#[napi(object, object_from_js = false)]
pub struct ArchiveFailure {
    /// A stable name, `ARCHIVE_…`.
    pub failure: String,
    pub message: String,
    /// The message of the system or `SQLite`.
    pub cause: Option<String>,
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

impl ArchivedBatch {
    /// An error if the JavaScript side passed an unknown word.
    pub fn known_kind(&self) -> Result<BatchKind> {
        BatchKind::from_name(&self.kind).ok_or_else(|| Error::from_reason("unknown kind"))
    }

    /// A batch with these messages.
    pub fn with<'b>(&'b self, kind: BatchKind, messages: &'b [StoredMessage]) -> NewBatch<'b> {
        let Self { id, level, at, summary, .. } = self;
        NewBatch { id, kind, level: *level, at_ms: *at, summary: summary.as_deref(), messages }
    }
}

/// A fact as stored in the file.
#[napi(object, object_from_js = false)]
pub struct ArchivedFact {
    pub fact: String,
    /// When it was written, ms since the epoch.
    pub at_ms: f64,
}

#[napi(object, object_from_js = false)]
pub struct ArchiveHit {
    pub session_id: String,
    pub batch_id: String,
    pub index: u32,
    /// When the batch was removed, ms since the epoch.
    pub at: f64,
    pub snippet: String,
    pub message: ArchivedMessage,
}

/// Times are ms since the epoch.
#[napi(object, object_from_js = false)]
pub struct ArchivedSession {
    pub session_id: String,
    pub batches: i64,
    pub messages: i64,
    pub bytes: i64,
    pub first_at: f64,
    pub last_at: f64,
}

#[napi(object, object_from_js = false)]
pub struct ArchiveStats {
    pub sessions: i64,
    pub batches: i64,
    pub messages: i64,
    pub original_bytes: i64,
    pub file_bytes: f64,
}

#[napi(object, object_from_js = false)]
pub struct DeletedSession {
    pub batches: u32,
    pub messages: u32,
    /// True if nothing of the session is left in the file and its write-ahead log.
    pub erased: bool,
}

#[napi(object, object_to_js = false)]
pub struct ArchiveSearch {
    pub query: String,
    pub session_id: Option<String>,
    pub limit: u32,
    pub offset: u32,
    pub context: u32,
}

pub fn converted<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
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

impl From<Failure> for ArchiveFailure {
    fn from(Failure { code, message, cause }: Failure) -> Self {
        Self { failure: code.name().to_owned(), message, cause }
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

impl From<Batch> for ArchivedBatch {
    fn from(Batch { id, kind, level, at_ms, summary, messages }: Batch) -> Self {
        let kind = kind.name().to_owned();
        Self { id, kind, level, at: at_ms, summary, messages: converted(messages) }
    }
}

impl From<StoredFact> for ArchivedFact {
    fn from(StoredFact { fact, at_ms }: StoredFact) -> Self {
        Self { fact, at_ms }
    }
}

impl From<Hit> for ArchiveHit {
    fn from(Hit { session, batch, position, at_ms, snippet, message }: Hit) -> Self {
        let message = message.into();
        Self { session_id: session, batch_id: batch, index: position, at: at_ms, snippet, message }
    }
}

impl From<SessionFigures> for ArchivedSession {
    fn from(session: SessionFigures) -> Self {
        let SessionFigures { session: session_id, batches, messages, bytes, first_at_ms, last_at_ms } =
            session;
        Self { session_id, batches, messages, bytes, first_at: first_at_ms, last_at: last_at_ms }
    }
}

impl From<Stats> for ArchiveStats {
    #[allow(clippy::cast_precision_loss)] // a file never has 2^53 bytes
    fn from(Stats { sessions, batches, messages, original_bytes, file_bytes }: Stats) -> Self {
        Self { sessions, batches, messages, original_bytes, file_bytes: file_bytes as f64 }
    }
}

impl From<Deleted> for DeletedSession {
    fn from(Deleted { batches, messages, erased }: Deleted) -> Self {
        let to_u32 = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Self { batches: to_u32(batches), messages: to_u32(messages), erased }
    }
}
