//! Indexes which grams of a session's assistant messages occur in which rows; [`need`](crate::need) defines both words.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::fields::{Field, visit_assistant_grams, visit_source_grams};
use super::grams::{Gram, GramKind};
use super::vocabulary::NameSet;
use crate::text::hash::BuildKeyHasher;

pub trait Texts {
    fn row_count(&self) -> usize;

    fn read(&self, row: usize, use_field: &mut dyn FnMut(Field<'_>));
}

/// Grams of a session's assistant messages.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) grams: Vec<Gram>,
    /// For each row, the ids of the grams in it, without repetition.
    pub(super) gram_ids_by_row: Vec<Vec<u32>>,
    /// For each row of an assistant message, the ids of the grams that it may have copied, without repetition.
    pub(super) gram_ids_by_assistant_row: HashMap<usize, Vec<u32>>,
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
