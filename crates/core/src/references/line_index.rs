//! Finds runs of lines that an earlier text of the prompt contains.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::numbered_lines::{self, Line};
use super::reference::{LabelOf, Reference, Shortened, Source, apply_references, reference_text};
use crate::failure::{Verdict, verdict};
use crate::results::Language;
use crate::text::hash::BuildKeyHasher;
use crate::text::json_probe::object_members;
use crate::text::utf16::NEWLINE;
use crate::tools::ToolKind;

/// Shorter runs are sent: they are easier to read than a reference.
const MIN_LINES: usize = 6;
/// UTF-16 units that a reference must save, about 60 tokens. Shorter texts neither refer nor are referred to.
pub const MIN_UNITS_SAVED: usize = 240;
/// At most this many earlier places with the same first two lines are compared, newest first.
const MAX_COMPARED: usize = 6;
/// At most this many places are visited to find those, since some may be outdated.
const MAX_VISITED: usize = 32;

#[derive(Debug, Clone)]
struct IndexedText {
    source: Source,
    lines: Vec<Line>,
    is_outdated: bool,
}

/// A place where a run may begin, linked to the previous one with the same two lines.
#[derive(Debug, Clone, Copy)]
struct IndexedLine {
    /// Index into `LineIndex::texts`.
    text: u32,
    line: u32,
    /// Index into `LineIndex::indexed_lines`.
    previous: Option<u32>,
}

/// The lines of all texts of one prompt as sent. Adding a text is linear in time and space.
#[derive(Debug, Clone, Default)]
pub(super) struct LineIndex {
    language: Language,
    texts: Vec<IndexedText>,
    indexed_lines: Vec<IndexedLine>,
    /// For the hash of two lines, the index of the newest place where they begin.
    newest: HashMap<u64, u32, BuildKeyHasher>,
    by_source: BTreeMap<Source, Vec<u32>>,
}

impl LineIndex {
    pub(super) fn new(language: Language) -> Self {
        Self { language, ..Self::default() }
    }

    /// Adds a text that is sent in full. Several texts may have the same source.
    pub(super) fn add(&mut self, source: Source, text: &[u16]) {
        if is_long_enough(text) {
            self.insert(source, numbered_lines::read(text));
        }
    }

    pub(super) fn add_call(&mut self, source: Source, arguments: &[u16]) {
        object_members(arguments, |_, value| {
            if value.text.len() >= MIN_UNITS_SAVED
                && let Some(text) = value.decode_string()
            {
                self.add(source, &text);
            }
        });
    }

    pub(super) fn outdate(&mut self, source: Source) {
        for text in self.by_source.remove(&source).into_iter().flatten() {
            if let Some(text) = self.texts.get_mut(text as usize) {
                text.is_outdated = true;
            }
        }
    }

    /// Adds a result, and replaces lines that an earlier text contains by references. `None` if it is sent in full.
    pub(super) fn shorten(&mut self, source: Source, text: &[u16], label_of: &mut LabelOf<'_>) -> Option<Shortened> {
        if !is_long_enough(text) {
            return None;
        }
        let mut lines = numbered_lines::read(text);
        let mut references = self.find_references(&lines, text, label_of);
        // A model must see all of an error.
        if !references.is_empty() && verdict(text, ToolKind::Command, None) == Verdict::Failed {
            references.clear();
        }
        for (reference, _) in &references {
            for line in lines.get_mut(reference.lines.clone()).into_iter().flatten() {
                line.is_sent = false;
            }
        }
        let shortened = (!references.is_empty()).then(|| apply_references(text, &lines, references));
        self.insert(source, lines);
        shortened
    }

