//! What a compression stores: its id, its text, and what it keeps of the messages word for word.

pub mod api_fields;
pub mod digest;
pub mod fields;
pub mod identity;
pub mod summary_text;
