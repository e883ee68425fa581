//! Replaces lines of a tool result that an earlier message of the same prompt contains by a one-line reference.
//!
//! A result is shortened when it is first sent, based only on the messages before it: no later request changes it, and the prompt
//! cache keeps its prefix.

mod index;
mod lines;
mod reference;
#[cfg(test)]
mod tests;
mod tracker;
mod wording;

pub use index::MIN_UNITS_SAVED;
pub use reference::{Reference, Shortened, Source};
pub use tracker::ReferenceTracker;
