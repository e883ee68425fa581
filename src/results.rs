//! The binding of tool results: replaces binary data, formats results for the model, finds context overflows, words
//! progress, and truncates command output.

use std::borrow::Cow;

use napi::Unknown;
use napi::bindgen_prelude::Int16Array;
use napi_derive::napi;
use palimpsest_core::output::{self, OutputKeep};
use palimpsest_core::results::byte_lists::{MAX_INDEXED, are_data, byte_of};
use palimpsest_core::results::json_rewrite::{default_fields, sanitize_results_json as sanitize};
use palimpsest_core::results::{binary_data, binary_runs, format, overflow, progress};

use crate::option_values::language;
use crate::units::{StringPieces, Utf16, beginning};

/// How much of a long string is read to decide whether to read the rest.
const BEGINNING: usize = 1024;

/// Null if `text` stays by the rule of the original function.
#[napi(catch_unwind, ts_args_type = "text: string")]
pub fn large_data_placeholder(text: Unknown<'_>) -> Option<String> {
    if !binary_data::may_be_large_data(&beginning(&text, BEGINNING)?) {
        return None;
    }
    let units = beginning(&text, usize::MAX)?;
    binary_data::is_large_data(&units).then(|| binary_data::large_placeholder(units.len() as u64))
}

/// Null if `text` contains no binary data.
#[napi(catch_unwind, ts_args_type = "text: string", ts_return_type = "string | null")]
pub fn without_binary_runs(text: Utf16) -> Option<Utf16> {
    binary_runs::without_binary_runs(&text.0).map(Utf16)
}

/// The placeholder for a typed array or a buffer; null if it is small.
#[napi(catch_unwind)]
pub fn bytes_placeholder(byte_length: u32) -> Option<String> {
    let is_large = byte_length as usize > MAX_INDEXED;
    is_large.then(|| binary_data::large_placeholder(u64::from(byte_length)))
}

/// The placeholder for a list of bytes, or for fields that are bytes; null if `values` are something else.
/// `is_buffers`: they are the JSON of a `Buffer`.
#[napi(catch_unwind)]
pub fn byte_list_placeholder(values: Int16Array, is_buffers: bool) -> Option<String> {
    let bytes: Vec<u8> = values.iter().map(|&value| byte_of(value)).collect::<Option<_>>()?;
    (is_buffers || are_data(&bytes)).then(|| binary_data::large_placeholder(bytes.len() as u64))
}

/// How many units a list of `count` bytes counts in a known field.
#[napi(catch_unwind)]
pub fn listed_units(count: u32) -> f64 {
    binary_data::listed_units(count as usize) as f64
}

/// The placeholder for a value of `total_units`, of which `data_units` are not in paths or URLs; null if the value stays.
#[napi(catch_unwind)]
pub fn binary_data_placeholder(total_units: f64, data_units: f64) -> Option<String> {
    let units = binary_data::FieldUnits { total: total_units as u64, data: data_units as u64 };
    binary_data::binary_placeholder(units)
}

/// True if `text` is a path or a URL.
#[napi(catch_unwind, ts_args_type = "text: string")]
pub fn is_data_reference(text: Utf16) -> bool {
    binary_data::is_location(&text.0)
}

/// Null if nothing changes.
#[napi(catch_unwind, ts_args_type = "content: string, fields?: string[] | null", ts_return_type = "string | null")]
pub fn sanitize_results_json(content: Utf16, fields: Option<Vec<Utf16>>) -> Option<Utf16> {
    let given = fields.map(|fields| fields.into_iter().map(|field| field.0).collect());
    sanitize(&content.0, &given.unwrap_or_else(default_fields)).map(Utf16)
}

/// A result's parts as the original function's template literals would print them; null for an absent part.
#[napi(object)]
pub struct ToolResultTexts {
    /// Null for an MCP server's result.
    #[napi(ts_type = "string")]
    pub id: Option<Utf16>,
    pub success: bool,
    #[napi(ts_type = "string")]
    pub output: Option<Utf16>,
    #[napi(ts_type = "string")]
    pub error: Option<Utf16>,
    #[napi(ts_type = "string")]
    pub image_path: Option<Utf16>,
    #[napi(ts_type = "string")]
    pub file_path: Option<Utf16>,
    #[napi(ts_type = "string")]
    pub generation_time_ms: Option<Utf16>,
}

#[napi(catch_unwind, ts_return_type = "string")]
pub fn format_results(results: Vec<ToolResultTexts>) -> Utf16 {
    let owned = |text: Option<Utf16>| text.map(|text| Cow::Owned(text.0));
    let result = |texts: ToolResultTexts| format::ToolResult {
        id: owned(texts.id),
        success: texts.success,
        output: owned(texts.output),
        error: owned(texts.error),
        image_path: owned(texts.image_path),
        file_path: owned(texts.file_path),
        generation_time_ms: owned(texts.generation_time_ms),
    };
    Utf16(format::format_for_model(&results.into_iter().map(result).collect::<Vec<_>>()))
}

to_js! {
    OverflowFigures from overflow: overflow::ContextOverflow {
        requested: Option<f64> = overflow.requested.map(|tokens| tokens as f64),
        max: Option<f64> = overflow.max.map(|tokens| tokens as f64),
        provider: &'static str = overflow.provider,
    }
}

/// `provider` and `status` as the caller knows them.
#[napi(catch_unwind, ts_args_type = "texts: string[], provider?: string | null, status?: number | null")]
pub fn find_context_overflow(
    texts: Vec<Utf16>,
    provider: Option<String>,
    status: Option<f64>,
) -> Option<OverflowFigures> {
    let known = overflow::ErrorOrigin { provider, status };
    overflow::find_overflow(&known, texts.iter().map(|text| text.0.as_slice())).map(Into::into)
}

/// Message and suggestion for the user.
#[napi(catch_unwind)]
pub fn context_overflow_texts(tag: Option<String>) -> (&'static str, &'static str) {
    overflow::user_texts(language(tag.as_deref()))
}

/// The texts of a progress bar while a tool works, and when it is done.
#[napi(catch_unwind)]
pub fn stage_texts(tag: Option<String>) -> (&'static str, &'static str) {
    progress::stage_texts(language(tag.as_deref()))
}

#[napi(catch_unwind)]
pub fn timeout_text(tool: String, timeout_ms: f64, tag: Option<String>) -> String {
    progress::timeout_text(&tool, timeout_ms, language(tag.as_deref()))
}

/// The percentage to show after `elapsed_ms`; never below `shown`.
#[napi(catch_unwind)]
pub fn progress_after(shown: f64, elapsed_ms: f64, estimate_ms: f64, from: f64, to: f64) -> f64 {
    progress::never_backwards(shown, progress::estimated_percent(elapsed_ms, estimate_ms, from, to))
}

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

/// Null if the output is unchanged. Copies the result out of `content`, so that the dropped text can be freed.
fn changed(content: &Utf16, result: Cow<'_, [u16]>) -> Option<Utf16> {
    (result.len() != content.0.len() || matches!(result, Cow::Owned(_))).then(|| Utf16(result.into_owned()))
}
