//! Decides whether a long run of base64's symbols, which `base64_runs` found, is data or other text of the same letters: lists of paths
//! and identifiers, DNA, digits, hex dumps. An encoder's output uses upper and lower case, digits and (unless it encodes text) the two
//! signs of its alphabet; in wrapped data no column has the same symbol in all lines. Other text fails at least one of these tests.

use std::ops::Range;

use super::base64_tokens::{Alphabet, is_symbol, symbol_value};
use crate::text::utf16::starts_with_ascii;

/// The number of stretches that are sampled, evenly over the run.
const STRETCHES: usize = 64;
const STRETCH: usize = 128;
/// A run with fewer different symbols (of 64) is a repetition, or hexadecimal digits in both cases (22).
const MIN_SYMBOLS: usize = 24;
/// A symbol that is rarer than one in this many is there by accident.
const RAREST: usize = 4_096;
/// Symbols per line. Narrower lines must contain both signs, and whole groups of four.
const NARROW: usize = 56;
const COMPARED_LINES: usize = 64;
/// Beginnings of common binary files, which count as data however monotonous they are. In this order: PNG, JPEG, GIF;
/// WebP, WAV and AVI; BMP (four); PDF; ZIP and Office documents; gzip, ICO; TIFF (two); MP3, Ogg; MP4 (three); WOFF2.
const BEGINNINGS: [&str; 20] = [
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "Qk0", "Qk1", "Qk2", "Qk3", "JVBERi0", "UEsDB", "H4sI", "AAABAA",
    "SUkqA", "TU0AK", "SUQz", "T2dnUw", "AAAAGGZ0eX", "AAAAHGZ0eX", "AAAAIGZ0eX", "d09GM",
];

/// A candidate for base64 data: symbols on one line, or wrapped on lines of equal length, of which the last may be shorter.
#[derive(Debug)]
pub struct Group {
    /// The symbols on the first line, and on each other one.
    pub first: Range<usize>,
    pub others: Vec<Range<usize>>,
    pub symbols: usize,
    pub width: usize,
    /// The end of the last line's symbols and of their padding.
    pub end: usize,
}

impl Group {
    fn lines<'t>(&self, text: &'t [u16]) -> impl Iterator<Item = &'t [u16]> {
        std::iter::once(&self.first).chain(&self.others).filter_map(|line| text.get(line.clone()))
    }

    fn line_count(&self) -> usize {
        self.others.len() + 1
    }

    pub fn is_wrapped(&self) -> bool {
        !self.others.is_empty()
    }
}

/// True if a candidate is probably an encoder's output.
pub fn looks_like_base64(text: &[u16], group: &Group, alphabet: Alphabet) -> bool {
    let sample = Sample::new(text, group);
    let min_count = (sample.units / RAREST).max(1);
    let has_any_of =
        |from: u8, to: u8| (from..=to).map(|symbol| sample.count(symbol.into())).sum::<usize>() >= min_count;
    if !(has_any_of(b'A', b'Z') && has_any_of(b'a', b'z') && has_any_of(b'0', b'9')) {
        return false;
    }
    let start = text.get(group.first.start..).unwrap_or_default();
    if BEGINNINGS.iter().any(|beginning| starts_with_ascii(start, beginning)) {
        return true;
    }
    if sample.counts.iter().filter(|&&count| count >= min_count).count() < MIN_SYMBOLS {
        return false;
    }
    let has_both_signs = sample.escapes > 0 || alphabet.signs().into_iter().all(|sign| sample.count(sign) > 0);
    if !has_both_signs && !decodes_to_text(text, group) {
        return false;
    }
    !group.is_wrapped() || (has_encoders_width(group, alphabet, has_both_signs) && !has_columns(text, group))
}

struct Sample {
    counts: [usize; 128],
    units: usize,
    /// Units in escapes: only `+`, `/` and `=` are written as escapes.
    escapes: usize,
}

impl Sample {
    fn new(text: &[u16], group: &Group) -> Self {
        let mut sample = Self { counts: [0; 128], units: 0, escapes: 0 };
        let step = group.line_count().div_ceil(STRETCHES).max(1);
        let stretches_per_line = STRETCHES.div_ceil(group.line_count()).max(1);
        for line in group.lines(text).step_by(step) {
            for stretch in line.chunks((line.len() / stretches_per_line).max(STRETCH)) {
                sample.add(stretch.get(..STRETCH).unwrap_or(stretch));
            }
        }
        sample
    }

    fn add(&mut self, units: &[u16]) {
        self.units += units.len();
        for &unit in units {
            if matches!(unit, 0x5C | 0x25 | 0x26) {
                self.escapes += 1;
            } else if let Some(count) = self.counts.get_mut(usize::from(unit)) {
                *count += 1;
            }
        }
    }

    fn count(&self, symbol: u16) -> usize {
        self.counts.get(usize::from(symbol)).copied().unwrap_or(0)
    }
}

/// True if the run is encoded text: ASCII decodes to bytes below 128, most of them printable. Random letters decode to anything.
fn decodes_to_text(text: &[u16], group: &Group) -> bool {
    let units = group.lines(text).flatten();
    let values: Vec<u32> = units.filter_map(|&unit| symbol_value(unit)).take(2_048).collect();
    let bytes = values.chunks_exact(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, value| (bits << 6) | value);
        [bits >> 16, (bits >> 8) & 0xFF, bits & 0xFF]
    });
    let printable = bytes.filter(|byte| matches!(byte, 0x20..=0x7E | 0x09 | 0x0A | 0x0D)).count();
    let total = values.len() / 4 * 3;
    total > 0 && printable * 20 >= total * 19
}

/// Encoders wrap at 60 to 76 units, in groups of four; others fold at any width. Lists of keys are narrower.
fn has_encoders_width(group: &Group, alphabet: Alphabet, has_both_signs: bool) -> bool {
    let (is_in_fours, is_wide) = (group.width.is_multiple_of(4), group.width >= NARROW);
    let either_is_enough = alphabet == Alphabet::Standard && has_both_signs;
    if either_is_enough { is_in_fours || is_wide } else { is_in_fours && is_wide }
}

/// True if a column has the same symbol in all lines, as paths and identifiers do.
fn has_columns(text: &[u16], group: &Group) -> bool {
    let compared: Vec<&[u16]> = group
        .lines(text)
        .step_by((group.line_count() / COMPARED_LINES).max(1))
        .filter(|line| line.len() == group.width)
        .collect();
    let Some((first, others)) = compared.split_first() else { return false };
    if others.len() < COMPARED_LINES / 4 {
        return false;
    }
    first.iter().enumerate().any(|(column, &unit)| {
        is_symbol(unit, Alphabet::Standard) && others.iter().all(|line| line.get(column) == Some(&unit))
    })
}
