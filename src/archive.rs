//! The archive of compressed messages. Everything runs on a thread that may block; an expected failure is a result.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use napi::bindgen_prelude::{Either, Object, Result, ToNapiValue};
use napi::{Env, Error};
use napi_derive::napi;
use palimpsest_archive::{
    Appended, Archive, Batch, Deleted, Failure, Hit, Kind, MOST_QUERY_CHARS, MOST_QUERY_WORDS, Message,
    NewBatch, Options, Search, SessionFigures, Stats, is_within_limits,
};

use crate::error::out_of_range;
use crate::logging::{Journal, LogEvent};
use crate::runtime::blocking_promise;

/// Why there is no result.
#[napi(object, object_from_js = false)]
pub struct ArchiveFailure {
    /// A stable name, `ARCHIVE_…`.
    pub failure: String,
    /// What was expected and what came.
    pub message: String,
    /// What the system or `SQLite` says.
    pub cause: Option<String>,
}

/// A message as JSON, and what of it can be searched and quoted.
#[napi(object)]
pub struct ArchivedMessage {
    pub role: String,
    pub text: String,
    pub json: String,
}

/// What one compression or truncation took out.
#[napi(object)]
pub struct ArchivedBatch {
    pub id: String,
    /// `summary` or `truncation`.
    pub kind: String,
    pub level: u32,
    /// Ms since the epoch.
    pub at: f64,
    /// A string as JSON.
    pub summary: Option<String>,
    pub messages: Vec<ArchivedMessage>,
}

/// A message that was found.
#[napi(object, object_from_js = false)]
pub struct ArchiveHit {
    pub session_id: String,
    pub batch_id: String,
    pub index: u32,
    /// When its batch was taken out, ms since the epoch.
    pub at: f64,
    pub snippet: String,
    pub message: ArchivedMessage,
}

/// What is kept of a session. Times are ms since the epoch.
#[napi(object, object_from_js = false)]
pub struct ArchivedSession {
    pub session_id: String,
    pub batches: i64,
    pub messages: i64,
    pub bytes: i64,
    pub first_at: f64,
    pub last_at: f64,
}

/// How much there is.
#[napi(object, object_from_js = false)]
pub struct ArchiveStats {
    pub sessions: i64,
    pub batches: i64,
    pub messages: i64,
    pub original_bytes: i64,
    pub file_bytes: f64,
}

/// What was deleted.
#[napi(object, object_from_js = false)]
pub struct DeletedSession {
    pub batches: u32,
    pub messages: u32,
}

/// What to look for.
#[napi(object, object_to_js = false)]
pub struct ArchiveSearch {
    pub query: String,
    pub session_id: Option<String>,
    pub limit: u32,
    pub offset: u32,
    /// Characters on either side of the match.
    pub context: u32,
}

/// An archive, opened at its first use.
#[napi(js_name = "Archive")]
pub struct JsArchive {
    file: Arc<Mutex<File>>,
    journal: Journal,
}

struct File {
    path: PathBuf,
    options: Options,
    open: Option<Archive>,
}

impl File {
    fn archive(&mut self) -> std::result::Result<&mut Archive, Failure> {
        if self.open.as_ref().is_some_and(Archive::is_detached) {
            self.open = None;
        }
        match &mut self.open {
            Some(archive) => Ok(archive),
            none => Ok(none.insert(Archive::open(&self.path, self.options)?)),
        }
    }
}

#[napi]
impl JsArchive {
    /// Opens nothing yet. `path`: absolute.
    #[napi(constructor, catch_unwind)]
    pub fn new(path: String, busy_timeout_ms: u32) -> Self {
        let options = Options { busy_timeout: Duration::from_millis(busy_timeout_ms.into()) };
        Self {
            file: Arc::new(Mutex::new(File { path: path.into(), options, open: None })),
            journal: Journal::default(),
        }
    }

