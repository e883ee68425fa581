//! Finds which earlier results the assistant messages of one context needed.

use std::collections::{BTreeMap, HashMap};

use super::grams::GramKind;
use super::index::Index;
use crate::text::hash::Spread;

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
    is_elsewhere: bool,
}

/// Events sorted by request and source. A gram is needed at most once: the message that repeats it stays as a source. O(grams of the rows).
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
            // Every result is sent in full once, so the first message after it misses nothing.
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
