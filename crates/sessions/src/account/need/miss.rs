//! A need whose source had been removed.

use palimpsest_core::need::Judged;
use serde::Serialize;

use super::evidence::{Left, Need};
use super::place::{NeedPlace, kind_name};

/// A need whose source had been removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Miss {
    pub kind: &'static str,
    pub strong: bool,
    /// Number of lines, quotes or names that the assistant message took from results.
    pub grams: usize,
    /// Number of these whose sources were all removed.
    pub gone: usize,
    /// One removed line, quote or name.
    pub example: String,
    /// The request that removed the result, counted like `request`.
    pub replaced_at: Option<usize>,
    #[serde(flatten)]
    pub told: NeedPlace,
}

impl Miss {
    pub(super) fn of(need: &Need, judged: &Judged, left: &Left) -> Option<Self> {
        let told = need.told.clone()?;
        let is_gone = |gram: &&usize| left.grams.get(**gram) == Some(&false);
        let gone: Vec<&usize> = judged.grams.iter().filter(is_gone).collect();
        let example = gone.first().and_then(|&&gram| told.texts.get(gram)).map(|texts| texts.gram.clone());
        Some(Self {
            kind: kind_name(judged.kind),
            strong: judged.is_strong,
            grams: judged.grams.len(),
            gone: gone.len(),
            example: example.unwrap_or_default(),
            replaced_at: left.gone_at.and_then(|at| told.numbers.get(at).copied()),
            told,
        })
    }
}
