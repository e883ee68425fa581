//! What later answers took from a tool's result, and from nowhere else that was sent before: whether what goes is missed.
//!
//! An answer's *grams* are looked for in everything ahead of it: a line that an edit must find, eight words in a row, a distinctive
//! name. Where only results of tools hold a gram, the answer needs one of them. Grams are hashes, and only those that answers hold are
//! looked for: time is linear in the texts, and memory goes with what the answers say.
//!
//! What an answer uses without repeating it isn't seen: every figure is a lower bound.

mod events;
mod fields;
mod grams;
mod hash;
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
