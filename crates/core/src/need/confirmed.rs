//! Decides how strong the evidence of an event is, and whether the event is missed.

use super::events::{NeedEvent, NeededGram};
use super::grams::GramKind;

/// This many names are strong evidence; a single name may recur by chance.
const STRONG_NAMES: usize = 2;

/// An event without the names that several projects use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedNeed {
    pub kind: GramKind,
    pub is_strong: bool,
    /// Indices of the event's grams of the strongest kind.
    pub grams: Vec<usize>,
}

/// `None` if no gram is left. `is_common` is called with a name's key.
pub fn confirm(event: &NeedEvent, is_common: &dyn Fn(u64) -> bool) -> Option<ConfirmedNeed> {
    let grams = &event.grams;
    let counts = |gram: &&NeededGram| gram.kind != GramKind::Name || !is_common(gram.key);
    let kind = grams.iter().filter(counts).map(|gram| gram.kind).min()?;
    let of_kind = grams.iter().enumerate().filter(|(_, gram)| gram.kind == kind && counts(gram));
    let chosen: Vec<usize> = of_kind.clone().map(|(at, _)| at).collect();
    let is_strong = kind != GramKind::Name
        || chosen.len() >= STRONG_NAMES
        || of_kind.clone().any(|(_, gram)| gram.is_hash);
    Some(ConfirmedNeed { kind, is_strong, grams: chosen })
}

impl ConfirmedNeed {
    /// True if at least half of the grams are removed. `is_left`: whether a source of the gram is still sent.
    pub fn is_missed(&self, is_left: impl Fn(usize) -> bool) -> bool {
        let missing = self.grams.iter().filter(|&&gram| !is_left(gram)).count();
        missing * 2 >= self.grams.len()
    }
}
