//! Decides which tool results a model no longer needs, by rules: presets, and an application's own.

pub mod ages;
pub mod by_kind;
pub mod content_checks;
pub mod context;
pub mod grouping;
pub mod placeholder;
pub mod presets;
pub mod rendering;
pub mod repeated_commands;
pub mod retention;
pub mod rule;
pub mod subject;
pub mod timeline;
pub mod window;

pub use grouping::Grouping;
pub use rule::{ErrorDetection, Rule};
