//! Measures whether a removed result is missed: whether a later assistant message repeats content that only tool results had.
//!
//! The *grams* of an assistant message are searched in earlier messages: a line that an edit must find, eight consecutive words, a
//! distinctive name. If only results have a gram, the message needs one of them. Grams are hashes, and only those of assistant messages
//! are stored: time is linear in all texts, memory in the assistant messages.
//!
//! The measure is a lower bound: a message can use a result without repeating it.

mod confirmed;
mod events;
mod fields;
mod grams;
mod index;
mod lines;
mod names;
mod quotes;
mod vocabulary;

pub use confirmed::{ConfirmedNeed, confirm};
pub use events::{NeedEvent, NeededGram, RequestSpan, SentRows, events};
pub use fields::Field;
pub use grams::{Gram, GramKind};
pub use index::{Index, Texts};
pub use vocabulary::{NameSet, Vocabulary};

#[cfg(test)]
mod tests;
