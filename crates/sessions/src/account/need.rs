//! Needs: what later assistant messages took from tool results, and which of it each policy had removed.

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
