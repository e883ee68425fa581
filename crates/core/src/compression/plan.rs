//! Decides which messages a summary replaces, and which must stay together.

pub mod pairs;
pub mod range;
pub mod turns;
pub mod user_requests;

pub use range::{NoPlan, Plan, head_len, is_quotable_text, pinned_flags, plan, system_len};
