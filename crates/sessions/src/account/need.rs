//! Needs: an assistant message *needs* an earlier tool result if it took a line, a quote or a name from it (a *gram*).
//! Here are a session's needs, and which of them each policy misses, because it had removed the result.

mod columns;
mod evidence;
mod misses;
mod place;

pub use columns::ContextColumns;
pub use evidence::NeedDetail;
pub(super) use evidence::{NeedEvidence, gram_index};
pub use misses::{MissedNeed, NeedFigures};
