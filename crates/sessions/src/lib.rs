//! Reads the sessions that coding agents record on disk and rebuilds the requests that were sent.
//!
//! Reads only the files that it is given: no environment, no network, no clock. Steps, in the order of the data:
//! find files ([`find_files`], [`default_folders`]), read one file's records ([`read_file`]) or a source's sessions one
//! by one ([`read_each`]), or many sources in parallel ([`for_each_source`]). The result is a [`Session`];
//! [`account`] computes what filled its context windows, and what that cost.

#![forbid(unsafe_code)]

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
    Context, ContextStart, Media, MediaKind, MediaSource, Message, ModelTotal, Part, Request, RequestKind,
    Role, Session, Thread, ThreadKind,
};
pub use notes::{Note, NoteCount, NoteKind, Notes};
pub use palimpsest_core::provider::usage::Usage;
pub use read::{read_file, read_sessions};
pub use source::{Source, for_each_source, read_each, read_source};
