//! Finds long runs of base64 inside a text: on one line or wrapped, with or without escapes (`\n`, `\/`, `\u002B`, `%2B`, `&#43;`). Only
//! runs longer than [`SIZE_THRESHOLD`] matter, so the text is sampled every few thousand units: O(text) if everything is base64, a
//! sixteenth of that if nothing is.

use std::ops::Range;

use super::base64_detection::{Group, looks_like_base64};
use super::base64_tokens::{
    Alphabet, is_all_symbols, is_symbol, may_all_be_base64, read_padding, read_segment, read_separator, skip_to_symbol,
};
use super::binary_data::SIZE_THRESHOLD;

/// Units between the starts of two windows. A run longer than the threshold contains at least one whole window.
const STRIDE: usize = 4_096;
/// Units searched in each window, block by block.
const WINDOW: usize = 512;
const BLOCK: usize = 16;
/// Units. No window starts further than this after the beginning of its run, with any escape that is cut at this point.
const LOOK_BACK: usize = STRIDE + WINDOW + 64;
/// Symbols. Shorter lines are identifiers, not wrapped data.
const SHORTEST_LINE: usize = 32;

/// The runs in that part of `text` that are long enough and look like base64, ascending.
pub fn base64_runs(text: &[u16], within: Range<usize>) -> Vec<Range<usize>> {
    let mut runs = runs_in(text, within.clone(), Alphabet::Standard);
    let gap_starts = std::iter::once(within.start).chain(runs.iter().map(|run| run.end));
    let gap_ends = runs.iter().map(|run| run.start).chain([within.end]);
    let gaps = gap_starts.zip(gap_ends).map(|(start, end)| start..end);
    let url_safe: Vec<_> = gaps.flat_map(|gap| runs_in(text, gap, Alphabet::UrlSafe)).collect();
    runs.extend(url_safe);
    runs.sort_unstable_by_key(|run| run.start);
    runs
}

fn runs_in(text: &[u16], within: Range<usize>, alphabet: Alphabet) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let Some(text) = text.get(..within.end) else { return runs };
    let (mut at, mut read_until) = (within.start, within.start);
    while at + WINDOW <= within.end {
        let Some(hit) = solid_block(text, at, alphabet) else {
            at += STRIDE;
            continue;
        };
        let from = read_until.max(hit.saturating_sub(LOOK_BACK));
        read_until = groups_around(text, from, hit, alphabet, |group| {
            if group.symbols > SIZE_THRESHOLD && looks_like_base64(text, group, alphabet) {
                runs.push(group.first.start..group.end);
            }
        });
        at = read_until.max(at + STRIDE);
    }
    runs
}

/// A block that has only symbols, in the window at `at`, within a run of symbols that is long enough for a line of wrapped data.
fn solid_block(text: &[u16], at: usize, alphabet: Alphabet) -> Option<usize> {
    let window = text.get(at..(at + WINDOW).min(text.len()))?;
    if !may_all_be_base64(window) {
        return None;
    }
    let blocks = window.chunks_exact(BLOCK).enumerate().filter(|(_, block)| is_all_symbols(block, alphabet));
    blocks.map(|(nth, _)| at + nth * BLOCK).find(|&start| {
        let before = text.get(..start).unwrap_or_default().iter().rev().take(SHORTEST_LINE);
        let before = before.take_while(|&&unit| is_symbol(unit, alphabet)).count();
        let until = (start + WINDOW).min(text.len());
        let (_, symbols) = read_segment(text.get(..until).unwrap_or_default(), start, alphabet);
        before + symbols >= SHORTEST_LINE
    })
}

/// Visits the groups from `from` until one ends after `hit`; returns the end of the last one.
fn groups_around(text: &[u16], from: usize, hit: usize, alphabet: Alphabet, mut visit: impl FnMut(&Group)) -> usize {
    let mut at = from;
    while at <= hit {
        let start = skip_to_symbol(text, at, alphabet);
        if start > hit {
            return start;
        }
        let (mut end, symbols) = read_segment(text, start, alphabet);
        if symbols >= SHORTEST_LINE {
            let group = read_group(text, start, alphabet, false);
            visit(&group);
            end = group.end;
        }
        at = end.max(start + 1);
    }
    at
}

/// The group that begins with the symbol at `start`. After a data URL's comma the first line may be shorter than the others.
pub fn read_group(text: &[u16], start: usize, alphabet: Alphabet, follows_comma: bool) -> Group {
    let (end, symbols) = read_segment(text, start, alphabet);
    let mut group = Group { first: start..end, others: Vec::new(), symbols, width: symbols, end };
    let mut may_continue = symbols <= SIZE_THRESHOLD && (follows_comma || symbols >= SHORTEST_LINE);
    loop {
        let padded = read_padding(text, group.end);
        if padded > group.end {
            group.end = padded;
            return group;
        }
        if !may_continue {
            return group;
        }
        let Some(next) = read_separator(text, group.end) else { return group };
        let (end, symbols) = read_segment(text, next, alphabet);
        if follows_comma && !group.is_wrapped() && symbols >= SHORTEST_LINE {
            group.width = symbols;
        }
        let is_last = symbols < group.width;
        if symbols == 0 || symbols > group.width || (is_last && !is_last_line(text, next..end, symbols)) {
            return group;
        }
        group.others.push(next..end);
        group.symbols += symbols;
        group.end = end;
        may_continue = !is_last;
    }
}

/// A shorter line belongs to the data before it if it is padded or can't be a word.
fn is_last_line(text: &[u16], line: Range<usize>, symbols: usize) -> bool {
    let padding = read_padding(text, line.end) - line.end;
    // A space follows: this is the first word of a sentence.
    if text.get(line.end + padding) == Some(&u16::from(b' ')) {
        return false;
    }
    let units = text.get(line).unwrap_or_default();
    let is_mixed = units.iter().skip(1).any(|unit| !matches!(unit, 0x61..=0x7A));
    padding > 0 || (symbols.is_multiple_of(4) && is_mixed)
}

#[cfg(test)]
#[path = "base64_runs_tests.rs"]
pub(super) mod tests;