    /// The references that replace `lines` of `text`, each with its words.
    fn find_references(&self, lines: &[Line], text: &[u16], label_of: &mut LabelOf<'_>) -> Vec<(Reference, Vec<u16>)> {
        let mut found: Vec<(Reference, Vec<u16>)> = Vec::new();
        let mut at = 0;
        while at + MIN_LINES <= lines.len() {
            let previous = found.last().map(|(reference, _)| reference);
            let free = previous.map_or(0, |previous| previous.lines.end)..at;
            let Some(run) = self.longest_run(lines, free) else {
                at += 1;
                continue;
            };
            let run_end = run.lines.end;
            if previous.is_some_and(|previous| overlap(previous, &run)) {
                at = run_end;
            } else if let Some(words) = self.words_if_shorter(&run, lines, text, label_of) {
                at = run_end;
                found.push((run, words));
            } else {
                at += 1;
            }
        }
        found
    }

    /// The words of a reference to `run`; `None` if it would save fewer than [`MIN_UNITS_SAVED`].
    fn words_if_shorter(
        &self,
        run: &Reference,
        lines: &[Line],
        text: &[u16],
        label_of: &mut LabelOf<'_>,
    ) -> Option<Vec<u16>> {
        let units = numbered_lines::span(text, lines, run.lines.clone()).len();
        if units < MIN_UNITS_SAVED {
            return None;
        }
        let words = reference_text(self.language, run, &label_of(run.source));
        (units >= words.len() + MIN_UNITS_SAVED).then_some(words)
    }

    /// The longest run of lines from `free.end` on that one text contains in one piece, of equally long ones the
    /// newest. Equal lines before it, within `free`, are added.
    fn longest_run(&self, lines: &[Line], free: Range<usize>) -> Option<Reference> {
        let at = free.end;
        let mut next = self.newest.get(&numbered_lines::pair_key(lines, at)?).copied();
        let places = std::iter::from_fn(|| {
            let place = self.indexed_lines.get(next? as usize)?;
            next = place.previous;
            Some((self.texts.get(place.text as usize)?, place.line as usize))
        });
        // The run's length, its text, and its first line there.
        let mut longest: Option<(usize, &IndexedText, usize)> = None;
        for (text, line) in places.take(MAX_VISITED).filter(|(text, _)| !text.is_outdated).take(MAX_COMPARED) {
            let length = numbered_lines::equal_count(lines, at, &text.lines, line);
            if longest.is_none_or(|(most, ..)| length > most) {
                longest = Some((length, text, line));
            }
        }
        let (length, text, source_at) = longest.filter(|&(length, ..)| length >= MIN_LINES)?;
        // Short lines such as `{` begin no run, but may precede one.
        let before = numbered_lines::equal_count_before(lines, free, &text.lines, source_at);
        let source_lines = source_at - before..source_at + length;
        let omitted = at - before..at + length;
        Some(Reference {
            shown_lines: numbered_lines::shown_lines(lines, &omitted),
            source_shown_lines: numbered_lines::shown_lines(&text.lines, &source_lines),
            lines: omitted,
            source: text.source,
            source_lines,
        })
    }

    fn insert(&mut self, source: Source, lines: Vec<Line>) {
        let Ok(text) = u32::try_from(self.texts.len()) else { return };
        self.indexed_lines.reserve(lines.len());
        self.newest.reserve(lines.len());
        for at in 0..lines.len() {
            let Some(key) = numbered_lines::pair_key(&lines, at) else { continue };
            let (Ok(line), Ok(newest)) = (u32::try_from(at), u32::try_from(self.indexed_lines.len())) else {
                break;
            };
            let previous = self.newest.insert(key, newest);
            self.indexed_lines.push(IndexedLine { text, line, previous });
        }
        self.by_source.entry(source).or_default().push(text);
        self.texts.push(IndexedText { source, lines, is_outdated: false });
    }
}

fn is_long_enough(text: &[u16]) -> bool {
    text.len() >= MIN_UNITS_SAVED && text.split(|&unit| unit == NEWLINE).nth(MIN_LINES - 1).is_some()
}

fn overlap(one: &Reference, other: &Reference) -> bool {
    let (first, second) = (&one.source_lines, &other.source_lines);
    one.source == other.source && first.start < second.end && second.start < first.end
}
