//! Which version this addon is, so that the face can refuse one that it wasn't made for.

use napi_derive::napi;

/// The version that the addon was built as, like `0.1.0`.
#[napi]
pub const fn addon_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
