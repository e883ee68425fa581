//! Compares lines of texts, separating the line numbers that a tool printed.

use std::ops::Range;

use crate::text::hash::{fnv1a, spread};
use crate::text::utf16::{NEWLINE, is_white_space, letter};

/// Lines with fewer visible units, such as `}`, begin no run: they would begin too many.
const MIN_VISIBLE_UNITS: usize = 4;
/// A printed line number has at most this many digits.
const MAX_DIGITS: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// Hash of the line without its number.
    hash: u64,
    /// The line number that the tool printed; 0 for none. Numbers that don't increase by one from line to line, as a
    /// file's do, are content.
    number: u32,
    /// Offset in the text, in UTF-16 units.
    start: usize,
    may_begin_run: bool,
    /// False if a reference replaces the line.
    pub is_sent: bool,
}

pub(super) fn read(text: &[u16]) -> Vec<Line> {
    let lines: Vec<&[u16]> = text.split(|&unit| unit == NEWLINE).collect();
    let numbers: Vec<Option<(u32, usize)>> = lines.iter().map(|line| printed_number(line)).collect();
    let number_at = |at: usize| numbers.get(at).copied().flatten().map(|(number, _)| number);
    let (mut read, mut start) = (Vec::with_capacity(lines.len()), 0);
    for (at, (line, printed)) in lines.iter().zip(&numbers).enumerate() {
        let counted = printed.filter(|&(number, _)| {
            at.checked_sub(1).and_then(number_at) == Some(number - 1) || number_at(at + 1) == Some(number + 1)
        });
        let (number, content_start) = counted.unwrap_or_default();
        let content = line.get(content_start..).unwrap_or_default();
        let hash = fnv1a(content.iter().copied());
        read.push(Line { hash, number, start, may_begin_run: may_begin_run(content), is_sent: true });
        start += line.len() + 1;
    }
    read
}

/// Key of the runs that begin with the two lines at `at`; `None` if no run may begin there.
pub(super) fn pair_key(lines: &[Line], at: usize) -> Option<u64> {
    let (first, second) = (lines.get(at)?, lines.get(at + 1)?);
    let may_begin = first.may_begin_run && first.is_sent && second.is_sent;
    may_begin.then(|| spread(first.hash, second.hash))
}

/// The number of lines from `at` on that equal those from `other_at` on of the other text.
pub(super) fn equal_count(lines: &[Line], at: usize, others: &[Line], other_at: usize) -> usize {
    let (Some(first), Some(other_first)) = (lines.get(at), others.get(other_at)) else { return 0 };
    let pairs = lines.iter().skip(at).zip(others.iter().skip(other_at)).zip(0..);
    let is_equal = |&((line, other), nth): &((&Line, &Line), u32)| {
        is_same_and_sent(line, other)
            && continues_numbering(first, line, nth)
            && continues_numbering(other_first, other, nth)
    };
    pairs.take_while(is_equal).count()
}

/// The number of equal lines before `at` and before `other_at` that begin no run; `at` is the end of the range, and
/// lines before its start don't count.
pub(super) fn equal_count_before(lines: &[Line], range: Range<usize>, others: &[Line], other_at: usize) -> usize {
    let (Some(first), Some(other_first)) = (lines.get(range.end), others.get(other_at)) else { return 0 };
    let lines = lines.get(range).unwrap_or_default().iter().rev();
    let pairs = lines.zip(others.get(..other_at).unwrap_or_default().iter().rev()).zip(1..);
    let is_equal = |&((line, other), nth): &((&Line, &Line), u32)| {
        !line.may_begin_run
            && is_same_and_sent(line, other)
            && continues_numbering(line, first, nth)
            && continues_numbering(other, other_first, nth)
    };
    pairs.take_while(is_equal).count()
}

/// True if `other`, which has the same content, is not itself replaced by a reference.
fn is_same_and_sent(line: &Line, other: &Line) -> bool {
    line.hash == other.hash && other.is_sent
}

/// True if `line`, the `nth` one after `first`, continues its numbering, or neither has a number.
fn continues_numbering(first: &Line, line: &Line, nth: u32) -> bool {
    if first.number == 0 { line.number == 0 } else { line.number == first.number.saturating_add(nth) }
}

/// The printed numbers of the lines, or counted from 1 if they have none. `range` is not empty.
pub(super) fn shown_lines(lines: &[Line], range: &Range<usize>) -> Range<u32> {
    let printed = lines.get(range.start).map_or(0, |line| line.number);
    let first = if printed > 0 { printed } else { u32::try_from(range.start + 1).unwrap_or(u32::MAX) };
    first..first.saturating_add(u32::try_from(range.len()).unwrap_or(u32::MAX))
}

/// Range of these lines in `text`, without the last line feed.
pub(super) fn span(text: &[u16], lines: &[Line], range: Range<usize>) -> Range<usize> {
    let start = lines.get(range.start).map_or(text.len(), |line| line.start);
    let end = lines.get(range.end).map_or(text.len(), |line| line.start - 1);
    start..end.max(start)
}

fn may_begin_run(line: &[u16]) -> bool {
    line.iter().filter(|&&unit| !is_white_space(unit)).take(MIN_VISIBLE_UNITS).count() == MIN_VISIBLE_UNITS
}

/// The number before a line, and the offset of the line's own text: `    12→`, `12:`, `L12: `, `12 | `, and `12` with a tab.
fn printed_number(line: &[u16]) -> Option<(u32, usize)> {
    let unit = |at: usize| line.get(at).copied().unwrap_or(0);
    let is = |at: usize, letter: u8| unit(at) == u16::from(letter);
    let mut at = line.iter().take_while(|&&unit| unit == u16::from(b' ')).count();
    let has_letter = is(at, b'L');
    at += usize::from(has_letter);
    let digits = line.iter().skip(at).take_while(|&&unit| letter(unit).is_ascii_digit());
    let digit_count = digits.take(MAX_DIGITS + 1).count();
    let end = at + digit_count;
    if digit_count == 0 || digit_count > MAX_DIGITS {
        return None;
    }
    let digits = line.get(at..end)?.iter().filter_map(|&unit| letter(unit).to_digit(10));
    let number = digits.fold(0, |sum, digit| sum * 10 + digit);
    let bar = end + usize::from(is(end, b' '));
    let content_start = if unit(end) == 0x2192 || is(end, b'\t') {
        end + 1
    } else if is(end, b':') {
        end + 1 + usize::from(has_letter && is(end + 1, b' '))
    } else if is(bar, b'|') {
        bar + 1 + usize::from(is(bar + 1, b' '))
    } else {
        return None;
    };
    (number > 0).then_some((number, content_start))
}
