//! What all rules read texts with: UTF-16 slices, JSON text that is looked into and never built, and paths.

pub mod fingerprint;
pub(crate) mod hash;
pub mod json_probe;
pub mod json_text;
pub mod paths;
pub mod utf16;
