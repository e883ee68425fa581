//! Maps rows to the grams of the conversation's assistant messages that they contain.

use std::collections::HashMap;

use super::fields::{Field, said, shown};
use super::grams::{Gram, GramKind};
use super::vocabulary::NameSet;
use crate::text::hash::Spread;

/// Texts by row; a row is a tool result, or the rest of a message.
pub trait Texts {
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn read(&self, row: usize, read: &mut dyn FnMut(Field<'_>));
}

/// Grams of a session's assistant messages.
#[derive(Debug, Default)]
pub struct Index {
    grams: Vec<Gram>,
    /// For each row, its grams without repetition.
    shown: Vec<Vec<u32>>,
    /// For each assistant message, the grams that it may have copied, without repetition.
    said: HashMap<usize, Vec<u32>>,
    names: NameSet,
}

impl Index {
    /// Reads each text once, those of `answers` twice. O(texts) time; memory O(grams of the assistant messages and their places).
    #[must_use]
    pub fn new(texts: &dyn Texts, answers: impl Iterator<Item = usize>) -> Self {
        let mut index = Self::default();
        let mut ids: HashMap<u64, u32, Spread> = HashMap::default();
        for row in answers {
            index.said.entry(row).or_insert_with(|| said_by(texts, row, &mut ids, &mut index.grams));
        }
        // Keeps a row from listing a gram twice.
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

    /// Distinctive names of the session.
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

    /// Visits the grams of an assistant message, each with the text around it.
    pub fn said_texts(texts: &dyn Texts, row: usize, each: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| said(field, &mut |text, gram| each(text, &gram)));
    }

    /// Visits all grams of `row` in the same way.
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
