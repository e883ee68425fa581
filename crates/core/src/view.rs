//! What a view of one conversation goes by: the tools of the agents in use today, and what its messages weigh.

pub mod agents;
pub mod fingerprint;
pub mod label;
pub mod superseded;
pub mod weights;
