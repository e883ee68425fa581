//! Tests of whole decisions, by subject.

mod by_kind;
mod growth;
mod incremental;
mod policies;
mod reads;
mod session;
mod terminal;
mod turn;
