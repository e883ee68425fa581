//! Tells the addon's version, so that the face can refuse one that it wasn't made for.

use napi_derive::napi;

#[napi(catch_unwind)]
pub const fn addon_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
