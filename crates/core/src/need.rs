//! Measures whether a removed result is missed: whether a later answer repeats what only results of tools had said.
//!
//! An answer's *grams* are looked for ahead of it: a line that an edit must find, eight words in a row, a distinctive name. Where only
//! results hold a gram, the answer needs one of them. Grams are hashes, and only those of answers are kept: time is linear in the
//! texts, and memory in the answers.
//!
//! Figures are lower bounds: an answer can use a result without repeating it.

mod events;
mod fields;
mod grams;
mod index;
mod judgement;
mod lines;
mod names;
mod quotes;
mod vocabulary;

pub use events::{NeedEvent, NeededGram, RequestSpan, SentRows, events};
pub use fields::Field;
pub use grams::{Gram, GramKind};
pub use index::{Index, Texts};
pub use judgement::{Judged, judge};
pub use vocabulary::{NameSet, Vocabulary};

#[cfg(test)]
mod tests;
