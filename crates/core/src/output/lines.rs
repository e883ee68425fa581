//! Finds and counts lines in loops that the compiler can vectorise: outputs of 10 MB are ordinary.

use crate::text::utf16::{NEWLINE, is_white_space, position};

/// Large enough for vector code to pay off, small enough to repeat unit by unit.
const BLOCK: usize = 64;

/// The first unit that is no white space.
pub(super) fn first_non_blank(text: &[u16]) -> Option<usize> {
    let blank_blocks = text.chunks(BLOCK).take_while(|block| is_ordinary_white_space(block)).count();
    let from = (blank_blocks * BLOCK).min(text.len());
    text.get(from..)?.iter().position(|&unit| !is_white_space(unit)).map(|at| from + at)
}

/// The last unit that is no white space.
pub(super) fn last_non_blank(text: &[u16]) -> Option<usize> {
    let blank_blocks = text.rchunks(BLOCK).take_while(|block| is_ordinary_white_space(block)).count();
    let until = text.len().saturating_sub(blank_blocks * BLOCK);
    text.get(..until)?.iter().rposition(|&unit| !is_white_space(unit))
}

/// The start of the line that contains the unit at `at`.
pub(super) fn line_start(text: &[u16], at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.iter().rposition(|&unit| unit == NEWLINE))
        .map_or(0, |newline| newline + 1)
}

/// The end of the line that contains the unit at `at`, without the line break.
pub(super) fn line_end(text: &[u16], at: usize) -> usize {
    text.get(at..).and_then(next_newline).map_or(text.len(), |newline| at + newline)
}

/// The position of the first line feed.
pub(super) fn next_newline(text: &[u16]) -> Option<usize> {
    position(text, NEWLINE)
}

/// True for only spaces, tabs and line breaks, which are cheap to test and all that most blank lines have.
#[expect(clippy::needless_bitwise_bool, reason = "branches between the tests would keep it from vector code")]
fn is_ordinary_white_space(block: &[u16]) -> bool {
    block.iter().fold(true, |blank, &unit| {
        blank & ((unit == 0x20) | (unit == 0x0A) | (unit == 0x0D) | (unit == 0x09))
    })
}
