//! Runs work that must not block the event loop, and settles promises with its results. napi's own tokio runtime starts its threads when the
//! addon is loaded; this one starts with the first promise (R0.6). All worker threads share it, and it is never shut down: its threads end
//! with the process, and napi keeps the addon's image mapped from the first promise on.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use futures_util::FutureExt;
use napi::bindgen_prelude::{Object, Result, ToNapiValue};
use napi::{Env, Error};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// These threads start on demand and end after being idle for a while.
const BLOCKING_THREADS: usize = 64;
/// How many of them may read at a time, across all archives: a search takes seconds of a core, and a write waits for
/// the disk or for another process. So a thread is always free for a write.
const READING_THREADS: usize = 8;

/// Whether work waits for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Waits for its turn among the reads of all archives.
    Read,
    /// Starts at once.
    Write,
}

static READERS: Semaphore = Semaphore::const_new(READING_THREADS);

/// The promise settles with the result of `to_js`, which runs on this thread and converts the result of `work`. Expected failures belong in
/// the result, since a rejection can't carry our `code`; a panic rejects. A pending promise keeps the process alive.
/// # Errors
/// If no promise can be created, or no thread started.
pub fn promise<T: Send + 'static, R: ToNapiValue + 'static>(
    env: &Env,
    work: impl Future<Output = T> + Send + 'static,
    to_js: impl FnOnce(Env, T) -> Result<R> + Send + 'static,
) -> Result<Object<'_>> {
    let (deferred, promise) = env.create_deferred::<R, Box<dyn FnOnce(Env) -> Result<R> + Send>>()?;
    runtime()?.spawn(async move {
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(done) => deferred.resolve(Box::new(move |env| guarded(|| to_js(env, done)))),
            Err(panic) => deferred.reject(internal(&*panic)),
        }
    });
    Ok(promise)
}

/// Node settles a promise from C, where a panic would end the process.
fn guarded<R>(to_js: impl FnOnce() -> Result<R>) -> Result<R> {
    catch_unwind(AssertUnwindSafe(to_js)).unwrap_or_else(|panic| Err(internal(&*panic)))
}

/// Like [`promise`], for work that blocks its thread.
/// # Errors
/// As [`promise`].
pub fn blocking_promise<T: Send + 'static, R: ToNapiValue + 'static>(
    env: &Env,
    lane: Lane,
    work: impl FnOnce() -> T + Send + 'static,
    to_js: impl FnOnce(Env, T) -> Result<R> + Send + 'static,
) -> Result<Object<'_>> {
    let done = async move {
        // The semaphore is never closed.
        let _turn = if lane == Lane::Read { READERS.acquire().await.ok() } else { None };
        tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
    };
    promise(env, done, |env, done| match done {
        Ok(done) => to_js(env, done),
        Err(error) => Err(Error::from_reason(format!("internal error: {error}"))),
    })
}

fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let started = Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("palimpsest")
        .enable_all()
        .build()
        .map_err(|error| Error::from_reason(format!("no thread could be started: {error}")))?;
    Ok(RUNTIME.get_or_init(|| started))
}

fn internal(panic: &(dyn Any + Send)) -> Error {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    let message = owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Error::from_reason(format!("internal error: {message}"))
}

/// Locks `mutex`, also after a panic of another thread that held it: a panic in one session must not end the others.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
