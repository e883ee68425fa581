//! What readers of formats work with: records, the dialects of messages, and the session that is built of them.

pub(super) use palimpsest_core::provider::usage::Usage;

pub(super) use crate::assembly::MAIN_THREAD;
pub(super) use crate::dialects::{blocks, gemini, items, langchain, message, ui_parts, usage};
pub(super) use crate::{
    Agent, Assembly, ContextStart, Evidence, Format, Json, MediaKind, Message, ModelName, ModelTotal, NoteKind, Notes,
    Part, Reader, Request, RequestKind, Role, Session, Thread, ThreadKind,
};
