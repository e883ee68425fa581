//! The archive of compressed messages. All work runs on a thread that may block; an expected failure is a result, not
//! an exception. The functions after it serve other stores, so that these find the same messages in the same order.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use napi::bindgen_prelude::{Either, Object, Result, ToNapiValue};
use napi::{Env, Error};
use napi_derive::napi;
use palimpsest_archive::{
    Appended, Archive, ArchiveSettings, BatchKind, Failure, MAX_QUERY_CHARS, MAX_QUERY_WORDS, NewBatch, RankedRow,
    Search, StoredMessage, index_text, is_within_limits, parse_query, ranked_hits, snippet, without_base64,
};

use crate::archive_values::{
    ArchiveFailure, ArchiveHit, ArchiveOptions, ArchiveSearch, ArchiveStats, ArchivedBatch, ArchivedFact,
    ArchivedSession, AskedWords, DeletedSession, IndexedText, converted,
};
use crate::error::out_of_range;
use crate::locked;
use crate::logging::{EventBuffer, LogEvent};
use crate::runtime::{Lane, blocking_promise};

type Outcome<T> = std::result::Result<T, Failure>;

/// An archive with one connection to write and one to read, so that neither waits for the other.
#[napi(js_name = "Archive")]
pub struct JsArchive {
    writer: Arc<Mutex<LazyArchive>>,
    reader: Arc<Mutex<LazyArchive>>,
    events: EventBuffer,
}

/// One connection to the archive, opened at its first use.
struct LazyArchive {
    path: PathBuf,
    settings: ArchiveSettings,
    open: Option<Archive>,
}

impl LazyArchive {
    /// Opens the archive if it is not open, or if its file was replaced.
    fn archive(&mut self) -> Outcome<&mut Archive> {
        if self.open.as_ref().is_some_and(Archive::is_detached) {
            self.open = None;
        }
        match &mut self.open {
            Some(archive) => Ok(archive),
            none => Ok(none.insert(Archive::open(&self.path, self.settings)?)),
        }
    }
}

#[napi]
impl JsArchive {
    /// Opens nothing yet. `path` must be absolute.
    #[napi(constructor, catch_unwind)]
    pub fn new(path: String, options: ArchiveOptions) -> Self {
        let (path, settings) = (PathBuf::from(path), ArchiveSettings::from(options));
        let connection = || Arc::new(Mutex::new(LazyArchive { path: path.clone(), settings, open: None }));
        Self { writer: connection(), reader: connection(), events: EventBuffer::default() }
    }

    /// Resolves to false if the batch is already stored.
    #[napi(catch_unwind, ts_return_type = "Promise<boolean | ArchiveFailure>")]
    pub fn append<'e>(&self, env: &'e Env, session_id: String, batch: ArchivedBatch) -> Result<Object<'e>> {
        let ArchivedBatch { id, kind, level, at: at_ms, summary, messages } = batch;
        let kind = BatchKind::from_name(&kind).ok_or_else(|| Error::from_reason("unknown kind"))?;
        let messages: Vec<StoredMessage> = converted(messages);
        self.run(env, Lane::Write, move |archive| {
            let (id, summary, messages) = (&*id, summary.as_deref(), &*messages);
            let batch = NewBatch { id, kind, level, at_ms, summary, messages };
            archive.append(&session_id, &batch).map(|appended| appended == Appended::Stored)
        })
    }

    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedBatch | ArchiveFailure>")]
    pub fn get<'e>(&self, env: &'e Env, session_id: String, id: String) -> Result<Object<'e>> {
        self.run(env, Lane::Read, move |archive| archive.get(&session_id, &id).map(ArchivedBatch::from))
    }

    /// In the order in which they were appended.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedBatch[] | ArchiveFailure>")]
    pub fn restore<'e>(&self, env: &'e Env, session_id: String) -> Result<Object<'e>> {
        self.run(env, Lane::Read, move |archive| archive.restore(&session_id).map(converted::<_, ArchivedBatch>))
    }

    /// Finds the messages that contain every word of a query.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchiveHit[] | ArchiveFailure>")]
    pub fn search<'e>(&self, env: &'e Env, search: ArchiveSearch) -> Result<Object<'e>> {
        check_query(env, &search.query)?;
        self.run(env, Lane::Read, move |archive| {
            let (limit, offset) = (search.limit as usize, search.offset as usize);
            let (session, context_chars) = (search.session_id.as_deref(), search.context as usize);
            let search = Search { query: &search.query, session, limit, offset, context_chars };
            archive.search(&search).map(converted::<_, ArchiveHit>)
        })
    }

    /// The session that was written to last comes first.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedSession[] | ArchiveFailure>")]
    pub fn sessions<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        self.run(env, Lane::Read, |archive| archive.sessions().map(converted::<_, ArchivedSession>))
    }

    #[napi(catch_unwind, ts_return_type = "Promise<ArchiveStats | ArchiveFailure>")]
    pub fn stats<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        self.run(env, Lane::Read, |archive| archive.stats().map(ArchiveStats::from))
    }

    /// Lists the problems of the file.
    #[napi(catch_unwind, ts_return_type = "Promise<string[] | ArchiveFailure>")]
    pub fn integrity<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        let (file, events) = (Arc::clone(&self.reader), self.events.clone());
        // The check reads the whole file, so no other call waits for it.
        let check = move || {
            let checkup = locked(&file).archive().map(|archive| archive.integrity_check());
            events.keep(|| checkup.and_then(|checkup| checkup.problems()))
        };
        blocking_promise(env, Lane::Read, check, |_, done| Ok(settled(done)))
    }

    #[napi(catch_unwind, ts_return_type = "Promise<DeletedSession | ArchiveFailure>")]
    pub fn delete<'e>(&self, env: &'e Env, session_id: String) -> Result<Object<'e>> {
        self.run(env, Lane::Write, move |archive| archive.delete(&session_id).map(DeletedSession::from))
    }

    /// A later use would open the file again; the JavaScript side prevents that.
    #[napi(catch_unwind, ts_return_type = "Promise<null | ArchiveFailure>")]
    pub fn close<'e>(&self, env: &'e Env) -> Result<Object<'e>> {
        let files = [Arc::clone(&self.reader), Arc::clone(&self.writer)];
        let close = move || -> Outcome<()> {
            // The writer is closed last: the last connection to close empties the write-ahead log.
            let open: Vec<_> = files.iter().filter_map(|file| locked(file).open.take()).collect();
            open.into_iter().map(Archive::close).fold(Ok(()), Outcome::and)
        };
        blocking_promise(env, Lane::Write, close, |_, closed| Ok(closed.map_err(ArchiveFailure::from).err()))
    }

    #[napi(catch_unwind)]
    pub fn collect_log_events(&self, on: bool) {
        self.events.listen(on);
    }

    #[napi(catch_unwind)]
    pub fn take_log_events(&self) -> Vec<LogEvent> {
        self.events.take()
    }

    /// Adds all facts if exactly `from` exist, otherwise none, and returns every fact from `from` on.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedFact[] | ArchiveFailure>")]
    pub fn append_facts<'e>(&self, env: &'e Env, id: String, from: i64, facts: Vec<String>) -> Result<Object<'e>> {
        self.run(env, Lane::Write, move |archive| {
            archive.append_facts(&id, from, &facts).map(converted::<_, ArchivedFact>)
        })
    }

    /// The facts from `from` on, oldest first.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedFact[] | ArchiveFailure>")]
    pub fn facts<'e>(&self, env: &'e Env, id: String, from: i64) -> Result<Object<'e>> {
        self.run(env, Lane::Read, move |archive| archive.facts(&id, from).map(converted::<_, ArchivedFact>))
    }
}

