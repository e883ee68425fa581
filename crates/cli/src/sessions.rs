//! Recorded sessions of agents: where they are, what they cost, and one session as maps and charts show it. All reading is
//! done on other threads.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use napi::bindgen_prelude::{Object, Result};
use napi::{Env, Error};
use napi_derive::napi;
use palimpsest_core::cache::prices::Prices;
use palimpsest_core::tools::result_kind::ResultKind;
use palimpsest_sessions::account::picture::{MessagePage, SessionHistory, SessionPicture};
use palimpsest_sessions::account::{
    AccountSettings, NeedDetail, PriceList, Progress, ViewOverrides, account_files, session_at, to_json,
};
use palimpsest_sessions::{Agent, Session, default_folders, find_files};

use crate::runtime::{Lane, blocking_promise};

#[napi(object)]
pub struct AccountOptions {
    /// A list of models' prices as JSON text, with priority over the package's own.
    pub prices: Option<String>,
    /// Presets to simulate; if empty, the prices of each session's own models.
    pub lists: Vec<String>,
    pub simulate: bool,
    pub hindsight: bool,
    /// True if each simulation also returns its cost request by request.
    pub curves: Option<bool>,
    /// `figures`, `misses` or `columns`; absent for no account of needs.
    pub need: Option<String>,
    /// Replaces a view's defaults: for each kind of result, by name, after how many requests it is outdated; and the
    /// view's `maxExtraCost`.
    pub ages: Option<HashMap<String, u32>>,
    pub max_extra_cost: Option<f64>,
}

#[napi(object)]
pub struct AccountProgress {
    pub files: f64,
    pub files_done: f64,
    pub bytes: f64,
    pub bytes_done: f64,
}

#[napi(object)]
pub struct SessionPlace {
    pub agent: String,
    pub path: String,
}

#[napi]
pub struct SessionAccounts {
    settings: AccountSettings,
    progress: Arc<Progress>,
}

#[napi]
impl SessionAccounts {
    /// Throws if `prices` is no valid list.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: AccountOptions) -> Result<Self> {
        let prices = PriceList::new(options.prices.as_deref()).map_err(Error::from_reason)?;
        let lists = named_lists(options.lists);
        let AccountOptions { simulate, hindsight, curves, need, ages, max_extra_cost, .. } = options;
        let need = match need.as_deref() {
            Some("figures") => Some(NeedDetail::Figures),
            Some("misses") => Some(NeedDetail::Misses),
            Some("columns") => Some(NeedDetail::Columns),
            _ => None,
        };
        let age = |kind: ResultKind| Some((kind, *ages.as_ref()?.get(kind.key())?));
        let view_overrides =
            ViewOverrides { ages: ResultKind::ALL.into_iter().filter_map(age).collect(), max_extra_cost };
        let curves = curves.unwrap_or_default();
        let settings = AccountSettings { prices, lists, simulate, hindsight, curves, need, view_overrides };
        Ok(Self { settings, progress: Arc::default() })
    }

    /// Resolves to JSON text, because the figures are only displayed.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn read<'e>(&self, env: &'e Env, paths: Vec<String>) -> Result<Object<'e>> {
        let (settings, progress) = (self.settings.clone(), Arc::clone(&self.progress));
        let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let work = move || to_json(&account_files(&paths, &settings, threads, &progress));
        blocking_promise(env, Lane::Read, work, |_, text| Ok(text))
    }

    #[napi(catch_unwind)]
    #[allow(clippy::cast_precision_loss)] // numbers of files and bytes
    pub fn progress(&self) -> AccountProgress {
        AccountProgress {
            files: self.progress.files.load(Ordering::Relaxed) as f64,
            files_done: self.progress.files_done.load(Ordering::Relaxed) as f64,
            bytes: self.progress.bytes.load(Ordering::Relaxed) as f64,
            bytes_done: self.progress.bytes_done.load(Ordering::Relaxed) as f64,
        }
    }

    /// Ends `read` after the files in progress; it returns what is done.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.progress.cancelled.store(true, Ordering::Relaxed);
    }
}

