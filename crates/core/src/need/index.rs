//! Which rows of a conversation hold which of the grams that its answers hold.

use std::collections::HashMap;

use super::fields::{Field, said, shown};
use super::grams::{Gram, GramKind};
use super::hash::Spread;
use super::vocabulary::NameSet;

/// The texts of a session: a row is a tool's result, or what else a message holds.
pub trait Texts {
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `read` with each text of one row.
    fn read(&self, row: usize, read: &mut dyn FnMut(Field<'_>));
}

/// Those of a session's grams that its answers contain.
#[derive(Debug, Default)]
pub struct Index {
    grams: Vec<Gram>,
    /// By row, the grams that stand in it; each once.
    shown: Vec<Vec<u32>>,
    /// By answer, the grams that it takes from what it has seen; each once.
    said: HashMap<usize, Vec<u32>>,
    names: NameSet,
}

impl Index {
    /// Reads each text once, and those of `answers`, rows that answer a request, twice. O(texts); memory goes with the answers' grams
    /// and the places where these stand.
    #[must_use]
    pub fn new(texts: &dyn Texts, answers: impl Iterator<Item = usize>) -> Self {
        let mut index = Self::default();
        let mut ids: HashMap<u64, u32, Spread> = HashMap::default();
        for row in answers {
            index.said.entry(row).or_insert_with(|| said_by(texts, row, &mut ids, &mut index.grams));
        }
        // The row in which a gram was last seen is noted, so a gram that a row has twice is listed once.
        let mut last_row = vec![usize::MAX; index.grams.len()];
        for row in 0..texts.len() {
            let mut held = Vec::new();
            texts.read(row, &mut |field| {
                shown(field, &mut |_, gram| {
                    if gram.kind == GramKind::Name {
                        index.names.add(gram.key);
                    }
                    let Some(&id) = ids.get(&gram.key) else { return };
                    if let Some(last) = last_row.get_mut(id as usize).filter(|last| **last != row) {
                        *last = row;
                        held.push(id);
                    }
                });
            });
            held.shrink_to_fit();
            index.shown.push(held);
        }
        index
    }

    /// The distinctive names of the whole session.
    #[must_use]
    pub fn names(&self) -> &NameSet {
        &self.names
    }

    pub(super) fn gram(&self, id: u32) -> Option<&Gram> {
        self.grams.get(id as usize)
    }

    pub(super) fn shown(&self, row: usize) -> &[u32] {
        self.shown.get(row).map_or(&[], Vec::as_slice)
    }

    pub(super) fn said(&self, row: usize) -> &[u32] {
        self.said.get(&row).map_or(&[], Vec::as_slice)
    }

    /// Calls `each` with every gram of the answer in `row` and the text around it, for whoever wants to show it.
    pub fn said_texts(texts: &dyn Texts, row: usize, each: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| said(field, &mut |text, gram| each(text, &gram)));
    }

    /// The same for all that stands in `row`.
    pub fn shown_texts(texts: &dyn Texts, row: usize, each: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| shown(field, &mut |text, gram| each(text, &gram)));
    }
}

fn said_by(
    texts: &dyn Texts,
    row: usize,
    ids: &mut HashMap<u64, u32, Spread>,
    grams: &mut Vec<Gram>,
) -> Vec<u32> {
    let mut held = Vec::new();
    texts.read(row, &mut |field| {
        said(field, &mut |_, gram| {
            let next = u32::try_from(grams.len()).unwrap_or(u32::MAX);
            let id = *ids.entry(gram.key).or_insert(next);
            if id == next {
                grams.push(gram);
            }
            held.push(id);
        });
    });
    held.sort_unstable();
    held.dedup();
    held.shrink_to_fit();
    held
}
