//! The archive of compressed messages. All work runs on a thread that may block; an expected failure is a result, not
//! an exception.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use napi::Env;
use napi::bindgen_prelude::{Either, Object, Result, ToNapiValue};
use napi_derive::napi;
use palimpsest_archive::{Appended, Archive, ArchiveSettings, Failure, Search};

use crate::archive_elsewhere::check_query;
use crate::archive_values::{
    ArchiveFailure, ArchiveHit, ArchiveOptions, ArchiveSearch, ArchiveStats, ArchivedBatch, ArchivedFact,
    ArchivedSession, DeletedSession, converted,
};
use crate::locked;
use crate::logging::{EventBuffer, LogEvent};
use crate::runtime::{Lane, blocking_promise};

/// An archive, opened at its first use: once to write and once to read, so that neither waits for the other.
#[napi(js_name = "Archive")]
pub struct JsArchive {
    writer: Arc<Mutex<File>>,
    reader: Arc<Mutex<File>>,
    events: EventBuffer,
}

/// An archive that is opened at its first use.
struct File {
    path: PathBuf,
    settings: ArchiveSettings,
    open: Option<Archive>,
}

impl File {
    /// Opens the archive if it is not open, or if its file was replaced.
    fn archive(&mut self) -> std::result::Result<&mut Archive, Failure> {
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
        let file = || Arc::new(Mutex::new(File { path: path.clone(), settings, open: None }));
        Self { writer: file(), reader: file(), events: EventBuffer::default() }
    }

    /// Resolves to false if the batch is already stored.
    #[napi(catch_unwind, ts_return_type = "Promise<boolean | ArchiveFailure>")]
    pub fn append<'e>(
        &self,
        env: &'e Env,
        session_id: String,
        mut batch: ArchivedBatch,
    ) -> Result<Object<'e>> {
        let (kind, messages) = (batch.known_kind()?, converted(std::mem::take(&mut batch.messages)));
        self.run(env, Lane::Write, move |archive| {
            let appended = archive.append(&session_id, &batch.with(kind, &messages));
            appended.map(|appended| appended == Appended::Stored)
        })
    }

    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedBatch | ArchiveFailure>")]
    pub fn get<'e>(&self, env: &'e Env, session_id: String, id: String) -> Result<Object<'e>> {
        self.run(env, Lane::Read, move |archive| archive.get(&session_id, &id).map(ArchivedBatch::from))
    }

    /// In the order in which they were appended.
    #[napi(catch_unwind, ts_return_type = "Promise<ArchivedBatch[] | ArchiveFailure>")]
    pub fn restore<'e>(&self, env: &'e Env, session_id: String) -> Result<Object<'e>> {
        self.run(env, Lane::Read, move |archive| {
            archive.restore(&session_id).map(converted::<_, ArchivedBatch>)
        })
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
        let close = move || -> std::result::Result<(), Failure> {
            // The writer is closed last: the last connection to close empties the write-ahead log.
            let open: Vec<_> = files.iter().filter_map(|file| locked(file).open.take()).collect();
            open.into_iter().map(Archive::close).fold(Ok(()), std::result::Result::and)
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
    pub fn append_facts<'e>(
        &self,
        env: &'e Env,
        id: String,
        from: i64,
        facts: Vec<String>,
    ) -> Result<Object<'e>> {
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
        work: impl FnOnce(&mut Archive) -> std::result::Result<T, Failure> + Send + 'static,
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

fn settled<T>(done: std::result::Result<T, Failure>) -> Either<T, ArchiveFailure> {
    match done {
        Ok(result) => Either::A(result),
        Err(failure) => Either::B(ArchiveFailure::from(failure)),
    }
}
