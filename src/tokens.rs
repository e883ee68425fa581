//! Token figures.

use napi_derive::napi;
use palimpsest_core::tokens::estimate::Size;

use crate::units::Utf16;

/// An estimate from what the characters are; no vocabulary. O(text).
#[napi(catch_unwind)]
#[allow(clippy::cast_precision_loss)] // a JavaScript string is shorter than 2^30
pub fn estimate_tokens(#[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
    Size::of(&text.0).tokens as f64
}
