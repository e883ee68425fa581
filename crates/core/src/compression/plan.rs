//! Decides which messages a summary replaces, and which must stay together.

pub mod pairs;
pub mod range;
pub mod requests;
pub mod turns;

pub use range::{NoPlan, Plan, head_len, is_quotable_text, pinned, plan, system_len};