fn named_lists(names: Vec<String>) -> Vec<(String, Prices)> {
    names.into_iter().filter_map(|name| Prices::named(&name).map(|prices| (name, prices))).collect()
}

/// The files of a session, which are read together.
#[napi(object)]
pub struct SessionSource {
    pub path: String,
    pub files: Vec<String>,
}

/// Possible sessions under `paths`: only folders are listed, no file is read.
#[napi(catch_unwind)]
pub fn session_sources(paths: Vec<String>) -> Vec<SessionSource> {
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let source = |source: palimpsest_sessions::Source| SessionSource {
        path: text(&source.path),
        files: source.files.iter().map(|file| text(file)).collect(),
    };
    let found = find_files(&paths);
    // An unreadable folder yields no files; reading it later reports the error.
    let closed = found.failures.into_iter().map(|(path, _)| SessionSource { path: text(&path), files: Vec::new() });
    found.sources.into_iter().map(source).chain(closed).collect()
}

/// The folders in which agents store their sessions: below `home`, or where `environment` says.
#[napi(catch_unwind)]
pub fn session_places(home: String, environment: HashMap<String, String>) -> Vec<SessionPlace> {
    let places = default_folders(Path::new(&home), |name| environment.get(name).cloned());
    let place = |place: palimpsest_sessions::DefaultFolder| SessionPlace {
        agent: place.agent.key().to_owned(),
        path: place.path.to_string_lossy().into_owned(),
    };
    places.into_iter().map(place).collect()
}

#[napi(catch_unwind)]
pub fn session_formats() -> Vec<String> {
    Agent::ALL.map(|agent| agent.name().to_owned()).to_vec()
}

/// JSON text, or the reason why there is none.
#[napi(object)]
pub struct SessionText {
    pub json: Option<String>,
    pub code: Option<String>,
    pub message: Option<String>,
}

/// Simulates the session under its own prices and under `lists`. Throws if `prices` is no valid list.
#[napi(catch_unwind, ts_return_type = "Promise<SessionText>")]
pub fn session_picture(
    env: &Env,
    path: String,
    number: u32,
    prices: Option<String>,
    lists: Vec<String>,
) -> Result<Object<'_>> {
    let prices = PriceList::new(prices.as_deref()).map_err(Error::from_reason)?;
    let settings = AccountSettings {
        prices,
        lists: named_lists(lists),
        simulate: true,
        hindsight: false,
        curves: false,
        need: None,
        view_overrides: ViewOverrides::default(),
    };
    of_session(env, path, number, move |session| to_json(&SessionPicture::of(session, &settings)))
}

/// Messages `from` to `to`.
#[napi(catch_unwind, ts_return_type = "Promise<SessionText>")]
pub fn session_messages(env: &Env, path: String, number: u32, from: u32, to: u32) -> Result<Object<'_>> {
    of_session(env, path, number, move |session| to_json(&MessagePage::of(session, from as usize..to as usize)))
}

/// A thread of a session as a conversation in which each compaction can be expanded, with the effect of each.
#[napi(catch_unwind, ts_return_type = "Promise<SessionText>")]
pub fn session_history(env: &Env, path: String, number: u32, thread: u32) -> Result<Object<'_>> {
    of_session(env, path, number, move |session| to_json(&SessionHistory::of(session, thread as usize)))
}

fn of_session(
    env: &Env,
    path: String,
    number: u32,
    json_of: impl FnOnce(&Session) -> String + Send + 'static,
) -> Result<Object<'_>> {
    let work = move || match session_at(Path::new(&path), number as usize) {
        Ok(session) => SessionText { json: Some(json_of(&session)), code: None, message: None },
        Err(error) => SessionText { json: None, code: Some(error.code.to_owned()), message: Some(error.message) },
    };
    blocking_promise(env, Lane::Read, work, |_, text| Ok(text))
}
