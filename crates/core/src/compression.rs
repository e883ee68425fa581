//! Keeps a long conversation inside the context window (R7).
//!
//! [`session`] reads the settings, computes how full the window is, and decides the next step. [`plan`] selects the
//! messages to summarise, [`summary`] builds the prompt and validates the model's reply, and [`hard_limit`] cuts
//! messages when there is no summary or it saved too little. [`record`] is the data stored with a summary, or with the
//! notice that a cut leaves. Nothing here waits, does I/O or reads a clock.

pub mod hard_limit;
pub mod message;
pub mod plain_text;
pub mod plan;
pub mod record;
pub mod session;
pub mod summary;

#[cfg(test)]
mod conversations_for_tests;

/// A count as a number with which shares and tokens are calculated.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn to_f64(count: usize) -> f64 {
    count as f64
}

/// A count as it is stored and sent.
fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
