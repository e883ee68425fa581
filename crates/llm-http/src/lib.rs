//! Calls a language model over HTTP; independent of Node. Nothing runs or connects before the first request.

#![forbid(unsafe_code)]
// A failure is built once per request, after seconds of waiting; boxing it would save nothing.
#![allow(clippy::result_large_err)]
// What is invalid, or has failed, is in the error's type.
#![allow(clippy::missing_errors_doc)]

mod answer;
mod attempt;
mod client;
mod connection;
mod endpoint;
mod failure;
mod no_proxy;
mod options;
mod request;
mod retry;

pub use answer::ModelAnswer;
pub use client::{Attempt, ChatOutcome, Client};
pub use endpoint::Style;
pub use failure::{FailureKind, HttpFailure, Invalid};
pub use options::ClientOptions;
