//! Command output: trimming and truncation. Null means that the input is unchanged.

use std::borrow::Cow;

use napi::Unknown;
use napi_derive::napi;
use palimpsest_core::output::{self, OutputKeep};

use crate::units::{StringPieces, Utf16};

#[napi(catch_unwind, ts_args_type = "content: string", ts_return_type = "string | null")]
pub fn trim_empty_lines(content: Utf16) -> Option<Utf16> {
    changed(&content, output::trim_empty_lines(&content.0).into())
}

#[napi(catch_unwind, ts_args_type = "value?: string | null")]
pub fn output_limit(value: Option<Utf16>) -> u32 {
    output::limit_from_environment(value.as_ref().map(|value| value.0.as_slice()))
}

/// Cuts a text of `units` units to `limit` as the original function does; the JavaScript side has checked `limit`.
#[napi(catch_unwind, ts_args_type = "pieces: string[], units: number, limit: number", ts_return_type = "string | null")]
pub fn truncate_output(pieces: Unknown<'_>, units: f64, limit: f64) -> Option<Utf16> {
    output::truncate(&mut StringPieces::new(&pieces, units as usize), limit as usize).map(Utf16)
}

/// Cuts a text to `limit` in the way that `keep` names; the JavaScript side has checked both.
#[napi(
    catch_unwind,
    ts_args_type = "pieces: string[], units: number, limit: number, keep: string",
    ts_return_type = "string | null"
)]
pub fn truncate_output_keeping(pieces: Unknown<'_>, units: f64, limit: f64, keep: String) -> Option<Utf16> {
    let keep = OutputKeep::from_name(&keep)?;
    let content = Utf16(output::copy_whole(&mut StringPieces::new(&pieces, units as usize)));
    changed(&content, output::truncate_keeping(&content.0, limit as usize, keep))
}

/// Copies the result out of `content`, so that the dropped text can be freed.
fn changed(content: &Utf16, result: Cow<'_, [u16]>) -> Option<Utf16> {
    (result.len() != content.0.len() || matches!(result, Cow::Owned(_))).then(|| Utf16(result.into_owned()))
}
