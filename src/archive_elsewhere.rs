//! Functions for stores other than the archive's file, so that they find the same messages in the same order.

use napi::Env;
use napi::bindgen_prelude::{Int32Array, Object, Result};
use napi_derive::napi;
use palimpsest_archive::{
    MAX_QUERY_CHARS, MAX_QUERY_WORDS, ParsedQuery, RankedRow, index_text, is_within_limits, parse_query,
    ranked_hits, snippet, without_base64,
};

use crate::archive_values::converted;
use crate::error::out_of_range;
use crate::runtime::{Lane, blocking_promise};

/// The searchable form of a message.
#[napi(object, object_from_js = false)]
pub struct IndexedText {
    /// Without base64 and NUL, case folded.
    pub text: String,
    pub grams: Int32Array,
}

/// A parsed query, case folded.
#[napi(object, object_from_js = false)]
pub struct AskedWords {
    pub words: Vec<String>,
    /// The words whose occurrences rank the hits.
    pub ranking: Vec<String>,
    /// A text that lacks one of these can't match.
    pub grams: Int32Array,
}

/// The searchable form of each text.
#[napi(catch_unwind, ts_return_type = "Promise<IndexedText[]>")]
pub fn archive_indexed(env: &Env, texts: Vec<String>, tenant: String) -> Result<Object<'_>> {
    let work = move || texts.iter().map(|text| index_text(text, &tenant)).collect::<Vec<_>>();
    blocking_promise(env, Lane::Read, work, |_, done| Ok(converted::<_, IndexedText>(done)))
}

impl From<palimpsest_archive::IndexedText> for IndexedText {
    fn from(indexed: palimpsest_archive::IndexedText) -> Self {
        Self { text: indexed.text, grams: indexed.grams.into() }
    }
}

/// Parses a query.
#[napi(catch_unwind)]
pub fn archive_asked(env: &Env, query: String, tenant: String) -> Result<AskedWords> {
    check_query(env, &query)?;
    let ParsedQuery { words, ranking, grams } = parse_query(&query, &tenant);
    Ok(AskedWords { words, ranking, grams: grams.into() })
}

/// The order in which to show found messages, as indices into the arrays, which are sorted newest first. `counts`: for
/// each message, how often each ranking word occurs.
#[napi(catch_unwind)]
pub fn archive_best_first(counts: Vec<Vec<u32>>, bytes: Vec<u32>) -> Vec<u32> {
    let wide = |counts: Vec<u32>| counts.into_iter().map(|count| count as usize).collect();
    let ranked = |(row, (counts, bytes))| RankedRow { row, counts: wide(counts), bytes: bytes as usize };
    ranked_hits(&(0..).zip(counts.into_iter().zip(bytes)).map(ranked).collect::<Vec<_>>())
}

/// The first match in a found message's text, with `context` characters on either side.
#[napi(catch_unwind)]
pub fn archive_snippet(query: String, text: String, context: u32) -> String {
    snippet(&query, &text, context as usize)
}

/// A message's text in the form shown to the model.
#[napi(catch_unwind)]
pub fn archive_text(text: String) -> String {
    without_base64(&text).into_owned()
}

/// Rejects a query that exceeds the limits.
pub fn check_query(env: &Env, query: &str) -> Result<()> {
    if is_within_limits(query) {
        return Ok(());
    }
    let expected = format!("at most {MAX_QUERY_CHARS} characters and {MAX_QUERY_WORDS} words");
    Err(out_of_range(env, "query", &expected, "more"))
}
