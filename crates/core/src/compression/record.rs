//! Decides what a compression leaves behind: its name, its text, and what is kept of the messages word for word.

pub mod api_fields;
pub mod digest;
pub mod fields;
pub mod identity;
pub mod summary_text;
