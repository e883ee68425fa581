//! What the answers of one context needed of earlier results.

use std::collections::{BTreeMap, HashMap};

use super::grams::GramKind;
use super::hash::Spread;
use super::index::Index;

/// A list of rows that only grows, and the requests that sent it.
#[derive(Debug, Clone, Copy)]
pub struct SentRows<'a> {
    /// Rows of the index, in the order in which they are sent.
    pub rows: &'a [usize],
    /// By position, whether it is a tool's result.
    pub results: &'a [bool],
    pub requests: &'a [RequestSpan],
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSpan {
    /// How many of the context's rows it sent.
    pub len: usize,
    /// The rows of its answer; none where it isn't recorded.
    pub answer: std::ops::Range<usize>,
}

/// An answer that repeats something that only results of tools had said before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedEvent {
    /// Its place among the context's requests.
    pub request: usize,
    /// The position of the newest result that says the same.
    pub source: usize,
    /// The request that was the first to send that result.
    pub first_sent: usize,
    pub grams: Vec<NeededGram>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededGram {
    pub kind: GramKind,
    pub key: u64,
    pub is_hash: bool,
    /// Positions of all the results that hold it, ascending.
    pub sources: Vec<u32>,
}

/// Where a gram stands, so far.
#[derive(Default)]
struct Places {
    results: Vec<u32>,
    is_elsewhere: bool,
}

/// The events of one context, by request and source. A gram is needed at most once: an answer that holds it is a source that stays.
/// O(grams of its rows).
#[must_use]
pub fn events(index: &Index, context: &SentRows<'_>) -> Vec<NeedEvent> {
    let mut order: Vec<usize> = (0..context.requests.len()).collect();
    order.sort_by_key(|&request| context.requests.get(request).map_or(0, |asked| asked.len));
    let mut places: HashMap<u32, Places, Spread> = HashMap::default();
    let mut first_sent: Vec<usize> = Vec::new();
    let mut events = Vec::new();
    for (rank, &request) in order.iter().enumerate() {
        let Some(asked) = context.requests.get(request) else { continue };
        for position in first_sent.len()..asked.len.min(context.rows.len()) {
            take_in(index, context, position, &mut places);
            first_sent.push(rank);
        }
        let mut found: BTreeMap<u32, Vec<NeededGram>> = BTreeMap::new();
        for id in asked.answer.clone().flat_map(|row| index.said(row)) {
            let Some(held) = places.get(id).filter(|held| !held.is_elsewhere) else { continue };
            let (Some(&newest), Some(gram)) = (held.results.last(), index.gram(*id)) else { continue };
            found.entry(newest).or_default().push(NeededGram {
                kind: gram.kind,
                key: gram.key,
                is_hash: gram.is_hash,
                sources: held.results.clone(),
            });
        }
        for (source, grams) in found {
            let source = source as usize;
            // Every result is sent in full once, so what the first answer to it takes is never missed.
            let Some(&first) = first_sent.get(source).filter(|&&first| first < rank) else { continue };
            let first_sent = order.get(first).copied().unwrap_or_default();
            events.push(NeedEvent { request, source, first_sent, grams });
        }
    }
    events.sort_by_key(|event| (event.request, event.source));
    events
}

fn take_in(
    index: &Index,
    context: &SentRows<'_>,
    position: usize,
    places: &mut HashMap<u32, Places, Spread>,
) {
    let Some(&row) = context.rows.get(position) else { return };
    let is_result = context.results.get(position).copied().unwrap_or_default();
    for &id in index.shown(row) {
        let held = places.entry(id).or_default();
        if !is_result {
            *held = Places { results: Vec::new(), is_elsewhere: true };
        } else if !held.is_elsewhere {
            held.results.extend(u32::try_from(position));
        }
    }
}
