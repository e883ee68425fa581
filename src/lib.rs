//! The binding: converts JavaScript values, calls the core, converts back. It contains no rules.

#![deny(unsafe_code)]
// napi-derive passes owned values to exported functions, and they can't be `const`.
#![allow(clippy::needless_pass_by_value, clippy::missing_const_for_fn)]
// In tests napi registers nothing, so its exports look unused.
#![cfg_attr(test, allow(dead_code))]
// napi uses `&Env` throughout.
#![allow(clippy::trivially_copy_pass_by_ref)]

mod archive;
mod archive_values;
mod cache;
mod choices;
mod cleanup;
mod compression;
mod labels;
mod layouts;
mod logging;
mod option_values;
mod options;
mod output;
mod references;
mod results;
mod tokens;
mod units;
mod usage;
mod view;
mod wire;

use napi_derive::napi;
use palimpsest_binding::{error, locked, runtime};

/// The addon's version, so that the JavaScript side can reject an addon of another version.
#[napi(catch_unwind)]
pub const fn addon_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
