//! What both addons need of Node.js: promises of work on other threads, and errors with a class and a code.

#![forbid(unsafe_code)]
// napi uses `&Env` throughout.
#![allow(clippy::trivially_copy_pass_by_ref)]

pub mod error;
pub mod runtime;

pub use runtime::locked;
