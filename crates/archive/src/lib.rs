//! Stores the original messages of compressed conversations, to be restored and searched; independent of Node (seed §9.3).
//!
//! In the order of a call: [`trust`] decides which files may be opened and [`open`] which of them are archives.
//! [`schema`] defines the tables, and [`renewal`] upgrades older files. [`batches`] writes and returns each [`batch`]
//! that a compression removed; [`rows`] and [`checksum`] verify it. [`query`] parses a search, [`search`] finds
//! messages, [`ranking`] orders them, [`deadline`] limits the time, and [`text`] defines the searchable text.
//! [`elsewhere`] and [`grams`] are for databases without such an index. [`facts`] stores what processes share about a
//! conversation. [`soundness`] checks a whole file. [`failure`] defines the errors.

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
