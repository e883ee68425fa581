//! How many tokens a text is.

pub mod calibration;
pub mod classes;
pub mod encoding;
pub mod estimate;
pub mod growth;
pub mod line;
pub mod outcome;
pub mod priors;
pub mod usage;
