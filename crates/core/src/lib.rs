//! The rules that keep a coding agent's conversation inside the model's context window.
//!
//! Everything here works on UTF-16 slices and on columns of numbers: no Node, no clock, no file system. A
//! caller brings the conversation as [`conversation::Conversation`] and the texts behind it as
//! [`conversation::RowTexts`]; what comes back is a list of edits.
//!
//! In the order in which data passes through:

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
pub mod repeated;

pub mod compression;
