//! Asks a language model over HTTP; knows no Node.

#![forbid(unsafe_code)]
