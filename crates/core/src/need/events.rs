//! Finds which earlier results the assistant messages of one context needed.

use std::collections::{BTreeMap, HashMap};

use super::grams::GramKind;
use super::index::Index;
use crate::text::hash::BuildKeyHasher;

/// The growing rows of one context, and the requests that sent them.
#[derive(Debug, Clone, Copy)]
pub struct SentRows<'a> {
    /// In the order sent.
    pub rows: &'a [usize],
    /// For each position, whether the row is a tool result.
    pub results: &'a [bool],
    pub requests: &'a [RequestSpan],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSpan {
    /// Number of the context's rows in the request.
    pub len: usize,
    /// Rows of the assistant message; empty if not recorded.
    pub answer: std::ops::Range<usize>,
}

/// An assistant message repeats content that only tool results had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedEvent {
    /// Index among the context's requests.
    pub request: usize,
    /// Position of the newest result with the gram.
    pub source: usize,
    /// The first request that sent that result.
    pub first_sent: usize,
    pub grams: Vec<NeededGram>,
}

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
struct Places {
    results: Vec<u32>,
    is_outside_results: bool,
}

/// Events sorted by request and source. A gram is needed at most once: the message that repeats it stays as a source. O(grams of the rows).
pub fn events(index: &Index, context: &SentRows<'_>) -> Vec<NeedEvent> {
    let mut order: Vec<usize> = (0..context.requests.len()).collect();
    order.sort_by_key(|&request| context.requests.get(request).map_or(0, |span| span.len));
    let mut places: HashMap<u32, Places, BuildKeyHasher> = HashMap::default();
    let mut first_sent: Vec<usize> = Vec::new();
    let mut events = Vec::new();
    for (rank, &request) in order.iter().enumerate() {
        let Some(span) = context.requests.get(request) else { continue };
        for position in first_sent.len()..span.len.min(context.rows.len()) {
            add_row(index, context, position, &mut places);
            first_sent.push(rank);
        }
        let mut found: BTreeMap<u32, Vec<NeededGram>> = BTreeMap::new();
        for id in span.answer.clone().flat_map(|row| index.answer_grams(row)) {
            let Some(places_of_gram) =
                places.get(id).filter(|places_of_gram| !places_of_gram.is_outside_results)
            else {
                continue;
            };
            let (Some(&newest), Some(gram)) = (places_of_gram.results.last(), index.gram(*id)) else {
                continue;
            };
            found.entry(newest).or_default().push(NeededGram {
                kind: gram.kind,
                key: gram.key,
                is_hash: gram.is_hash,
                sources: places_of_gram.results.clone(),
            });
        }
        for (source, grams) in found {
            let source = source as usize;
            // Every result is sent in full once, so the first message after it misses nothing.
            let Some(&first) = first_sent.get(source).filter(|&&first| first < rank) else { continue };
            let first_sent = order.get(first).copied().unwrap_or_default();
            events.push(NeedEvent { request, source, first_sent, grams });
        }
    }
    events.sort_by_key(|event| (event.request, event.source));
    events
}

fn add_row(
    index: &Index,
    context: &SentRows<'_>,
    position: usize,
    places: &mut HashMap<u32, Places, BuildKeyHasher>,
) {
    let Some(&row) = context.rows.get(position) else { return };
    let is_result = context.results.get(position).copied().unwrap_or_default();
    for &id in index.prompt_grams(row) {
        let places_of_gram = places.entry(id).or_default();
        if !is_result {
            *places_of_gram = Places { results: Vec::new(), is_outside_results: true };
        } else if !places_of_gram.is_outside_results {
            places_of_gram.results.extend(u32::try_from(position));
        }
    }
}
