//! Whole decisions, by what they are about.

mod by_kind;
mod growth;
mod policies;
mod reads;
mod session;
mod terminal;
mod turn;
