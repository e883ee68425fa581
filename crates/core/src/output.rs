//! Truncates a command's output for the model (R4), in loops that the compiler can vectorise: outputs of 10 MB are ordinary.
//!
//! `pieces` trims and truncates as the *original function*, the application's own that ours replaces, byte for byte, because users
//! compare logs. [`truncate_keeping`] has the other ways.

mod error_form;
mod error_line_text;
mod error_lines;
mod error_search;
mod error_units;
mod frames;
mod keep;
mod pieces;

pub use error_lines::{error_parts, is_error_line};
pub use keep::{OutputKeep, truncate_keeping, truncate_to_errors};
pub use pieces::{PIECE, TextPieces, copy_whole, trim_empty_lines, truncate};

use crate::text::utf16::{self, is_white_space, letter};

/// The default limit in units (R4.2).
pub const DEFAULT_LIMIT: u32 = 30_000;
/// The maximum for the environment variable (R4.2). An explicit limit is not capped (R4.3).
pub const MAX_LIMIT: u32 = 150_000;
pub const LIMIT_VARIABLE: &str = "BASH_MAX_OUTPUT_LENGTH";
/// Units that are tested at once for white space: enough for vector code to pay off, few enough to repeat unit by unit.
const BLOCK: usize = 64;

/// The limit in the environment variable, in units (R4.2), parsed as `parseInt(value, 10)` does: leading white space, a sign, then
/// digits up to the first other unit. No number, zero or a negative number gives [`DEFAULT_LIMIT`].
pub fn limit_from_environment(value: Option<&[u16]>) -> u32 {
    let digits = match utf16::trim_start(value.unwrap_or_default()) {
        [sign, ..] if *sign == u16::from(b'-') => &[],
        [sign, rest @ ..] if *sign == u16::from(b'+') => rest,
        text => text,
    };
    let parsed = digits
        .iter()
        .map_while(|&unit| letter(unit).to_digit(10))
        .fold(0_u32, |number, digit| number.saturating_mul(10).saturating_add(digit));
    if parsed == 0 { DEFAULT_LIMIT } else { parsed.min(MAX_LIMIT) }
}

/// The text that replaces dropped lines.
fn notice(line_count: usize) -> String {
    format!("... [{line_count} lines truncated] ...")
}

/// Splits at `at`, or one unit earlier if that would split a surrogate pair (R0.2).
fn split_at_cut(text: &[u16], at: usize) -> (&[u16], &[u16]) {
    let at = if splits_pair(text, at) { at - 1 } else { at };
    text.split_at_checked(at).unwrap_or((text, &[]))
}

/// True if a cut at `at` separates the halves of a surrogate pair.
fn splits_pair(text: &[u16], at: usize) -> bool {
    matches!(text.get(at.saturating_sub(1)..=at), Some([0xD800..=0xDBFF, 0xDC00..=0xDFFF]))
}

fn first_non_blank(text: &[u16]) -> Option<usize> {
    let blank_blocks = text.chunks(BLOCK).take_while(|block| is_ordinary_white_space(block)).count();
    let from = blank_blocks * BLOCK;
    text.get(from..)?.iter().position(|&unit| !is_white_space(unit)).map(|at| from + at)
}

fn last_non_blank(text: &[u16]) -> Option<usize> {
    let blank_blocks = text.rchunks(BLOCK).take_while(|block| is_ordinary_white_space(block)).count();
    let until = text.len().saturating_sub(blank_blocks * BLOCK);
    text.get(..until)?.iter().rposition(|&unit| !is_white_space(unit))
}

/// True for only spaces, tabs and line breaks, which are cheap to test and all that most blank lines have.
#[expect(clippy::needless_bitwise_bool, reason = "branches between the tests would keep it from vector code")]
fn is_ordinary_white_space(block: &[u16]) -> bool {
    block.iter().fold(true, |blank, &unit| blank & ((unit == 0x20) | (unit == 0x0A) | (unit == 0x0D) | (unit == 0x09)))
}

#[cfg(test)]
mod long_lines_tests;
#[cfg(test)]
mod tests;
