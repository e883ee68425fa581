//! Keeps only the last frame of a progress bar: tools draw each frame over the previous one, after a `\r`.

use super::error_line_text::without_escapes;
use super::error_lines::is_error_line;
use super::first_non_blank;
use crate::text::utf16::{NEWLINE, letter, position};
use std::borrow::Cow;

const RETURN: u16 = b'\r' as u16;
/// Pairs of frames that decide whether a line was redrawn.
const JUDGED_PAIRS: usize = 64;
/// The number of first letters that two frames of one bar share.
const ALIKE_LETTERS: usize = 4;

/// Each line of `text` with its last frame only, plus earlier frames with an error as lines of their own. A `\r` may also be an old Mac's
/// line end; then the lines differ, and all stay. Never longer than `text`. O(text).
pub(super) fn without_old_frames(text: &[u16]) -> Cow<'_, [u16]> {
    if !has_frames(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 1);
    for line in text.split(|&unit| unit == NEWLINE) {
        push_line(&mut out, line);
        out.push(NEWLINE);
    }
    out.pop();
    Cow::Owned(out)
}

/// True if a line continues after a `\r`.
fn has_frames(mut text: &[u16]) -> bool {
    while let Some(at) = position(text, RETURN) {
        text = text.get(at + 1..).unwrap_or_default();
        if !matches!(text.first(), None | Some(&(NEWLINE | RETURN))) {
            return true;
        }
    }
    false
}

fn push_line(out: &mut Vec<u16>, line: &[u16]) {
    let end = line.iter().rposition(|&unit| unit != RETURN).map_or(0, |last| last + 1);
    let (drawn, returns) = line.split_at_checked(end).unwrap_or((line, &[]));
    if !drawn.contains(&RETURN) {
        out.extend_from_slice(line);
        return;
    }
    let has_visible_text = |frame: &&[u16]| first_non_blank(&without_escapes(frame)).is_some();
    let frames: Vec<&[u16]> = drawn.split(|&unit| unit == RETURN).filter(has_visible_text).collect();
    let Some((last, earlier)) = frames.split_last().filter(|_| is_redrawn(&frames)) else {
        return out.extend_from_slice(line);
    };
    let mut errors: Vec<&[u16]> = earlier.iter().copied().filter(|frame| is_error_line(frame)).collect();
    errors.dedup();
    for frame in errors.into_iter().filter(|frame| frame != last) {
        out.extend_from_slice(frame);
        out.push(NEWLINE);
    }
    out.extend_from_slice(last);
    out.extend_from_slice(returns);
}

/// True if at least half of the frames resemble the next one or show progress.
fn is_redrawn(frames: &[&[u16]]) -> bool {
    let pairs = frames.windows(2).take(JUDGED_PAIRS);
    let alike = pairs.clone().filter(|pair| match pair {
        [frame, next] => shows_progress(frame) || letters_of(frame).eq(letters_of(next)),
        _ => false,
    });
    alike.count() * 2 >= pairs.count()
}

/// `45%`, `3/10`, a bar, a spinner, or an escape sequence that clears the line.
fn shows_progress(frame: &[u16]) -> bool {
    let letters: Vec<char> = frame.iter().map(|&unit| letter(unit)).collect();
    letters.iter().any(|letter| matches!(letter, '─'..='◿' | '⠀'..='⣿'))
        || letters.windows(2).any(|pair| matches!(pair, ['0'..='9', '%']))
        || letters.windows(3).any(|three| {
            let is_count = matches!(three, ['0'..='9', '/', '0'..='9']);
            let is_bar = matches!(three, ['#', '#', '#'] | ['=', '=', '=' | '>']);
            is_count || is_bar || matches!(three, ['\u{1b}', '[', 'K'] | ['[', '0' | '2', 'K'])
        })
}

fn letters_of(frame: &[u16]) -> impl Iterator<Item = u16> + '_ {
    let is_letter = |unit: &u16| matches!(unit, 0x41..=0x5A | 0x61..=0x7A | 0xC0..);
    frame.iter().copied().filter(is_letter).take(ALIKE_LETTERS)
}
