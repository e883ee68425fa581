//! Needs: what later assistant messages took from tool results, and which of it each policy had removed.

mod columns;
mod counts;
mod evidence;
mod place;
mod texts;

pub use columns::ContextColumns;
pub use counts::{Miss, NeedFigures};
pub use evidence::NeedDetail;
pub(super) use evidence::{NeedContext, NeedEvidence};
