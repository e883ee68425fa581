//! Reads texts for all rules: UTF-16 slices, JSON text that is scanned without building values, and paths.

pub mod hash;
pub mod json_probe;
pub mod json_text;
pub mod paths;
pub mod utf16;
