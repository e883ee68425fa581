//! Needs: an assistant message *needs* an earlier tool result if it took a line, a quote or a name from it (a *gram*).
//! Here are a session's needs, and which of them each policy misses, because it had removed the result.

mod columns;
mod context;
mod counts;
mod evidence;
mod figures;
mod place;
mod texts;

pub use columns::ContextColumns;
pub(super) use context::NeedContext;
pub use evidence::NeedDetail;
pub(super) use evidence::NeedEvidence;
pub use figures::{Miss, NeedFigures};
