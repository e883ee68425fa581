//! Finds runs of lines that an earlier text of the prompt contains.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::failure::{Verdict, verdict};
use crate::references::lines::{self, Line};
use crate::references::reference::{Reference, Shortened, Source};
use crate::references::wording;
use crate::results::Language;
use crate::text::hash::Spread;
use crate::text::json_probe::object_members;
use crate::tools::ToolKind;

/// Shorter runs are sent: they are easier to read than a reference.
const MIN_LINES: usize = 6;
/// UTF-16 units that a reference must save, about 60 tokens. Shorter texts neither refer nor are referred to.
pub const MIN_UNITS_SAVED: usize = 240;
/// At most this many places with the same first lines are compared, newest first.
const MAX_COMPARED: usize = 6;
/// At most this many places are visited to find them: others may be outdated.
const MAX_LOOKED_AT: usize = 32;

#[derive(Debug, Clone)]
struct IndexedText {
    source: Source,
    lines: Vec<Line>,
    is_outdated: bool,
}

/// A line, linked to the previous one that begins with the same two lines.
#[derive(Debug, Clone, Copy)]
struct LinePlace {
    text: u32,
    line: u32,
    previous: Option<u32>,
}

/// The lines of all texts of one prompt as sent. Adding a text is linear in time and space.
#[derive(Debug, Clone)]
pub(super) struct LineIndex {
    language: Language,
    texts: Vec<IndexedText>,
    places: Vec<LinePlace>,
    /// The newest place for the hash of two lines.
    newest: HashMap<u64, u32, Spread>,
    by_source: BTreeMap<Source, Vec<u32>>,
}

impl LineIndex {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            texts: Vec::new(),
            places: Vec::new(),
            newest: HashMap::default(),
            by_source: BTreeMap::new(),
        }
    }

    /// Adds a text that is sent in full. Several texts may have the same source.
    pub(super) fn add(&mut self, source: Source, text: &[u16]) {
        if holds_runs(text) {
            self.index(source, lines::read(text));
        }
    }

    /// Adds the strings among the top-level values of a call's arguments, which are JSON text.
    pub(super) fn add_call(&mut self, source: Source, arguments: &[u16]) {
        object_members(arguments, |_, value| {
            if value.text.len() < MIN_UNITS_SAVED {
                return;
            }
            if let Some(text) = value.decode_string() {
                self.add(source, &text);
            }
        });
    }

    /// Stops references to the texts of `source`.
    pub(super) fn outdate(&mut self, source: Source) {
        for text in self.by_source.remove(&source).into_iter().flatten() {
            if let Some(text) = self.texts.get_mut(text as usize) {
                text.is_outdated = true;
            }
        }
    }

    /// Adds a result, omitting lines that an earlier text contains. `label_of` labels a source. `None` if it is sent in full.
    pub(super) fn shorten(
        &mut self,
        source: Source,
        text: &[u16],
        label_of: &mut dyn FnMut(Source) -> Vec<u16>,
    ) -> Option<Shortened> {
        if !holds_runs(text) {
            return None;
        }
        let mut lines = lines::read(text);
        let mut references = self.references(&lines, text, label_of);
        // A model must see all of an error.
        if !references.is_empty() && verdict(text, ToolKind::Command, None) == Verdict::Failed {
            references.clear();
        }
        for reference in &references {
            for line in lines.get_mut(reference.0.lines.clone()).into_iter().flatten() {
                line.is_sent = false;
            }
        }
        let shortened = (!references.is_empty()).then(|| wording::shortened(text, &lines, references));
        self.index(source, lines);
        shortened
    }

    /// References and their texts, in order.
    fn references(
        &self,
        lines: &[Line],
        text: &[u16],
        label_of: &mut dyn FnMut(Source) -> Vec<u16>,
    ) -> Vec<(Reference, Vec<u16>)> {
        let mut found: Vec<(Reference, Vec<u16>)> = Vec::new();
        let mut at = 0;
        while at + MIN_LINES <= lines.len() {
            let free = found.last().map_or(0, |(last, _)| last.lines.end)..at;
            let Some(run) = self.longest(lines, free) else {
                at += 1;
                continue;
            };
            if found.last().is_some_and(|(last, _)| overlap(last, &run)) {
                at = run.lines.end;
                continue;
            }
            let units = lines::span(text, lines, run.lines.clone()).len();
            if units < MIN_UNITS_SAVED {
                at += 1;
                continue;
            }
            let words = wording::line(self.language, &run, &label_of(run.source));
            if units < words.len() + MIN_UNITS_SAVED {
                at += 1;
                continue;
            }
            let end = run.lines.end;
            found.push((run, words));
            at = end;
        }
        found
    }

    /// The longest run of lines from `free.end` on that one text contains in one piece, extended by equal lines before it within `free`; the
    /// newest among equal lengths.
    fn longest(&self, lines: &[Line], free: Range<usize>) -> Option<Reference> {
        let at = free.end;
        let mut longest: Option<(usize, LinePlace)> = None;
        let mut next = self.newest.get(&lines::pair(lines, at)?).copied();
        let mut compared = 0;
        for _ in 0..MAX_LOOKED_AT {
            let Some(place) = next.and_then(|next| self.places.get(next as usize)) else { break };
            next = place.previous;
            let Some(text) = self.texts.get(place.text as usize) else { break };
            if text.is_outdated {
                continue;
            }
            let length = lines::common(lines, at, &text.lines, place.line as usize);
            if longest.is_none_or(|(most, _)| length > most) {
                longest = Some((length, *place));
            }
            compared += 1;
            if compared == MAX_COMPARED {
                break;
            }
        }
        let (length, place) = longest.filter(|&(length, _)| length >= MIN_LINES)?;
        let text = self.texts.get(place.text as usize)?;
        let source_at = place.line as usize;
        // Lines such as `{` begin no run.
        let previous = lines::common_before(lines, free, &text.lines, source_at);
        let source_lines = source_at - previous..source_at + length;
        let own = at - previous..at + length;
        Some(Reference {
            shown_lines: lines::shown_lines(lines, &own),
            source_shown_lines: lines::shown_lines(&text.lines, &source_lines),
            lines: own,
            source: text.source,
            source_lines,
        })
    }

    fn index(&mut self, source: Source, lines: Vec<Line>) {
        let Ok(text) = u32::try_from(self.texts.len()) else { return };
        self.places.reserve(lines.len());
        self.newest.reserve(lines.len());
        for at in 0..lines.len() {
            let Some(key) = lines::pair(&lines, at) else { continue };
            let (Ok(line), Ok(place)) = (u32::try_from(at), u32::try_from(self.places.len())) else { break };
            let previous = self.newest.insert(key, place);
            self.places.push(LinePlace { text, line, previous });
        }
        self.by_source.entry(source).or_default().push(text);
        self.texts.push(IndexedText { source, lines, is_outdated: false });
    }
}

/// True if a text has the lines and units that a run needs.
fn holds_runs(text: &[u16]) -> bool {
    text.len() >= MIN_UNITS_SAVED && lines::count_up_to(text, MIN_LINES) == MIN_LINES
}

/// True if both refer to the same lines of one text.
fn overlap(one: &Reference, other: &Reference) -> bool {
    let (first, second) = (&one.source_lines, &other.source_lines);
    one.source == other.source && first.start < second.end && second.start < first.end
}
