//! The command's addon: converts JavaScript values, calls the crates that read recorded sessions and ask a model over
//! HTTP, converts back. A library's user installs it only for `HttpLlmClient`, so it is no part of the other addon.

#![deny(unsafe_code)]
// napi-derive passes owned values to exported functions, and they can't be `const`.
#![allow(clippy::needless_pass_by_value, clippy::missing_const_for_fn)]
// In tests napi registers nothing, so its exports look unused.
#![cfg_attr(test, allow(dead_code))]
// napi uses `&Env` throughout.
#![allow(clippy::trivially_copy_pass_by_ref)]

mod http_llm;
mod sessions;

use napi_derive::napi;
use palimpsest_binding::{error, runtime};

/// The JavaScript side rejects an addon of another version.
#[napi(catch_unwind)]
pub const fn addon_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
