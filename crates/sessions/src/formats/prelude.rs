//! What readers of formats work with: records, the dialects of messages, and the session that is built of them.

pub(super) use palimpsest_core::provider::usage::Usage;

pub(super) use crate::Agent;
pub(super) use crate::assembly::Assembly;
pub(super) use crate::dialects::{blocks, gemini, items, langchain, message, ui_parts, usage};
pub(super) use crate::formats::{Evidence, Format, Reader};
pub(super) use crate::json::Json;
pub(super) use crate::model::{
    ContextStart, Media, MediaKind, MediaSource, Message, ModelName, ModelTotal, Part, Request, RequestKind,
    Role, Session, ThreadKind,
};
pub(super) use crate::notes::{NoteKind, Notes};
