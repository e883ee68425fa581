//! Decides what a request costs with the provider's prompt cache, and when removing tool results pays ([`fold`]). Providers bill a cached
//! prefix at a fraction of the price; a changed message loses that discount once, for everything after it. Costs are in tokens at the base
//! price of input. Token counts are `f64`.

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
