//! Finds which earlier results the assistant messages of one context needed. A context is a growing list of rows that requests send the
//! first part of; a row is a tool result, or a message without its results.

use std::collections::{BTreeMap, HashMap};

use super::grams::GramKind;
use super::index::Index;
use crate::text::hash::BuildKeyHasher;

/// The rows of one context, and the requests that sent them. A row's *position* is its index in `rows`.
#[derive(Debug, Clone, Copy)]
pub struct SentRows<'a> {
    /// Rows of the index, in the order sent.
    pub rows: &'a [usize],
    /// For each position, whether the row is a tool result.
    pub is_result: &'a [bool],
    pub requests: &'a [RequestSpan],
}

/// What one request sent and received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSpan {
    /// Number of the context's rows in the request.
    pub len: usize,
    /// Rows of the index with the received assistant message; empty if not recorded.
    pub assistant_rows: std::ops::Range<usize>,
}

/// An assistant message repeats content that only tool results had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedEvent {
    /// Index among the context's requests: the one that received the message.
    pub request: usize,
    /// Position of the newest result with the gram.
    pub source: usize,
    /// Index of the first request that sent that result.
    pub first_sent: usize,
    pub grams: Vec<NeededGram>,
}

/// A gram of the message, with its fields as in [`Gram`](super::Gram).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededGram {
    pub kind: GramKind,
    pub key: u64,
    pub is_hash: bool,
    /// Positions of all results with the gram, ascending.
    pub sources: Vec<u32>,
}

/// Where a gram has occurred so far.
#[derive(Default)]
struct Occurrences {
    /// Positions; empty if `is_outside_results`.
    results: Vec<u32>,
    is_outside_results: bool,
}

/// Events sorted by request and source. A gram is needed at most once: the message that repeats it stays as a source. O(grams of the rows).
pub fn events(index: &Index, context: &SentRows<'_>) -> Vec<NeedEvent> {
    let mut by_len: Vec<(usize, &RequestSpan)> = context.requests.iter().enumerate().collect();
    by_len.sort_by_key(|(_, span)| span.len);
    let mut occurrences: HashMap<u32, Occurrences, BuildKeyHasher> = HashMap::default();
    // For each position, the first request that sent it.
    let mut first_sent: Vec<usize> = Vec::new();
    let mut events = Vec::new();
    for (request, span) in by_len {
        for position in first_sent.len()..span.len.min(context.rows.len()) {
            add_row(index, context, position, &mut occurrences);
            first_sent.push(request);
        }
        for (source, grams) in needed_grams(index, span, &occurrences) {
            let source = source as usize;
            // Every result is sent in full once, so the first message after it misses nothing.
            let Some(&first_sent) = first_sent.get(source).filter(|&&first| first != request) else {
                continue;
            };
            events.push(NeedEvent { request, source, first_sent, grams });
        }
    }
    events.sort_by_key(|event| (event.request, event.source));
    events
}

/// For each source, the grams of the request's assistant message that only results had before.
fn needed_grams(
    index: &Index,
    span: &RequestSpan,
    occurrences: &HashMap<u32, Occurrences, BuildKeyHasher>,
) -> BTreeMap<u32, Vec<NeededGram>> {
    let mut by_source: BTreeMap<u32, Vec<NeededGram>> = BTreeMap::new();
    for id in span.assistant_rows.clone().flat_map(|row| index.assistant_grams(row)) {
        let Some(Occurrences { results, .. }) = occurrences.get(id) else { continue };
        let (Some(&newest), Some(gram)) = (results.last(), index.gram(*id)) else { continue };
        by_source.entry(newest).or_default().push(NeededGram {
            kind: gram.kind,
            key: gram.key,
            is_hash: gram.is_hash,
            sources: results.clone(),
        });
    }
    by_source
}

/// Adds the occurrences of all grams in the row at `position`.
fn add_row(
    index: &Index,
    context: &SentRows<'_>,
    position: usize,
    occurrences: &mut HashMap<u32, Occurrences, BuildKeyHasher>,
) {
    let Some(&row) = context.rows.get(position) else { return };
    let is_result = context.is_result.get(position).copied().unwrap_or_default();
    for &id in index.row_grams(row) {
        let gram = occurrences.entry(id).or_default();
        if !is_result {
            *gram = Occurrences { results: Vec::new(), is_outside_results: true };
        } else if !gram.is_outside_results {
            gram.results.extend(u32::try_from(position));
        }
    }
}
