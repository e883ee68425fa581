//! How many tokens a text, a message or a request is.

pub mod calibration;
pub mod classes;
pub mod encoding;
pub mod estimate;
pub mod growth;
pub mod line;
pub mod outcome;
pub mod priors;
pub mod usage;
pub mod bpe;
pub mod classes;
pub mod encoding;
pub mod estimate;
pub mod images;
pub mod messages;
pub mod models;
pub mod truncate;
