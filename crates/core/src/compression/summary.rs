//! Requests a summary, validates the reply, and composes the message that replaces the range.

pub mod acceptance;
pub mod chunks;
pub mod dialogue;
pub mod exchange;
pub mod prompt;
pub mod quote;
