//! Counts the tokens of texts, messages and requests.

pub mod bpe;
pub mod calibration;
pub mod classes;
pub mod encoding;
pub mod family;
pub mod growth;
pub mod images;
pub mod line;
pub mod messages;
pub mod models;
pub mod outcome;
pub mod priors;
pub mod truncate;
pub mod weights;
pub mod windows;
