//! How many tokens a text is.

pub mod classes;
pub mod encoding;
pub mod estimate;
