//! Decides how strong the evidence of a need is, and whether the removed results are missed.

use super::events::{NeedEvent, NeededGram};
use super::grams::GramKind;

/// This many names are strong evidence; a single name may recur by chance.
const STRONG_NAMES: usize = 2;

/// The evidence of an event, without the names that several projects use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedNeed {
    /// The strongest kind among the event's grams.
    pub kind: GramKind,
    /// False for a single name, which may recur by chance.
    pub is_strong: bool,
    /// Indices of the event's grams of the strongest kind.
    pub grams: Vec<usize>,
}

/// `None` if no gram is left. `is_common` is called with a name's key.
pub fn confirm(event: &NeedEvent, is_common: &dyn Fn(u64) -> bool) -> Option<ConfirmedNeed> {
    let grams = &event.grams;
    let is_evidence = |gram: &&NeededGram| gram.kind != GramKind::Name || !is_common(gram.key);
    let kind = grams.iter().filter(is_evidence).map(|gram| gram.kind).min()?;
    let strongest = grams.iter().enumerate().filter(|(_, gram)| gram.kind == kind && is_evidence(gram));
    let has_hash = strongest.clone().any(|(_, gram)| gram.is_hash);
    let grams: Vec<usize> = strongest.map(|(index, _)| index).collect();
    let is_strong = kind != GramKind::Name || grams.len() >= STRONG_NAMES || has_hash;
    Some(ConfirmedNeed { kind, is_strong, grams })
}

impl ConfirmedNeed {
    /// True if at least half of the grams are removed. `is_sent`: whether a source of the gram is still sent.
    pub fn is_missed(&self, is_sent: impl Fn(usize) -> bool) -> bool {
        let missing = self.grams.iter().filter(|&&gram| !is_sent(gram)).count();
        missing * 2 >= self.grams.len()
    }
}
