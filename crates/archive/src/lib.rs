//! Keeps the original messages of compressed conversations, to be restored and searched; knows no Node (seed §9.3).
//!
//! In the order in which a call passes through: [`trust`] decides which files may be opened, [`open`] which are archives,
//! [`schema`] what stands in them and [`renewal`] what older ones are given, [`batches`] writes and gives back each
//! [`batch`] that a compression took out, [`rows`] and [`checksum`] tell whether it is as it was stored, [`query`] says what a
//! search asks for, [`search`] finds it and [`ranking`] puts it in order until [`deadline`] ends it, [`text`] says what of a
//! message can be found. [`elsewhere`] and [`grams`] are for databases that have no such index. [`facts`] keeps what processes tell each other of a conversation.
//! [`soundness`] checks all of a file. [`failure`] names what can go wrong.

#![forbid(unsafe_code)]

mod batch;
mod batches;
mod checksum;
mod deadline;
mod deletion;
mod elsewhere;
mod facts;
mod failure;
mod figures;
mod grams;
mod open;
mod query;
mod ranking;
mod renewal;
mod rows;
mod schema;
mod search;
mod snippet;
mod soundness;
mod text;
mod trust;
mod uri;

#[cfg(test)]
mod testing;

pub use batch::{Batch, BatchKind, NewBatch, StoredMessage};
pub use batches::Appended;
pub use deletion::Deleted;
pub use elsewhere::{Asked, Indexed, asked, indexed, snippet};
pub use facts::StoredFact;
pub use failure::{Code, Failure};
pub use figures::{SessionFigures, Stats};
pub use open::{Archive, ArchiveSettings, harden};
pub use query::{MOST_QUERY_CHARS, MOST_QUERY_WORDS, is_within_limits};
pub use ranking::{MOST_RANKED, RankedRow, found_best_first};
pub use search::{CONTEXT_CHARS, DEFAULT_HITS, Hit, MOST_HITS, Search};
pub use soundness::Checkup;
pub use text::without_base64;
pub use trust::{beside, located};
pub use uri::uri_of;
