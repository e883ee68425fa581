//! Shortens a text to a number of tokens. The result is counted again, so it never exceeds the limit.

/// Up to the budget divided by this may stay unused.
const NEGLIGIBLE_FRACTION: usize = 200;
/// The first guesses, up to this many, are proportional; for uneven text, halving is faster.
const MAX_PROPORTIONAL: usize = 4;

named_enum! {
    /// What stays of a text; the default first.
    Keep {
        Head = "head",
        Tail = "tail",
        /// Half of the tokens from each end.
        Both = "both",
    }
}

impl Keep {
    /// Default text in place of the omitted part.
    pub const MARKER: &str = "\n…\n";
}

/// The bytes kept at the start and end of a UTF-8 text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    pub head: usize,
    pub tail: usize,
}

/// Counts tokens; a model's estimate is enough.
pub type CountTokens<'c> = dyn Fn(&str) -> usize + 'c;

impl Kept {
    /// The same parts of `units`, whose UTF-8 is `text`: this restores lone surrogates.
    pub fn of_units(self, units: &[u16], text: &str, marker: &str) -> Vec<u16> {
        let length = |part: Option<&str>| part.map_or(0, |part| part.chars().map(char::len_utf16).sum());
        let head: usize = length(text.get(..self.head));
        let tail: usize = length(text.get(text.len() - self.tail..));
        let mut kept = units.get(..head).unwrap_or_default().to_vec();
        if head > 0 && tail > 0 {
            kept.extend(marker.encode_utf16());
        }
        kept.extend(units.get(units.len() - tail..).unwrap_or_default());
        kept
    }
}

/// The parts of `text` that have at most `limit` tokens, including `marker` if the middle was omitted. `None` if
/// the whole text fits. Counts the kept part about three times, and a dozen times if it is uneven.
pub fn truncate(count: &CountTokens<'_>, text: &str, limit: usize, keep: Keep, marker: &str) -> Option<Kept> {
    // No token is empty, so a text of at most `limit` bytes needs no counting; no token is longer than 128 bytes.
    if text.len() <= limit || count(text) <= limit {
        return None;
    }
    let mut budget = limit;
    loop {
        let kept = attempt(count, text, budget, keep, marker);
        let result = assemble(text, kept, marker);
        if kept == Kept::default() || count(&result) <= limit {
            return Some(kept);
        }
        // Joining head and tail, or cutting off a start, may add a token to their sum.
        budget = budget.saturating_sub(1);
    }
}

/// The kept parts of `text`, with `marker` between them if there are two.
pub fn assemble(text: &str, kept: Kept, marker: &str) -> String {
    let head = text.get(..kept.head).unwrap_or_default();
    let tail = text.get(text.len() - kept.tail..).unwrap_or_default();
    if kept.head > 0 && kept.tail > 0 { [head, marker, tail].concat() } else { [head, tail].concat() }
}

fn attempt(count: &CountTokens<'_>, text: &str, budget: usize, keep: Keep, marker: &str) -> Kept {
    match keep {
        Keep::Head => Kept { head: longest(count, text, budget, Keep::Head), tail: 0 },
        Keep::Tail => Kept { head: 0, tail: longest(count, text, budget, Keep::Tail) },
        Keep::Both => {
            let budget = budget.saturating_sub(if marker.is_empty() { 0 } else { count(marker) });
            let head = longest(count, text, budget.div_ceil(2), Keep::Head);
            let rest = text.get(head..).unwrap_or_default();
            Kept { head, tail: longest(count, rest, budget / 2, Keep::Tail) }
        }
    }
}

/// The longest start (or end) found with at most `budget` tokens, in bytes.
fn longest(count: &CountTokens<'_>, text: &str, budget: usize, keep: Keep) -> usize {
    let part = |bytes: usize| match keep {
        Keep::Tail => text.get(text.len() - bytes..),
        _ => text.get(..bytes),
    };
    // A token has 1 to 128 bytes: the result lies between.
    let (mut fits, mut exceeds) = (0, text.len().min(budget.saturating_mul(128)) + 1);
    let mut guess = budget.saturating_mul(3);
    let mut tries = 0;
    while exceeds - fits > 1 {
        let bytes = at_character(text, guess.clamp(fits + 1, exceeds - 1), keep);
        if bytes <= fits {
            // Still within one character.
            guess += 1;
            if guess >= exceeds {
                break;
            }
            continue;
        }
        let tokens = part(bytes).map_or(usize::MAX, count);
        if tokens <= budget {
            fits = bytes;
            // A large result need not be exact to the last letter: each attempt counts it again.
            let is_filled = budget - tokens <= budget / NEGLIGIBLE_FRACTION;
            if is_filled && (tokens < budget || exceeds - fits <= 1 + budget / 64) {
                break;
            }
        } else {
            exceeds = bytes;
        }
        // Aims slightly lower, since a guess just above the budget costs another attempt.
        let aim = budget.max(1) - budget / (2 * NEGLIGIBLE_FRACTION);
        tries += 1;
        guess = next_guess(tries, bytes.saturating_mul(aim) / tokens.max(1), fits, exceeds);
    }
    fits
}

/// Proportional guesses get close quickly; halving guarantees progress.
fn next_guess(tries: usize, proportional: usize, fits: usize, exceeds: usize) -> usize {
    let middle = fits + (exceeds - fits) / 2;
    let is_between = proportional > fits + 1 && proportional < exceeds - 1;
    match tries {
        ..=MAX_PROPORTIONAL if is_between => proportional,
        _ if is_between => usize::midpoint(proportional, middle),
        _ => middle,
    }
}

/// The last character boundary at or before `bytes` (counted from the end for [`Keep::Tail`]).
fn at_character(text: &str, bytes: usize, keep: Keep) -> usize {
    let offset = |bytes: usize| if keep == Keep::Tail { text.len() - bytes } else { bytes };
    (0..=bytes.min(text.len())).rev().find(|&bytes| text.is_char_boundary(offset(bytes))).unwrap_or(0)
}

#[cfg(test)]
mod tests;
