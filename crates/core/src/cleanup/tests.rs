//! Whole decisions, by what they are about.

mod growth;
mod policies;
mod reads;
mod session;
mod terminal;
mod turn;
