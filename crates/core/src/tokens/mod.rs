//! How many tokens a text, a message or a request is.

pub mod bpe;
pub mod classes;
pub mod encoding;
pub mod images;
pub mod messages;
pub mod models;
pub mod truncate;
