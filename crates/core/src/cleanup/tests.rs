//! Tests of whole decisions, by subject.

mod as_told_anew;
mod by_kind;
mod growth;
mod policies;
mod reads;
mod session;
mod terminal;
mod turn;
