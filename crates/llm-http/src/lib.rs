//! Asks a language model over HTTP; knows no Node. In the order in which a request passes through:
//!
//! 1. [`options`]: what the user sets, checked once, with every default. [`endpoint`]: where to and in which style.
//! 2. [`request`]: the body in the endpoint's style. [`adjust`]: what a model has been found not to take.
//! 3. [`connection`]: TLS, proxies, redirects. [`attempt`]: one request and its answer, bounded in size and time.
//! 4. [`answer`]: what the model said, as `palimpsest_core::provider` reads it. [`failure`]: what went wrong instead. [`secrets`]: what neither may tell.
//! 5. [`retry`], [`retry_after`]: whether to ask again, and when. [`client`]: all of it, and [`journal`] for the log.
//!
//! Nothing runs, connects or reads a certificate before the first question.

#![forbid(unsafe_code)]
// A failure is built once per request, after seconds of waiting; a box around it would save nothing.
#![allow(clippy::result_large_err)]

mod adjust;
mod answer;
mod attempt;
mod client;
mod connection;
mod endpoint;
mod failure;
mod invalid;
mod journal;
mod no_proxy;
mod options;
mod request;
mod retry;
mod retry_after;
mod secrets;

pub use answer::ModelAnswer;
pub use client::{ChatOutcome, Client};
pub use endpoint::Style;
pub use failure::{FailureKind, HttpFailure};
pub use invalid::Invalid;
pub use journal::Journal;
pub use options::{ClientOptions, Proxies};