impl JsArchive {
    /// Runs `work` on another thread, with the connection for reads or that for writes.
    fn run<'e, T>(
        &self,
        env: &'e Env,
        lane: Lane,
        work: impl FnOnce(&mut Archive) -> Outcome<T> + Send + 'static,
    ) -> Result<Object<'e>>
    where
        T: ToNapiValue + Send + 'static,
    {
        let file = Arc::clone(if lane == Lane::Read { &self.reader } else { &self.writer });
        let events = self.events.clone();
        let work = move || {
            let mut file = locked(&file);
            events.keep(|| file.archive().and_then(work))
        };
        blocking_promise(env, lane, work, |_, done| Ok(settled(done)))
    }
}

fn settled<T>(done: Outcome<T>) -> Either<T, ArchiveFailure> {
    done.map_or_else(|failure| Either::B(failure.into()), Either::A)
}

/// The searchable form of each text.
#[napi(catch_unwind, ts_return_type = "Promise<IndexedText[]>")]
pub fn archive_indexed(env: &Env, texts: Vec<String>, tenant: String) -> Result<Object<'_>> {
    let work = move || texts.iter().map(|text| index_text(text, &tenant)).collect::<Vec<_>>();
    blocking_promise(env, Lane::Read, work, |_, done| Ok(converted::<_, IndexedText>(done)))
}

/// Parses a query.
#[napi(catch_unwind)]
pub fn archive_asked(env: &Env, query: String, tenant: String) -> Result<AskedWords> {
    check_query(env, &query)?;
    Ok(parse_query(&query, &tenant).into())
}

/// The order in which to show found messages, as indices into the arrays, which are sorted newest first. `counts`: for
/// each message, how often each ranking word occurs.
#[napi(catch_unwind)]
pub fn archive_best_first(counts: Vec<Vec<u32>>, bytes: Vec<u32>) -> Vec<u32> {
    let wide = |counts: Vec<u32>| counts.into_iter().map(|count| count as usize).collect();
    let ranked = |(row, (counts, bytes))| RankedRow { row, counts: wide(counts), bytes: bytes as usize };
    ranked_hits(&(0..).zip(counts.into_iter().zip(bytes)).map(ranked).collect::<Vec<_>>())
}

/// The first match in a found message's text, with `context` characters on either side.
#[napi(catch_unwind)]
pub fn archive_snippet(query: String, text: String, context: u32) -> String {
    snippet(&query, &text, context as usize)
}

/// A message's text in the form shown to the model.
#[napi(catch_unwind)]
pub fn archive_text(text: String) -> String {
    without_base64(&text).into_owned()
}

fn check_query(env: &Env, query: &str) -> Result<()> {
    if is_within_limits(query) {
        return Ok(());
    }
    let expected = format!("at most {MAX_QUERY_CHARS} characters and {MAX_QUERY_WORDS} words");
    Err(out_of_range(env, "query", &expected, "more"))
}
