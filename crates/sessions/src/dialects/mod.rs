//! The forms in which messages are written, used by every format that writes them so.
//!
//! Blocks of Anthropic, Chat Completions, Responses and the AI SDK have names of their own, so one reader knows
//! them all; what is a dialect's own is how messages are put together.

pub(crate) mod blocks;
pub(crate) mod body;
pub(crate) mod gemini;
pub(crate) mod items;
pub(crate) mod langchain;
pub(crate) mod message;
pub(crate) mod ui_parts;
pub(crate) mod usage;
