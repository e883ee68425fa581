//! Measures whether a result that was removed is missed: whether a later answer repeats something that only results of tools had said.
//!
//! An answer's *grams* are looked for in everything ahead of it: a line that an edit must find, eight words in a row, a distinctive
//! name. Where only results of tools hold a gram, the answer needs one of them. Grams are hashes, and only those that answers hold are
//! looked for: time is linear in the texts, and memory goes with what the answers say.
//!
//! Every figure is a lower bound, since an answer can use a result without repeating anything of it.

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
