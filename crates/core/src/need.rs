//! Measures whether a removed result is missed: whether a later assistant message repeats a *gram* that only tool results had: a line that
//! an edit must find, eight consecutive words, a distinctive name. It is a lower bound: a message can use a result without repeating it.
//! Only hashes of assistant messages' grams are stored: time is linear in all texts, memory in the assistant messages. A *context* is a
//! growing list of rows (results, and messages without theirs); each request sends the first part of it.

mod edited_lines;
mod fields;
mod grams;
mod names;
mod vocabulary;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

pub use fields::Field;
use fields::{visit_assistant_grams, visit_source_grams};
pub use grams::{Gram, GramKind};
pub use vocabulary::{NameSet, Vocabulary};

use crate::text::hash::BuildKeyHasher;

/// This many names are strong evidence; a single name may recur by chance.
const STRONG_NAMES: usize = 2;

pub trait Texts {
    fn row_count(&self) -> usize;

    fn read(&self, row: usize, use_field: &mut dyn FnMut(Field<'_>));
}

#[derive(Debug, Default)]
pub struct Index {
    grams: Vec<Gram>,
    /// For each row, the ids of the grams in it, without repetition.
    gram_ids_by_row: Vec<Vec<u32>>,
    /// For each row of an assistant message, the ids of the grams that it may have copied, without repetition.
    gram_ids_by_assistant_row: HashMap<usize, Vec<u32>>,
    pub names: NameSet,
}

impl Index {
    /// Reads each text once, those of `assistant_rows` twice. O(texts) time; memory O(occurrences of the assistant messages' grams).
    pub fn new(texts: &dyn Texts, assistant_rows: impl Iterator<Item = usize>) -> Self {
        let mut index = Self::default();
        let mut ids: HashMap<u64, u32, BuildKeyHasher> = HashMap::default();
        for row in assistant_rows {
            let Entry::Vacant(entry) = index.gram_ids_by_assistant_row.entry(row) else { continue };
            let mut gram_ids = Vec::new();
            Self::visit_assistant_grams(texts, row, &mut |_, gram| {
                let next_id = u32::try_from(index.grams.len()).unwrap_or(u32::MAX);
                let id = *ids.entry(gram.key).or_insert(next_id);
                if id == next_id {
                    index.grams.push(*gram);
                }
                gram_ids.push(id);
            });
            gram_ids.sort_unstable();
            gram_ids.dedup();
            gram_ids.shrink_to_fit();
            entry.insert(gram_ids);
        }
        // By gram id: keeps a row from listing a gram twice.
        let mut last_row_with = vec![usize::MAX; index.grams.len()];
        for row in 0..texts.row_count() {
            let mut gram_ids = Vec::new();
            Self::visit_row_grams(texts, row, &mut |_, gram| {
                if gram.kind == GramKind::Name {
                    index.names.add(gram.key);
                }
                let Some(&id) = ids.get(&gram.key) else { return };
                if let Some(last_row) = last_row_with.get_mut(id as usize).filter(|last| **last != row) {
                    *last_row = row;
                    gram_ids.push(id);
                }
            });
            gram_ids.shrink_to_fit();
            index.gram_ids_by_row.push(gram_ids);
        }
        index
    }

    /// Visits the grams that the assistant message in `row` may have copied, each with the text that contains it.
    pub fn visit_assistant_grams(texts: &dyn Texts, row: usize, visit: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| visit_assistant_grams(field, &mut |text, gram| visit(text, &gram)));
    }

    /// Visits all grams of `row`, each with the text that contains it.
    pub fn visit_row_grams(texts: &dyn Texts, row: usize, visit: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| visit_source_grams(field, &mut |text, gram| visit(text, &gram)));
    }
}

/// The rows of one context, and the requests that sent them. A row's *position* is its index in `rows`.
#[derive(Debug, Clone, Copy)]
pub struct SentRows<'a> {
    pub rows: &'a [usize],
    pub is_result: &'a [bool],
    pub requests: &'a [RequestSpan],
}

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

