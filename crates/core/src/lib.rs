//! Decides what of a coding agent's conversation is sent: which outdated results are replaced, and when that lowers the cost; what is
//! summarised or cut to fit the model's context window. Works on UTF-16 slices and columns of numbers, with no Node.js, clock or files; the
//! result is a list of edits. Comments such as `R5.3` name a rule of `docs/spec`. An *original function* is an application's own function that
//! one of ours replaces exactly. A *unit* is a UTF-16 unit, a *row* a message or one of its results.

#![forbid(unsafe_code)]
#![allow(clippy::cast_precision_loss)] // no count or length reaches 2^53

/// Declares an enum without data whose values have names for users.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            pub const NAMES: &[&str] = &[$($word),*];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

pub mod conversation;
pub mod message;
pub mod text;

pub mod cleanup;
pub mod failure;
pub mod tools;

pub mod output;
pub mod results;

pub mod provider;
pub mod tokens;

pub mod cache;
pub mod need;
pub mod references;

pub mod compression;
