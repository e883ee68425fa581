//! The binding: converts JavaScript values, calls the core, converts back. It contains no rules.

#![deny(unsafe_code)]
// napi-derive passes owned values to exported functions, and they can't be `const`.
#![allow(clippy::needless_pass_by_value, clippy::missing_const_for_fn)]
// In tests napi registers nothing, so its exports look unused.
#![cfg_attr(test, allow(dead_code))]
// napi uses `&Env` throughout.
#![allow(clippy::trivially_copy_pass_by_ref)]
// JavaScript has one type of number. These are counts, lengths and indices: not negative, and far below 2^53.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]

/// Declares objects that JavaScript gets, and the core's value that each is made from, `()` for fixed values: per field
/// the name, the type, and the value. Comments for `binding.d.ts` are `#[doc]`: `///` would show there as `r"…`.
macro_rules! to_js {
    ($($(#[$about:meta])* $object:ident from $given:tt: $core:ty {
        $($(#[$field_about:meta])* $field:ident: $type:ty = $value:expr,)+
    })+) => {$(
        $(#[$about])*
        #[napi_derive::napi(object, object_from_js = false)]
        pub struct $object { $($(#[$field_about])* pub $field: $type),+ }

        impl From<$core> for $object {
            fn from($given: $core) -> Self {
                Self { $($field: $value),+ }
            }
        }
    )+};
}

mod archive;
mod archive_values;
mod cache;
mod cleanup;
mod compression;
mod fixed_values;
mod layouts;
mod logging;
mod option_values;
mod options;
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
