//! Distinguishes base64 from other long text of the same letters: lists of paths and identifiers, DNA, digits, hex dumps.
//!
//! An encoder's output uses upper and lower case, digits and (unless it encodes text) the alphabet's two other symbols.
//! In wrapped data no column has the same symbol in all lines. Identifiers fail at least one of these tests.

use super::base64_group::Group;
use super::base64_tokens::{Alphabet, is_symbol};

/// How many stretches are sampled, evenly over the run, and the units of each.
const STRETCHES: usize = 64;
const STRETCH: usize = 128;

/// A run with fewer different symbols is a repetition, or has a smaller alphabet: hexadecimal digits in both cases are 22.
const MIN_SYMBOLS: usize = 24;

/// A symbol that is rarer than one in this many is there by accident.
const RAREST: usize = 4_096;

/// Narrower lines must contain both other symbols, and whole groups of four.
const NARROW: usize = 56;

/// How many lines are compared column by column.
const COMPARED_LINES: usize = 64;

/// Beginnings of common binary files: these count as data, however monotonous they are.
const BEGINNINGS: [&str; 20] = [
    "iVBORw0KGgo", // PNG
    "/9j/",        // JPEG
    "R0lGOD",      // GIF
    "UklGR",       // WebP, WAV, AVI
    "Qk0",         // BMP
    "Qk1", "Qk2", "Qk3", "JVBERi0",    // PDF
    "UEsDB",      // ZIP, and Office documents
    "H4sI",       // gzip
    "AAABAA",     // ICO
    "SUkqA",      // TIFF
    "TU0AK",      // TIFF
    "SUQz",       // MP3
    "T2dnUw",     // Ogg
    "AAAAGGZ0eX", // MP4
    "AAAAHGZ0eX", "AAAAIGZ0eX", "d09GM", // WOFF2
];

pub fn looks_like_base64(text: &[u16], group: &Group, alphabet: Alphabet) -> bool {
    let sample = Sample::new(text, group);
    let common = (sample.seen / RAREST).max(1);
    let has = |from: u8, to: u8| (from..=to).map(|symbol| sample.count(symbol)).sum::<usize>() >= common;
    let has_all_kinds = has(b'A', b'Z') && has(b'a', b'z') && has(b'0', b'9');
    if !has_all_kinds || begins_as_a_file(text, group) {
        return has_all_kinds;
    }
    if sample.counts.iter().filter(|&&count| count >= common).count() < MIN_SYMBOLS {
        return false;
    }
    let has_both = sample.escapes > 0 || {
        let [a, b] = if alphabet == Alphabet::Standard { [b'+', b'/'] } else { [b'-', b'_'] };
        sample.count(a) > 0 && sample.count(b) > 0
    };
    if !has_both && !decodes_to_text(text, group) {
        return false;
    }
    !group.is_wrapped() || (has_encoders_width(group, alphabet, has_both) && !has_columns(text, group))
}

struct Sample {
    counts: [usize; 128],
    seen: usize,
    /// Units in escapes: only `+`, `/` and `=` are written as escapes.
    escapes: usize,
}

impl Sample {
    fn new(text: &[u16], group: &Group) -> Self {
        let mut sample = Self { counts: [0; 128], seen: 0, escapes: 0 };
        let step = group.count().div_ceil(STRETCHES).max(1);
        let each = STRETCHES.div_ceil(group.count());
        for segment in group.segments().step_by(step) {
            let units = text.get(segment).unwrap_or_default();
            let apart = (units.len() / each.max(1)).max(STRETCH);
            for stretch in units.chunks(apart) {
                sample.add(stretch.get(..STRETCH).unwrap_or(stretch));
            }
        }
        sample
    }

    fn add(&mut self, units: &[u16]) {
        self.seen += units.len();
        for &unit in units {
            if matches!(unit, 0x5C | 0x25 | 0x26) {
                self.escapes += 1;
            } else if let Some(count) = self.counts.get_mut(usize::from(unit)) {
                *count += 1;
            }
        }
    }

    fn count(&self, symbol: u8) -> usize {
        self.counts.get(usize::from(symbol)).copied().unwrap_or(0)
    }
}

fn begins_as_a_file(text: &[u16], group: &Group) -> bool {
    let Some(start) = text.get(group.first.start..) else { return false };
    BEGINNINGS.iter().any(|beginning| crate::text::utf16::starts_with_ascii(start, beginning))
}

/// True if the run is encoded text: ASCII decodes to bytes below 128, most of them printable. Random letters decode to anything.
fn decodes_to_text(text: &[u16], group: &Group) -> bool {
    let units = group.segments().flat_map(|segment| text.get(segment).unwrap_or_default());
    let values: Vec<u32> = units.filter_map(|&unit| value_of(unit)).take(2_048).collect();
    let bytes = values.chunks_exact(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, value| (bits << 6) | value);
        [bits >> 16, (bits >> 8) & 0xFF, bits & 0xFF]
    });
    let (mut all, mut printable) = (0, 0);
    for byte in bytes {
        all += 1;
        printable += usize::from(matches!(byte, 0x20..=0x7E | 0x09 | 0x0A | 0x0D));
    }
    all > 0 && printable * 20 >= all * 19
}

fn value_of(unit: u16) -> Option<u32> {
    let unit = u32::from(unit);
    Some(match unit {
        0x41..=0x5A => unit - 0x41,
        0x61..=0x7A => unit - 0x61 + 26,
        0x30..=0x39 => unit - 0x30 + 52,
        0x2B | 0x2D => 62,
        0x2F | 0x5F => 63,
        _ => return None,
    })
}

/// Encoders wrap at 60 to 76 units, in groups of four; others fold at any width. Lists of keys are narrower.
fn has_encoders_width(group: &Group, alphabet: Alphabet, has_both: bool) -> bool {
    let is_in_fours = group.width.is_multiple_of(4);
    match alphabet {
        Alphabet::Standard if has_both => is_in_fours || group.width >= NARROW,
        _ => is_in_fours && group.width >= NARROW,
    }
}

/// True if a column has the same symbol in all lines, as paths and identifiers do.
fn has_columns(text: &[u16], group: &Group) -> bool {
    let lines: Vec<&[u16]> = group
        .segments()
        .step_by((group.count() / COMPARED_LINES).max(1))
        .filter_map(|segment| text.get(segment))
        .filter(|line| line.len() == group.width)
        .collect();
    let Some((first, others)) = lines.split_first() else { return false };
    if others.len() < COMPARED_LINES / 4 {
        return false;
    }
    first.iter().enumerate().any(|(column, &unit)| {
        is_symbol(unit, Alphabet::Standard) && others.iter().all(|line| line.get(column) == Some(&unit))
    })
}
