//! Decides which messages of a coding agent's conversation are sent, so that it stays inside the model's context window.
//!
//! All code works on UTF-16 slices and columns of numbers: no Node, no clock, no file system. The caller passes the conversation
//! as [`conversation::Conversation`] and its texts as [`conversation::RowTexts`]; the result is a list of edits.
//!
//! Modules, in the order in which data passes through:

#![forbid(unsafe_code)]

pub mod conversation;
pub mod message;
pub mod text;

pub mod cleanup;
pub mod failure;
pub mod tools;

pub mod output;
pub mod results;

pub mod provider;
pub mod tokens;

pub mod cache;
pub mod need;
pub mod references;

pub mod compression;
