//! What a view of one conversation goes by: the tools of the agents in use today, what its messages weigh, and where a
//! provider is told to cache.

pub mod agents;
pub mod breakpoints;
pub mod fingerprint;
pub mod label;
pub mod superseded;
pub mod weights;
