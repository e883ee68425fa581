//! Counts the tokens of texts, messages and requests.

pub mod bpe;
pub mod calibration;
pub mod encoding;
pub mod family;
pub mod fitted_line;
pub mod growth;
pub mod images;
pub mod models;
pub mod overhead;
pub mod truncate;
pub mod weights;
pub mod windows;
