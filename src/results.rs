//! The binding of tool results: replaces binary data, formats results for the model, finds context overflows, and words
//! progress.

use std::borrow::Cow;
use std::time::Duration;

use napi::Unknown;
use napi::bindgen_prelude::Int16Array;
use napi_derive::napi;
use palimpsest_core::results::byte_lists::{MAX_INDEXED, MAX_LISTED, are_data, byte_of};
use palimpsest_core::results::json_rewrite::{default_fields, sanitize_results_json as sanitize};
use palimpsest_core::results::{binary_data, binary_runs, format, overflow, progress};

use crate::choices::language;
use crate::units::{Utf16, beginning};

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

to_js! {
    #[doc = "Limits that the JavaScript object walk needs."]
    BinaryDataRules from (): () {
        #[doc = "Names of fields that are binary data whatever their value looks like."]
        large_data_fields: Vec<&'static str> = binary_data::LARGE_DATA_FIELDS.to_vec(),
        #[doc = "Strings up to this many units stay."]
        size_threshold: u32 = binary_data::SIZE_THRESHOLD as u32,
        #[doc = "Longer strings are neither a path nor a URL."]
        longest_reference: u32 = binary_data::LONGEST_LOCATION as u32,
        #[doc = "Lists of up to this many bytes stay, except in known fields."]
        most_listed: u32 = MAX_LISTED as u32,
        #[doc = "Objects with up to this many indexed bytes stay."]
        most_indexed: u32 = MAX_INDEXED as u32,
    }

    #[doc = "Intervals and bounds of a progress bar, in ms and percent."]
    ProgressNumbers from (): () {
        tick_ms: f64 = in_ms(progress::UPDATE_INTERVAL),
        estimate_ms: f64 = in_ms(progress::DEFAULT_ESTIMATE),
        working_from: f64 = progress::WORKING_FROM,
        working_to: f64 = progress::WORKING_TO,
        cloud_proxy_timeout_ms: f64 = in_ms(progress::CLOUD_PROXY_TIMEOUT),
        direct_api_timeout_ms: f64 = in_ms(progress::DIRECT_API_TIMEOUT),
        prompt_expand_timeout_ms: f64 = in_ms(progress::PROMPT_EXPAND_TIMEOUT),
    }
}

#[napi(catch_unwind)]
pub fn binary_data_rules() -> BinaryDataRules {
    ().into()
}

#[napi(catch_unwind)]
pub fn progress_numbers() -> ProgressNumbers {
    ().into()
}

pub fn in_ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
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
#[napi(catch_unwind, ts_return_type = "[string, string]")]
pub fn context_overflow_texts(tag: Option<String>) -> Vec<&'static str> {
    let (message, suggestion) = overflow::user_texts(language(tag.as_deref()));
    vec![message, suggestion]
}

/// The texts of a progress bar while a tool works, and when it is done.
#[napi(catch_unwind, ts_return_type = "[string, string]")]
pub fn stage_texts(tag: Option<String>) -> Vec<&'static str> {
    let (working, complete) = progress::stage_texts(language(tag.as_deref()));
    vec![working, complete]
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
