//! Counts results that an agent fetched again after their removal: a sign that their kind of result is removed too early.

use std::collections::HashMap;

use super::Cleanup;
use crate::conversation::RowTexts;
use crate::text::utf16::to_utf8;
use crate::tools::arguments::Fetch;
use crate::tools::result_kind::ResultKind;

/// A result, by what its call fetched. Callers pass results in the order of the conversation.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub fetch: Fetch,
    pub called_at: usize,
    /// The row from which the result was no longer sent; `None` if it is sent.
    pub removed_at: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub replaced: u32,
    pub reacquired: u32,
}

/// For each kind of result, in the order of [`ResultKind::ALL`].
pub type Tallies = [Tally; ResultKind::ALL.len()];

/// Counts per kind. A result counts as fetched again when its call is repeated while no newer result of the same call is sent. O(results).
pub fn tallies(results: impl IntoIterator<Item = Fetched>) -> Tallies {
    let mut tallies = Tallies::default();
    let mut newest: HashMap<Fetch, Option<usize>> = HashMap::new();
    for Fetched { fetch, called_at, removed_at } in results {
        let Some(tally) = tallies.get_mut(fetch.kind as usize) else { continue };
        tally.replaced += u32::from(removed_at.is_some());
        let previous_removed_at = newest.insert(fetch, removed_at).flatten();
        tally.reacquired += u32::from(previous_removed_at.is_some_and(|removed_at| removed_at <= called_at));
    }
    tallies
}

impl Cleanup {
    /// The results whose calls are declared and name what they fetch. `removed_at` gives, for a result's row, the row from which the result was
    /// no longer sent. O(calls and their arguments).
    pub fn fetched(&self, texts: &mut dyn RowTexts, removed_at: impl Fn(usize) -> Option<usize>) -> Vec<Fetched> {
        let row_of_call: Vec<usize> =
            (0..self.conversation.len()).flat_map(|row| self.conversation.calls_of(row).map(move |_| row)).collect();
        let mut fetched = Vec::new();
        for (row, &call) in self.pairing.call_by_row().iter().enumerate() {
            let Some(&called_at) = row_of_call.get(call as usize) else { continue };
            let Some(name) = self.conversation.call(call as usize).map(|call| call.name) else { continue };
            let Some(tool) = self.tools.get(name as usize) else { continue };
            if !self.conversation.is_result(row) {
                continue;
            }
            texts.arguments(call as usize, &mut |arguments_text| {
                let fetch = Fetch::of_call(&to_utf8(&tool.name), &String::from_utf16_lossy(arguments_text));
                fetched.push(Fetched { fetch, called_at, removed_at: removed_at(row) });
            });
        }
        fetched
    }
}

#[cfg(test)]
mod tests;
