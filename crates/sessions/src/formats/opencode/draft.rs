//! A message of opencode, as read from its parts.

use std::sync::Arc;

use std::collections::HashMap;

use palimpsest_core::provider::usage::Usage;

use crate::model::Part;

/// opencode's placeholder for a cleared result.
pub(super) const CLEARED: &str = "[Old tool result content cleared]";
/// The user message that opencode sends before a summary.
pub(super) const BEFORE_SUMMARY: &str = "What did we do so far?";

/// Values by id, in the order of first appearance.
pub(super) struct Ordered<T> {
    pub(super) items: Vec<(String, T)>,
    pub(super) by_id: HashMap<String, usize>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { items: Vec::new(), by_id: HashMap::new() }
    }
}

impl<T: Default> Ordered<T> {
    pub(super) fn entry(&mut self, id: &str) -> Option<&mut T> {
        let at = self.by_id.get(id).copied().unwrap_or_else(|| {
            self.by_id.insert(id.to_owned(), self.items.len());
            self.items.push((id.to_owned(), T::default()));
            self.items.len() - 1
        });
        self.items.get_mut(at).map(|(_, item)| item)
    }
}

#[derive(Default)]
pub(super) struct Draft {
    pub(super) user: bool,
    pub(super) at_ms: Option<i64>,
    pub(super) model: Option<Arc<str>>,
    pub(super) tokens: Option<Usage>,
    pub(super) cost_usd: Option<f64>,
    /// Set if it is the summary of a compaction; a failed one replaces nothing.
    pub(super) summary: Option<SummaryState>,
    pub(super) line: u64,
    pub(super) parts: Ordered<StoredPart>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SummaryState {
    Whole,
    Failed,
}

#[derive(Default)]
pub(super) enum StoredPart {
    #[default]
    Nothing,
    StepStart,
    StepFinish(Option<Usage>, Option<f64>),
    Part(Part),
    Call {
        call: Part,
        result: Option<Part>,
        at_ms: Option<i64>,
        /// When opencode cleared the result; earlier requests sent all of it.
        cleared_ms: Option<i64>,
    },
    /// The user message that asks for a summary; messages from `tail` on are kept after it.
    Compaction {
        tail: Option<String>,
    },
}
