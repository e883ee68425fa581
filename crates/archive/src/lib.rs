//! Stores the original messages of compressed conversations, to be restored and searched; independent of Node.

#![forbid(unsafe_code)]
// Every method can fail with the system's or SQLite's errors; a comment names the codes that say more.
#![allow(clippy::missing_errors_doc)]

mod batches;
mod external_index;
mod facts;
mod failure;
mod file_access;
mod integrity;
mod open;
mod query;
mod ranking;
mod rows;
mod schema;
mod search;
mod text;

#[cfg(test)]
#[path = "tests/support.rs"]
mod testing;

pub use batches::{Appended, Deleted, SessionFigures, Stats};
pub use external_index::{IndexedText, ParsedQuery, index_text, parse_query, snippet};
pub use facts::StoredFact;
pub use failure::{Code, Failure};
pub use file_access::{resolved_path, sibling_path, uri_of};
pub use integrity::IntegrityCheck;
pub use open::{Archive, ArchiveSettings, harden};
pub use query::{MAX_QUERY_CHARS, MAX_QUERY_WORDS, is_within_limits};
pub use ranking::{MAX_RANKED, RankedRow, ranked_hits};
pub use rows::{Batch, BatchKind, NewBatch, StoredMessage};
pub use search::{CONTEXT_CHARS, DEFAULT_HITS, Hit, MAX_HITS, Search};
pub use text::without_base64;
