//! Keeps the original messages of compressed conversations, to be restored and searched; knows no Node (seed §9.3).
//!
//! In the order in which a call passes through: [`open`] decides which files are archives, [`schema`] what stands
//! in them, [`batches`] writes and gives back what one compression took out, [`query`] says what a search asks for
//! and [`search`] finds it, [`text`] says what of a message can be found. [`failure`] names what can go wrong.

#![forbid(unsafe_code)]

mod batches;
mod deletion;
mod failure;
mod figures;
mod open;
mod query;
mod schema;
mod search;
mod snippet;
mod text;

#[cfg(test)]
mod testing;

pub use batches::{Appended, Batch, Kind, Message, NewBatch};
pub use deletion::Deleted;
pub use failure::{Code, Failure};
pub use figures::{SessionFigures, Stats};
pub use open::{Archive, Options};
pub use query::{MOST_QUERY_CHARS, MOST_QUERY_WORDS, is_within_limits};
pub use search::{Hit, Search};
