//! What an event counts as, and whether it is missed.

use super::events::{NeedEvent, NeededGram};
use super::grams::GramKind;

/// This many names together are strong evidence; a single one may be invented again by chance.
const STRONG_NAMES: usize = 2;

/// What is left of an event without names that several projects use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub kind: GramKind,
    pub is_strong: bool,
    /// Which of the event's grams count: those of its strongest kind.
    pub grams: Vec<usize>,
}

/// None where nothing is left. `is_common` says of a name's key whether several projects use it.
#[must_use]
pub fn judge(event: &NeedEvent, is_common: &dyn Fn(u64) -> bool) -> Option<Judged> {
    judge_grams(&event.grams, is_common)
}

fn judge_grams(grams: &[NeededGram], is_common: &dyn Fn(u64) -> bool) -> Option<Judged> {
    let counts = |gram: &&NeededGram| gram.kind != GramKind::Name || !is_common(gram.key);
    let kind = grams.iter().filter(counts).map(|gram| gram.kind).min()?;
    let of_kind = grams.iter().enumerate().filter(|(_, gram)| gram.kind == kind && counts(gram));
    let chosen: Vec<usize> = of_kind.clone().map(|(at, _)| at).collect();
    let is_strong = kind != GramKind::Name
        || chosen.len() >= STRONG_NAMES
        || of_kind.clone().any(|(_, gram)| gram.is_hash);
    Some(Judged { kind, is_strong, grams: chosen })
}

impl Judged {
    /// An event is missed when at least half of its grams have gone. `is_left` says of one of the event's grams whether a source of it is sent.
    #[must_use]
    pub fn is_missed(&self, is_left: impl Fn(usize) -> bool) -> bool {
        let gone = self.grams.iter().filter(|&&gram| !is_left(gram)).count();
        gone * 2 >= self.grams.len()
    }
}
