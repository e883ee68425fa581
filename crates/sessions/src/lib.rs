//! Reads the sessions that coding agents record on disk and rebuilds the requests that were sent; [`account`] computes
//! what filled their context windows, and what that cost. Reads only given files: no environment, network or clock.

#![forbid(unsafe_code)]
// What fails, and why, is in the type of the error.
#![allow(clippy::missing_errors_doc)]

pub mod account;

mod agent;
mod error;
mod model;
mod notes;

mod assembly;
mod chat_messages;
mod database;
mod detect;
mod dialects;
mod folders;
mod formats;
mod json;
mod lines;
mod opencode_storage;
mod read;
mod repair;
mod source;
mod times;

pub use agent::{Agent, DefaultFolder, default_folders};
pub use error::ReadError;
pub use folders::{Found, find_files};
pub use model::{
    Context, ContextStart, Media, MediaKind, MediaSource, Message, ModelTotal, Part, Request, RequestKind, Role,
    Session, Thread, ThreadKind,
};
pub use notes::{Note, NoteCount, NoteKind, Notes};
pub use palimpsest_core::provider::usage::Usage;
pub use read::{read_file, read_sessions};
pub use source::{Source, for_each_source, read_each, read_source};

use assembly::Assembly;
use chat_messages::chat_messages;
use database::{Database, unreadable};
use detect::{Detector, FIRST_SAMPLE_BYTES, Layout, layout};
use formats::{Evidence, Format, Reader, StoredSessions, sessions_of};
use json::Json;
use lines::{LONGEST_LINE_BYTES, Line, Lines, expect_regular, open_regular};
use model::ModelName;
use read::{LONGEST_DOCUMENT_BYTES, is_lines, read_whole_file, read_with_companions};
use repair::{parse_or_repair, text_of};
use source::{DATABASE_EXTENSION, has_extension, is_database, read_one};
use times::{iso_ms, number_ms};