/// A gram of the message, with its fields as in [`Gram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededGram {
    pub kind: GramKind,
    pub key: u64,
    pub is_id: bool,
    /// Positions of all results with the gram, ascending.
    pub sources: Vec<u32>,
}

/// For each gram so far, the positions of the results with it; `None` once a row that is no result has it: then no result is needed for it.
type Occurrences = HashMap<u32, Option<Vec<u32>>, BuildKeyHasher>;

/// The needs of all requests, sorted by request and source. A gram is needed at most once: after that, the message that repeated it has
/// it too. O(grams of the rows).
pub fn find_events(index: &Index, context: &SentRows<'_>) -> Vec<NeedEvent> {
    let mut by_len: Vec<(usize, &RequestSpan)> = context.requests.iter().enumerate().collect();
    by_len.sort_by_key(|(_, span)| span.len);
    let mut occurrences = Occurrences::default();
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
            let first_sent = first_sent.get(source).copied().filter(|&first| first != request);
            events.extend(first_sent.map(|first_sent| NeedEvent { request, source, first_sent, grams }));
        }
    }
    events.sort_by_key(|event| (event.request, event.source));
    events
}

/// For each source, the grams of the request's assistant message that only results had before.
fn needed_grams(index: &Index, span: &RequestSpan, occurrences: &Occurrences) -> BTreeMap<u32, Vec<NeededGram>> {
    let mut by_source: BTreeMap<u32, Vec<NeededGram>> = BTreeMap::new();
    let gram_ids = span.assistant_rows.clone().filter_map(|row| index.gram_ids_by_assistant_row.get(&row));
    for &id in gram_ids.flatten() {
        let Some(Some(results)) = occurrences.get(&id) else { continue };
        let (Some(&newest), Some(gram)) = (results.last(), index.grams.get(id as usize)) else { continue };
        let &Gram { kind, key, is_id, .. } = gram;
        by_source.entry(newest).or_default().push(NeededGram { kind, key, is_id, sources: results.clone() });
    }
    by_source
}

fn add_row(index: &Index, context: &SentRows<'_>, position: usize, occurrences: &mut Occurrences) {
    let Some(&row) = context.rows.get(position) else { return };
    let is_result = context.is_result.get(position).copied().unwrap_or_default();
    for &id in index.gram_ids_by_row.get(row).into_iter().flatten() {
        let results = occurrences.entry(id).or_insert_with(|| Some(Vec::new()));
        if !is_result {
            *results = None;
        } else if let Some(results) = results {
            results.extend(u32::try_from(position));
        }
    }
}

/// The evidence of an event, without the names that several projects use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedNeed {
    pub kind: GramKind,
    /// False for a single name, which may recur by chance.
    pub is_strong: bool,
    /// Indices of the event's grams of the strongest kind.
    pub grams: Vec<usize>,
}

/// How strong the evidence of `event` is; `None` without evidence. `is_common`: whether several projects use the name with this key.
pub fn confirm(event: &NeedEvent, is_common: &dyn Fn(u64) -> bool) -> Option<ConfirmedNeed> {
    let grams = &event.grams;
    let is_evidence = |gram: &&NeededGram| gram.kind != GramKind::Name || !is_common(gram.key);
    let kind = grams.iter().filter(is_evidence).map(|gram| gram.kind).min()?;
    let strongest = grams.iter().enumerate().filter(|(_, gram)| gram.kind == kind && is_evidence(gram));
    let has_id = strongest.clone().any(|(_, gram)| gram.is_id);
    let grams: Vec<usize> = strongest.map(|(index, _)| index).collect();
    let is_strong = kind != GramKind::Name || grams.len() >= STRONG_NAMES || has_id;
    Some(ConfirmedNeed { kind, is_strong, grams })
}

impl ConfirmedNeed {
    /// True if at least half of the grams are no longer sent. `is_sent`: whether a result with the event's gram of this index is still sent.
    pub fn is_missed(&self, is_sent: impl Fn(usize) -> bool) -> bool {
        let missing = self.grams.iter().filter(|&&gram| !is_sent(gram)).count();
        missing * 2 >= self.grams.len()
    }
}

#[cfg(test)]
mod tests;
