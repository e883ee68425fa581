//! The addon's version, so that the JavaScript side can reject an addon of another version.

use napi_derive::napi;

#[napi(catch_unwind)]
pub const fn addon_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
