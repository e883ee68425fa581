//! Decides how a summary is asked for, what of an answer is one, and what stands in the history then.

pub mod acceptance;
pub mod chunks;
pub mod compaction;
pub mod exchange;
pub mod prompt;
pub mod quote;
