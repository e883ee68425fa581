//! Calls a language model over HTTP; independent of Node. In the order of a request:
//!
//! 1. `options`: the user's settings, checked once, with all defaults. `endpoint`: URL and style.
//! 2. `request`: the body in the endpoint's style. `adjust`: parameters that a model rejects.
//! 3. `connection`: TLS, proxies, redirects. `attempt`: one request and its response, limited in size and time.
//! 4. `answer`: the model's answer. `failure`: errors. `secrets`: masks secrets in both.
//! 5. `retry`: whether and when to retry. `client`: all of this.
//!
//! Nothing runs, connects or reads a certificate before the first request.

#![forbid(unsafe_code)]
// A failure is built once per request, after seconds of waiting; boxing it would save nothing.
#![allow(clippy::result_large_err)]

mod adjust;
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
mod secrets;

pub use answer::ModelAnswer;
pub use client::{Attempt, ChatOutcome, Client};
pub use endpoint::Style;
pub use failure::{FailureKind, HttpFailure, Invalid};
pub use options::{ClientOptions, Proxies};
