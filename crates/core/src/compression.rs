//! Keeps a long conversation inside the context window: what is summarised, how a summary is asked for and judged,
//! and what is cut when there is none (SPEC R7).
//!
//! In the order in which a call passes through: [`settings`] are read, [`usage`] is worked out, [`plan`] says what
//! lies between the head and the newest messages, [`compaction`] asks for its summary (by way of [`prompt`],
//! [`chunks`], [`acceptance`] and [`digest`]), and [`hard_limit`] cuts where that was not enough. [`breaker`]
//! keeps it from trying in vain. Nothing here waits: a [`compaction::Compaction`] says what to ask, and is told
//! what was answered.

pub mod exchange;
pub mod message;

pub mod settings;
pub mod usage;

pub mod pairs;
pub mod plan;
pub mod turns;

pub mod acceptance;
pub mod chunks;
pub mod compaction;
pub mod digest;
pub mod prompt;
pub mod quote;
pub mod summary_text;

pub mod hard_limit;

pub mod api_fields;
pub mod attempt;
pub mod breaker;
pub mod events;
pub mod identity;
pub mod stats;

#[cfg(test)]
mod conversations_for_tests;
