//! An assistant message *needs* an earlier tool result if it took a *gram* from it: a line, a quote or a name. A policy
//! misses a need if it had removed the result.

mod columns;
mod evidence;
mod figures;
mod place;

pub use columns::ContextColumns;
pub use evidence::NeedDetail;
pub(super) use evidence::{NeedEvidence, gram_index};
pub use figures::{MissedNeed, NeedFigures};
