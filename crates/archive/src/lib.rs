//! Keeps the original messages of compressed conversations; knows no Node.

#![forbid(unsafe_code)]
