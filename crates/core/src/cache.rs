//! What a provider's prompt cache makes a request cost, and when a change of the prompt pays.
//!
//! A provider bills the part of a prompt that it has seen before at a fraction of the price. A changed message takes that discount from
//! everything after it, once. So an outdated result is removed while nothing is cached, or when removing it saves more over the next
//! requests than writing the rest of the prompt again costs. [`fold`] decides.
//!
//! Costs are in tokens at the base price of input. Counts of tokens are `f64`.

pub mod bill;
pub mod comparison;
pub mod cost;
pub mod cuts;
pub mod fold;
pub mod guarantee;
pub mod hindsight;
pub mod ledger;
pub mod marks;
pub mod policies;
pub mod prices;
pub mod prompt;
pub mod simulation;
pub mod whole_batches;
