//! Reads what providers answer: what a model said, and what its request took; for the built-in HTTP client, hosts' own clients,
//! reports on messages, and token calibration alike.

pub mod answer;
pub mod refused;
pub mod request;
pub mod usage;
