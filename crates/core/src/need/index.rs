//! Maps rows to the grams of the conversation's assistant messages that they contain.

use std::collections::HashMap;

use super::fields::{Field, answer_grams, prompt_grams};
use super::grams::{Gram, GramKind};
use super::vocabulary::NameSet;
use crate::text::hash::BuildKeyHasher;

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
    prompt_grams: Vec<Vec<u32>>,
    /// For each assistant message, the grams that it may have copied, without repetition.
    answer_grams: HashMap<usize, Vec<u32>>,
    names: NameSet,
}

impl Index {
    /// Reads each text once, those of `answers` twice. O(texts) time; memory O(grams of the assistant messages and their places).
    pub fn new(texts: &dyn Texts, answers: impl Iterator<Item = usize>) -> Self {
        let mut index = Self::default();
        let mut ids: HashMap<u64, u32, BuildKeyHasher> = HashMap::default();
        for row in answers {
            index.answer_grams.entry(row).or_insert_with(|| said_by(texts, row, &mut ids, &mut index.grams));
        }
        // Keeps a row from listing a gram twice.
        let mut last_row = vec![usize::MAX; index.grams.len()];
        for row in 0..texts.len() {
            let mut places_of_gram = Vec::new();
            texts.read(row, &mut |field| {
                prompt_grams(field, &mut |_, gram| {
                    if gram.kind == GramKind::Name {
                        index.names.add(gram.key);
                    }
                    let Some(&id) = ids.get(&gram.key) else { return };
                    if let Some(last) = last_row.get_mut(id as usize).filter(|last| **last != row) {
                        *last = row;
                        places_of_gram.push(id);
                    }
                });
            });
            places_of_gram.shrink_to_fit();
            index.prompt_grams.push(places_of_gram);
        }
        index
    }

    /// Distinctive names of the session.
    pub fn names(&self) -> &NameSet {
        &self.names
    }

    pub(super) fn gram(&self, id: u32) -> Option<&Gram> {
        self.grams.get(id as usize)
    }

    pub(super) fn prompt_grams(&self, row: usize) -> &[u32] {
        self.prompt_grams.get(row).map_or(&[], Vec::as_slice)
    }

    pub(super) fn answer_grams(&self, row: usize) -> &[u32] {
        self.answer_grams.get(&row).map_or(&[], Vec::as_slice)
    }

    /// Visits the grams of an assistant message, each with the text around it.
    pub fn answer_texts(texts: &dyn Texts, row: usize, each: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| answer_grams(field, &mut |text, gram| each(text, &gram)));
    }

    /// Visits all grams of `row` in the same way.
    pub fn prompt_texts(texts: &dyn Texts, row: usize, each: &mut dyn FnMut(&str, &Gram)) {
        texts.read(row, &mut |field| prompt_grams(field, &mut |text, gram| each(text, &gram)));
    }
}

fn said_by(
    texts: &dyn Texts,
    row: usize,
    ids: &mut HashMap<u64, u32, BuildKeyHasher>,
    grams: &mut Vec<Gram>,
) -> Vec<u32> {
    let mut places_of_gram = Vec::new();
    texts.read(row, &mut |field| {
        answer_grams(field, &mut |_, gram| {
            let next = u32::try_from(grams.len()).unwrap_or(u32::MAX);
            let id = *ids.entry(gram.key).or_insert(next);
            if id == next {
                grams.push(gram);
            }
            places_of_gram.push(id);
        });
    });
    places_of_gram.sort_unstable();
    places_of_gram.dedup();
    places_of_gram.shrink_to_fit();
    places_of_gram
}
