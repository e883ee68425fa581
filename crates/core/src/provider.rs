//! Reads what providers answer: what a model said, and what its request took. Everybody who has to know asks here:
//! the built-in HTTP client, the answers of hosts' own clients, reports on messages, token calibration.

pub mod answer;
pub mod request;
pub mod usage;
