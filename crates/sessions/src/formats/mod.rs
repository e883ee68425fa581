//! One module per agent or file format. If two formats have equal evidence for a file, the first in order wins.

mod ai_sdk_ui;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod gemini_cli;
mod gemini_stream;
mod harbor;
mod kimi_cli;
mod langchain;
mod langgraph;
mod mastra;
mod message_array;
mod mini_swe_agent;
mod openai_agents;
mod opencode;
mod openhands;
mod pi;
mod qwen_code;
mod request_log;
mod swe_agent;

use crate::format::Format;

pub(crate) use opencode::StoredSessions;

/// What readers of formats work with: records, the dialects of messages, and the session that is built of them.
mod prelude {
    pub(super) use palimpsest_core::provider::usage::Usage;

    pub(super) use crate::Agent;
    pub(super) use crate::assembly::Assembly;
    pub(super) use crate::dialects::{blocks, body, gemini, items, langchain, message, ui_parts, usage};
    pub(super) use crate::format::{Evidence, Format, Reader};
    pub(super) use crate::json::Json;
    pub(super) use crate::model::{
        ContextStart, Media, MediaKind, MediaSource, Message, ModelName, ModelTotal, Part, Request,
        RequestKind, Role, Session, ThreadKind,
    };
    pub(super) use crate::notes::{NoteKind, Notes};
}

pub(crate) static ALL: [Format; 23] = [
    claude_code::FORMAT,
    codex::FORMAT,
    pi::FORMAT,
    gemini_cli::FORMAT,
    gemini_stream::FORMAT,
    opencode::FORMAT,
    cline::FORMAT,
    kimi_cli::FORMAT,
    qwen_code::FORMAT,
    copilot::FORMAT,
    openhands::FORMAT,
    cursor::FORMAT,
    droid::FORMAT,
    swe_agent::FORMAT,
    mini_swe_agent::FORMAT,
    harbor::FORMAT,
    langgraph::FORMAT,
    langchain::FORMAT,
    ai_sdk_ui::FORMAT,
    mastra::FORMAT,
    openai_agents::FORMAT,
    request_log::FORMAT,
    message_array::FORMAT,
];
