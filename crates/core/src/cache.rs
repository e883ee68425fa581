//! What a provider's prompt cache makes a request cost, and when a change of the prompt pays.
//!
//! A provider bills the part of a prompt that it has seen before at a fraction of the price. A changed message takes that from
//! everything behind it, once. So an outdated result is best replaced when nothing is cached, and else when carrying it has cost as
//! much as writing the messages behind it again would.
//!
//! Tokens are `f64` and need not be whole: estimates aren't. Costs are in tokens at the base price of input.

pub mod aging;
mod beside;
pub mod bill;
pub mod comparison;
pub mod cost;
pub mod cuts;
pub mod decision;
pub mod delta;
pub mod guarantee;
pub mod hindsight;
pub mod ledger;
pub mod marks;
pub mod moment;
pub mod observation;
pub mod path;
pub mod pending;
mod planning;
pub mod policies;
pub mod prices;
pub mod prompt;
pub mod reacquired;
pub mod rule;
pub mod schedule;
mod sent;
pub mod simulation;
pub mod state;
pub mod whole_batches;

#[cfg(test)]
mod property_tests;
