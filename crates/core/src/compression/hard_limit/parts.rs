//! Shortens the texts of one message (R7.11, R4.4).

use std::borrow::Cow;

use crate::compression::decimal;
use crate::output::truncate_to_errors;
use crate::text::utf16::to_utf8;
use crate::tokens::models::Model;
use crate::tokens::truncate::{Keep, truncate};

/// Every part gets this many tokens, or an equal share if there are fewer, before any part gets more.
const FLOOR_TOKENS: f64 = 24.0;
/// With less room than this, only the lines around errors would remain.
const MIN_FOR_ERRORS: f64 = 64.0;
/// A text with fewer lines is cut in the middle instead of by lines.
const MIN_LINES: usize = 4;
/// Error lines are searched in the first and last units of an output, this many at each end.
const SCANNED_UNITS: usize = 1 << 17;
/// Marks a cut in a text; the ellipsis replaces a text for which there is no room.
const MARKER: &str = "\n…\n";
const ELLIPSIS: &str = "…";
/// Most outputs reach their length after two or three tries.
const MAX_TRIES: usize = 5;
/// An output that must be cut keeps at most this, even in a window of a million tokens.
const MOST_OF_OUTPUT_TOKENS: f64 = 64_000.0;
/// An output that fills this share of its room needs no further try.
const FILLED: f64 = 0.9;

#[derive(Debug, Clone, Copy)]
pub struct TextPart<'t> {
    /// May hold lone surrogates.
    pub text: &'t [u16],
    pub is_output: bool,
}

/// Cuts `parts` to about `max_tokens` in all; `None` for a part that stays unchanged.
///
/// Small parts stay whole, and a user's words have priority over a tool's output. Large parts are cut to a common
/// length; none becomes empty. An output keeps its error lines, beginning and end. Tokens of very long texts are
/// counted only up to the necessary length: O(`max_tokens`), plus one scan of the text for each try.
pub fn shorten_parts(parts: &[TextPart<'_>], max_tokens: f64, model: &Model) -> Vec<Option<Vec<u16>>> {
    let texts: Vec<String> = parts.iter().map(|part| to_utf8(part.text)).collect();
    let sizes: Vec<(f64, bool)> = parts
        .iter()
        .zip(&texts)
        .map(|(part, text)| (model.count_or_more(text, max_tokens + 1.0), part.is_output))
        .collect();
    let allotted = allot(&sizes, max_tokens);
    let all = parts.iter().zip(&texts).zip(sizes.iter().zip(allotted));
    all.map(|((part, text), (&(size, _), allotted))| {
        let tokens =
            if part.is_output && size > allotted { allotted.min(MOST_OF_OUTPUT_TOKENS) } else { allotted };
        (size > tokens).then(|| shortened(*part, text, tokens, model))
    })
    .collect()
}

/// How many tokens each of `parts` (size, whether it is an output) may have.
fn allot(parts: &[(f64, bool)], max_tokens: f64) -> Vec<f64> {
    let share = max_tokens.max(0.0) / decimal(parts.len().max(1));
    let mut allotted: Vec<f64> = parts.iter().map(|&(size, _)| size.min(FLOOR_TOKENS).min(share)).collect();
    let mut rest = max_tokens - allotted.iter().sum::<f64>();
    for is_output in [false, true] {
        let mut open: Vec<usize> =
            (0..parts.len()).filter(|&at| parts.get(at).is_some_and(|part| part.1 == is_output)).collect();
        let size = |at: usize| parts.get(at).map_or(0.0, |part| part.0);
        open.sort_by(|&a, &b| size(a).total_cmp(&size(b)));
        for (position, &at) in open.iter().enumerate() {
            let Some(slot) = allotted.get_mut(at) else { continue };
            let more = (rest.max(0.0) / decimal(open.len() - position)).min(size(at) - *slot);
            *slot += more;
            rest -= more;
        }
    }
    allotted
}

/// Leaves at least an ellipsis, because providers reject empty texts.
fn shortened(part: TextPart<'_>, text: &str, max_tokens: f64, model: &Model) -> Vec<u16> {
    let kept = if part.is_output { with_errors(part.text, max_tokens, model) } else { None };
    let kept = kept.or_else(|| ends_of(part.text, text, max_tokens, model)).unwrap_or_default();
    let is_blank = to_utf8(&kept).trim().is_empty();
    if is_blank { ELLIPSIS.encode_utf16().collect() } else { kept }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count of tokens
fn ends_of(units: &[u16], text: &str, max_tokens: f64, model: &Model) -> Option<Vec<u16>> {
    let count = |text: &str| model.count_or_more(text, 2.0 * max_tokens + 1.0).ceil() as usize;
    let kept = truncate(&count, text, max_tokens.max(0.0) as usize, Keep::Both, MARKER)?;
    Some(kept.of_units(units, text, MARKER))
}

/// `None` if there are few lines or too little room.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn with_errors(units: &[u16], max_tokens: f64, model: &Model) -> Option<Vec<u16>> {
    let newline = u16::from(b'\n');
    let has_lines = units.iter().filter(|&&unit| unit == newline).nth(MIN_LINES).is_some();
    if max_tokens < MIN_FOR_ERRORS || !has_lines {
        return None;
    }
    let mut limit = (max_tokens * 4.0) as usize;
    let mut best: Option<Vec<u16>> = None;
    for _ in 0..MAX_TRIES {
        let kept: Cow<'_, [u16]> = truncate_to_errors(units, limit, SCANNED_UNITS);
        let tokens = model.count_or_more(&to_utf8(&kept), 2.0 * max_tokens + 1.0);
        if tokens <= max_tokens {
            let is_better = best.as_ref().is_none_or(|best| best.len() < kept.len());
            best = if is_better { Some(kept.into_owned()) } else { best };
            if tokens >= FILLED * max_tokens {
                break;
            }
        }
        limit = (limit as f64 * max_tokens / tokens.max(1.0) * 0.97) as usize;
    }
    best
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
