//! Keeps a long conversation inside the context window (R7). Nothing here waits, does I/O or reads a clock.

use crate::results::in_language;

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

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Token counts as `truncate` takes them.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "token counts; a cast saturates")]
const fn whole_tokens(tokens: f64) -> usize {
    tokens as usize
}
