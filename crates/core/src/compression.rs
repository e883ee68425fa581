//! Keeps a long conversation inside the context window: what is summarised, how a summary is asked for and judged,
//! and what is cut when there is none (R7).
//!
//! [`session`] conducts: it reads the settings, works out how full the window is, and says what comes next. On its way it
//! asks [`plan`] what lies between the head and the newest messages, [`summary`] for the words that take its place, and
//! [`hard_limit`] what to cut where that was not enough. [`record`] is what all of them leave behind. Nothing here
//! waits, calls or looks at a clock.

pub mod hard_limit;
pub mod message;
pub mod plain_text;
pub mod plan;
pub mod record;
pub mod session;
pub mod summary;

#[cfg(test)]
mod conversations_for_tests;

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn decimal(count: usize) -> f64 {
    count as f64
}
