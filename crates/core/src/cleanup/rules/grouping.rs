//! Decides which results compete for the newest places: those that read the same path, or whose calls have the same value of an argument.

use std::collections::HashMap;

use crate::text::json_probe::{Value, ValueKind, array_elements, key_is, object_members};
use crate::text::paths::ProjectRoot;
use crate::text::utf16::units;

#[derive(Debug, Clone)]
pub enum Grouping {
    /// All candidates compete: all tool results, or only those that the rule covers.
    None {
        /// The newest results of *any* tool stay, not only of the covered ones (R1.2).
        among_all_tools: bool,
    },
    /// Per path named in the call's arguments (R2.2).
    Path {
        keys: Vec<Vec<u16>>,
        root: ProjectRoot,
    },
    Argument(Vec<u16>),
}

/// The groups of each call, numbered in order of first appearance.
#[derive(Debug, Default)]
pub struct Groups {
    /// For each call, its groups once they are noted.
    by_call: Vec<Option<Box<[u32]>>>,
    number_by_key: HashMap<Vec<u16>, u32>,
    keys: Vec<Vec<u16>>,
}

impl Groups {
    pub fn of_call(&self, index: usize) -> Option<&[u32]> {
        self.by_call.get(index)?.as_deref()
    }

    pub fn key(&self, group: u32) -> &[u16] {
        self.keys.get(group as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// Stores the groups of call `index` by their keys. A key that occurs twice in one call counts once (R2.5).
    pub fn note(&mut self, index: usize, keys: Vec<Vec<u16>>) {
        let mut groups: Vec<u32> = keys.into_iter().map(|key| self.number_of(key)).collect();
        groups.sort_unstable();
        groups.dedup();
        if self.by_call.len() <= index {
            self.by_call.resize_with(index + 1, || None);
        }
        if let Some(noted) = self.by_call.get_mut(index) {
            *noted = Some(groups.into_boxed_slice());
        }
    }

    pub fn truncate(&mut self, call_count: usize) {
        self.by_call.truncate(call_count);
    }

    fn number_of(&mut self, key: Vec<u16>) -> u32 {
        *self.number_by_key.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            u32::try_from(self.keys.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

/// The keys of the groups to which a call with these arguments belongs. O(arguments).
pub fn keys_of(arguments: &[u16], grouping: &Grouping) -> Vec<Vec<u16>> {
    match grouping {
        Grouping::None { .. } => Vec::new(),
        Grouping::Path { keys, root } => {
            members_named(arguments, keys).iter().flat_map(paths_in).filter_map(|path| root.normalize(&path)).collect()
        }
        Grouping::Argument(key) => members_named(arguments, std::slice::from_ref(key))
            .iter()
            .map(|value| value.decode_string().unwrap_or_else(|| value.text.to_vec()))
            .collect(),
    }
}

/// The values of the top-level members in `names`, in that order; the last duplicate wins.
fn members_named<'t>(arguments: &'t [u16], names: &[Vec<u16>]) -> Vec<Value<'t>> {
    let mut found: Vec<Option<Value<'t>>> = vec![None; names.len()];
    let is_object = object_members(arguments, |key, value| {
        for (name, found_value) in names.iter().zip(&mut found) {
            if key_is(key, name) {
                *found_value = Some(value);
            }
        }
    });
    if is_object { found.into_iter().flatten().collect() } else { Vec::new() }
}

/// The paths in a value (R2.2): a string, an array of strings, an array of `{path}`, or a mix; other values are ignored.
fn paths_in(value: &Value<'_>) -> Vec<Vec<u16>> {
    let mut paths = Vec::from_iter(value.decode_string());
    if value.kind == ValueKind::Array {
        array_elements(value.text, |element| {
            paths.extend(element.decode_string());
            if element.kind == ValueKind::Object {
                let path = members_named(element.text, &[units("path")]);
                paths.extend(path.iter().filter_map(Value::decode_string));
            }
        });
    }
    paths
}

#[cfg(test)]
mod tests;
