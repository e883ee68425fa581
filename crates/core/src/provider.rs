//! Reads providers' responses, their text and their token usage, for the built-in HTTP client, applications' clients,
//! usage reports on messages, and token calibration.

pub mod answer;
pub mod request;
pub mod usage;
