//! How many tokens a text is.

pub mod estimate;