    /// Stores a batch; false when it was there already.
    #[napi(catch_unwind, ts_return_type = "Promise<boolean | ArchiveFailure>")]
    pub fn append<'e>(&self, env: &'e Env, session_id: String, batch: ArchivedBatch) -> Result<Object<'e>> {
        let Some(kind) = Kind::from_name(&batch.kind) else { return Err(Error::from_reason("unknown kind")) };
        let messages: Vec<Message> = batch.messages.into_iter().map(Message::from).collect();
        self.run(env, move |archive| {
            let (id, level, at_ms, summary) = (&batch.id, batch.level, batch.at, batch.summary.as_deref());
            let batch = NewBatch { id, kind, level, at_ms, summary, messages: &messages };
            archive.append(&session_id, &batch).map(|appended| appended == Appended::Stored)
        })
    }

    /// One batch.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedBatch | ArchiveFailure>")]
    pub fn get<'e>(&self, env: &'e Env, session_id: String, id: String) -> Result<Object<'e>> {
        self.run(env, move |archive| archive.get(&session_id, &id).map(ArchivedBatch::from))
    }

    /// All batches of a session, in the order of their appending.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedBatch[] | ArchiveFailure>")]
    pub fn restore<'e>(&self, env: &'e Env, session_id: String) -> Result<Object<'e>> {
        self.run(env, move |archive| archive.restore(&session_id).map(converted::<_, ArchivedBatch>))
    }

    /// The messages that hold every word of a query.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchiveHit[] | ArchiveFailure>")]
    pub fn search<'e>(&self, env: &'e Env, search: ArchiveSearch) -> Result<Object<'e>> {
        if !is_within_limits(&search.query) {
            let expected = format!("at most {MOST_QUERY_CHARS} characters and {MOST_QUERY_WORDS} words");
            return Err(out_of_range(env, "query", &expected, "more"));
        }
        self.run(env, move |archive| {
            let (limit, offset) = (search.limit as usize, search.offset as usize);
            let (session, context_chars) = (search.session_id.as_deref(), search.context as usize);
            let search = Search { query: &search.query, session, limit, offset, context_chars };
            archive.search(&search).map(converted::<_, ArchiveHit>)
        })
    }

    /// The sessions, the one that was written to last first.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedSession[] | ArchiveFailure>")]
    pub fn sessions<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        self.run(env, |archive| archive.sessions().map(converted::<_, ArchivedSession>))
    }

    /// How much there is.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchiveStats | ArchiveFailure>")]
    pub fn stats<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        self.run(env, |archive| archive.stats().map(ArchiveStats::from))
    }

    /// What is wrong with the file.
    #[napi(catch_unwind, ts_return_type = "Promise<string[] | ArchiveFailure>")]
    pub fn integrity<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        self.run(env, |archive| archive.integrity())
    }

    /// Deletes a session.
    #[napi(catch_unwind, ts_return_type = "Promise<DeletedSession | ArchiveFailure>")]
    pub fn delete<'e>(&self, env: &'e Env, session_id: String) -> Result<Object<'e>> {
        self.run(env, move |archive| archive.delete(&session_id).map(DeletedSession::from))
    }

    /// Closes the file if it is open. The next use would open it again; the face sees to it that there is none.
    #[napi(catch_unwind, ts_return_type = "Promise<null | ArchiveFailure>")]
    pub fn close<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        let file = Arc::clone(&self.file);
        let close =
            move || file.lock().unwrap_or_else(PoisonError::into_inner).open.take().map(Archive::close);
        blocking_promise(env, close, |_, closed| Ok(closed.transpose().map_err(ArchiveFailure::from).err()))
    }

    /// Whether anybody wants the events of the calls that follow.
    #[napi(catch_unwind)]
    pub fn collect_log_events(&self, on: bool) {
        self.journal.listen(on);
    }

    /// Hands over the events so far.
    #[napi(catch_unwind)]
    pub fn take_log_events(&self) -> Vec<LogEvent> {
        self.journal.take()
    }

    fn run<'e, T>(
        &self,
        env: &'e Env,
        work: impl FnOnce(&mut Archive) -> std::result::Result<T, Failure> + Send + 'static,
    ) -> Result<Object<'e>>
    where
        T: ToNapiValue + Send + 'static,
    {
        let (file, journal) = (Arc::clone(&self.file), self.journal.clone());
        let work = move || {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            journal.keep(|| file.archive().and_then(work))
        };
        blocking_promise(env, work, |_, done| {
            Ok(match done {
                Ok(result) => Either::A(result),
                Err(failure) => Either::B(ArchiveFailure::from(failure)),
            })
        })
    }
}

fn converted<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
}

impl From<Failure> for ArchiveFailure {
    fn from(Failure { code, message, cause }: Failure) -> Self {
        Self { failure: code.name().to_owned(), message, cause }
    }
}

impl From<ArchivedMessage> for Message {
    fn from(ArchivedMessage { role, text, json }: ArchivedMessage) -> Self {
        Self { role, text, json }
    }
}

impl From<Message> for ArchivedMessage {
    fn from(Message { role, text, json }: Message) -> Self {
        Self { role, text, json }
    }
}

impl From<Batch> for ArchivedBatch {
    fn from(Batch { id, kind, level, at_ms, summary, messages }: Batch) -> Self {
        let kind = kind.name().to_owned();
        Self { id, kind, level, at: at_ms, summary, messages: converted(messages) }
    }
}

impl From<Hit> for ArchiveHit {
    fn from(Hit { session, batch, position, at_ms, snippet, message }: Hit) -> Self {
        Self {
            session_id: session,
            batch_id: batch,
            index: position,
            at: at_ms,
            snippet,
            message: message.into(),
        }
    }
}

impl From<SessionFigures> for ArchivedSession {
    fn from(session: SessionFigures) -> Self {
        Self {
            session_id: session.session,
            batches: session.batches,
            messages: session.messages,
            bytes: session.bytes,
            first_at: session.first_at_ms,
            last_at: session.last_at_ms,
        }
    }
}

impl From<Stats> for ArchiveStats {
    #[allow(clippy::cast_precision_loss)] // a file of 2^53 bytes is not to be feared
    fn from(stats: Stats) -> Self {
        Self {
            sessions: stats.sessions,
            batches: stats.batches,
            messages: stats.messages,
            original_bytes: stats.original_bytes,
            file_bytes: stats.file_bytes as f64,
        }
    }
}

impl From<Deleted> for DeletedSession {
    fn from(deleted: Deleted) -> Self {
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Self { batches: count(deleted.batches), messages: count(deleted.messages) }
    }
}
