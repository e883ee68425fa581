//! Token figures.

use napi::Env;
use napi::bindgen_prelude::Result;
use napi_derive::napi;
use palimpsest_core::tokens::encoding::{Encoding, cl100k, o200k};
use palimpsest_core::tokens::estimate::Size;

use crate::error::out_of_range;
use crate::units::Utf16;

/// An estimate from what the characters are; no vocabulary. O(text).
#[napi(catch_unwind)]
#[allow(clippy::cast_precision_loss)] // a JavaScript string is shorter than 2^30
pub fn estimate_tokens(#[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
    Size::of(&text.0).tokens as f64
}

/// Counts in one encoding. The vocabulary is shared by all threads and read on first use.
#[napi(js_name = "TokenEncoding")]
pub struct JsTokenEncoding {
    encoding: fn() -> &'static dyn Encoding,
}

#[napi]
impl JsTokenEncoding {
    /// `name`: `o200k_base` or `cl100k_base`.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, name: String) -> Result<Self> {
        match name.as_str() {
            "o200k_base" => Ok(Self { encoding: o200k }),
            "cl100k_base" => Ok(Self { encoding: cl100k }),
            _ => {
                Err(out_of_range(&env, "options.encoding", "o200k_base or cl100k_base", &format!("'{name}'")))
            }
        }
    }

    /// Tokens of `text`; lone surrogates count as U+FFFD.
    #[napi(catch_unwind)]
    #[allow(clippy::cast_precision_loss)] // a JavaScript string is shorter than 2^30
    pub fn count(&self, #[napi(ts_arg_type = "string")] text: Utf16) -> f64 {
        (self.encoding)().count(&String::from_utf16_lossy(&text.0)) as f64
    }
}
