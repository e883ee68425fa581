//! One recorded session as maps and charts show it, and its messages. All reading is done on other threads.

use std::path::{Path, PathBuf};

use napi::bindgen_prelude::{Object, Result};
use napi::{Env, Error};
use napi_derive::napi;
use palimpsest_core::cache::prices::Prices;
use palimpsest_sessions::Session;
use palimpsest_sessions::account::picture::{MessagePage, SessionHistory, SessionPicture};
use palimpsest_sessions::account::{AccountSettings, PriceList, ViewOverrides, session_at, to_json};

use crate::runtime::{Lane, blocking_promise};

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
    let named = |name: String| Prices::named(&name).map(|prices| (name, prices));
    let lists = lists.into_iter().filter_map(named).collect();
    let view_overrides = ViewOverrides::default();
    let options = AccountSettings {
        prices,
        lists,
        simulate: true,
        hindsight: false,
        curves: false,
        need: None,
        view_overrides,
    };
    of_session(env, path, number, move |session| to_json(&SessionPicture::of(session, &options)))
}

/// Messages `from` to `to`.
#[napi(catch_unwind, ts_return_type = "Promise<SessionText>")]
pub fn session_messages(env: &Env, path: String, number: u32, from: u32, to: u32) -> Result<Object<'_>> {
    of_session(env, path, number, move |session| {
        to_json(&MessagePage::of(session, from as usize..to as usize))
    })
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
    make: impl FnOnce(&Session) -> String + Send + 'static,
) -> Result<Object<'_>> {
    let path = PathBuf::from(path);
    let work = move || text_of(&path, number as usize, make);
    blocking_promise(env, Lane::Read, work, |_, text| Ok(text))
}

fn text_of(path: &Path, number: usize, make: impl FnOnce(&Session) -> String) -> SessionText {
    match session_at(path, number) {
        Ok(session) => SessionText { json: Some(make(&session)), code: None, message: None },
        Err(error) => {
            SessionText { json: None, code: Some(error.code.to_owned()), message: Some(error.message) }
        }
    }
}
