//! Decides what a request costs with the provider's prompt cache, and when removing tool results pays.
//!
//! Providers bill a cached prefix at a fraction of the price. A changed message loses that discount once, for everything after it. An
//! outdated result is therefore removed while the cache is cold, or when the removal saves more over the next requests than writing the
//! rest of the prompt again costs. [`fold`] decides.
//!
//! Costs are in tokens at the base price of input. Token counts are `f64`.

pub mod bill;
pub mod cuts;
pub mod fold;
pub mod guarantee;
mod hindsight;
pub mod ledger;
pub mod policies;
pub mod prices;
pub mod prompt;
pub mod request_tokens;
pub mod simulation;
