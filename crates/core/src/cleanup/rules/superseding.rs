//! Decides which results a later event makes outdated: a read that a later read covers, a read of a file edited
//! later, a command run again, a result returned again, an error resolved by a later success.
//!
//! In doubt results stay: only a later success supersedes, and calls with unknown arguments are ignored.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::cleanup::rules::line_range::{LineRange, lines_of};
use crate::cleanup::rules::memory::Look;
use crate::cleanup::rules::retention::{Candidates, Outdated};
use crate::cleanup::rules::supersession::Supersession;
use crate::conversation::RowKind;
use crate::text::json_probe::object_members;
use crate::text::utf16::equals_ascii;
use crate::tools::registry::COMMAND_KEYS;

/// Arguments that do not change what is run.
const BESIDE_COMMAND: [&str; 6] =
    ["description", "explanation", "timeout", "timeout_ms", "justification", "yield_time_ms"];

/// The key that two results must share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum HeldSubject {
    /// Group number of a path or command.
    Group(u32),
    /// A tool, and the length and hash of its arguments or result: storing the text would double the memory.
    Text(u32, usize, u64),
}

impl HeldSubject {
    fn text(tool: u32, text: &[u16]) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self::Text(tool, text.len(), hasher.finish())
    }
}

#[derive(Debug, Clone, Copy)]
struct HeldResult {
    row: u32,
    lines: LineRange,
    /// True once verified as a failure (for resolved errors) or as a success (for all other rules).
    is_judged: bool,
}

impl HeldResult {
    fn new(row: u32, lines: LineRange) -> Self {
        Self { row, lines, is_judged: false }
    }
}

/// Results that may still be superseded in a growing conversation.
///
/// Failure is checked only when a second result has the same subject, and a text is read only when a second one of its tool
/// has its length: most results are unique, and never read.
#[derive(Debug, Default)]
pub struct Superseding {
    held: HashMap<HeldSubject, Vec<HeldResult>>,
    /// For each tool and text length, the only result with it; `None` if there are several.
    alone: HashMap<(u32, usize), Option<u32>>,
}

impl Superseding {
    /// Results that new ones supersede and no rule has replaced. O(new results), plus their reads.
    pub fn outdated(
        &mut self,
        look: &mut Look<'_>,
        kind: &Supersession,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        let mut rows = self.advance(look, kind, candidates.first_new, candidates.dropped);
        rows.retain(|&row| !candidates.is_taken(row) && !look.is_spared(row as usize, now_ms));
        Outdated { rows, changes_at_ms: f64::INFINITY }
    }

    fn advance(
        &mut self,
        look: &mut Look<'_>,
        kind: &Supersession,
        first_new: usize,
        dropped: &[usize],
    ) -> Vec<u32> {
        let mut found = Vec::new();
        for index in first_new..look.conversation.len() {
            let is_result =
                look.conversation.row(index).is_some_and(|row| row.kind == RowKind::Tool && row.has_text);
            let Some(tool) = look.tool_of(index).filter(|_| is_result) else { continue };
            let Ok(row) = u32::try_from(index) else { break };
            if dropped.binary_search(&index).is_err() {
                self.meet(look, kind, (row, tool), &mut found);
            }
        }
        found
    }

    fn meet(
        &mut self,
        look: &mut Look<'_>,
        kind: &Supersession,
        (row, tool): (u32, u32),
        found: &mut Vec<u32>,
    ) {
        let index = row as usize;
        let covered = look.memory.covers_name(tool);
        let is_superseder = look.tools.get(tool as usize).is_some_and(|tool| kind.is_superseder(&tool.name));
        if !(covered || is_superseder) {
            return;
        }
        match kind {
            Supersession::EditedRead { .. } => self.read_or_edit(look, row, is_superseder, found),
            Supersession::IdenticalResult | Supersession::ResolvedError => {
                self.meet_text(look, kind, (row, tool), found);
            }
            Supersession::CoveredRead | Supersession::RepeatedCommand => {
                if let Some((subject, lines)) = subject_of(look, kind, index, tool) {
                    self.supersede(look, kind, subject, HeldResult::new(row, lines), found);
                }
            }
        }
    }

    /// Compares results by text. Texts are read only when a second result of the tool has the same length; then both are.
    fn meet_text(
        &mut self,
        look: &mut Look<'_>,
        kind: &Supersession,
        (row, tool): (u32, u32),
        found: &mut Vec<u32>,
    ) {
        let Some(length) = length_of(look, kind, row as usize) else { return };
        let other = match self.alone.entry((tool, length)) {
            Entry::Vacant(alone) => {
                alone.insert(Some(row));
                return;
            }
            Entry::Occupied(mut other) => other.get_mut().take(),
        };
        for row in other.into_iter().chain([row]) {
            if let Some(subject) = subject_of_text(look, kind, row, tool) {
                self.supersede(look, kind, subject, HeldResult::new(row, LineRange::ALL), found);
            }
        }
    }

    /// An edit supersedes the reads of its files; a read of several files stays.
    fn read_or_edit(&mut self, look: &mut Look<'_>, row: u32, is_edit: bool, found: &mut Vec<u32>) {
        if look.is_error(row as usize) {
            return;
        }
        let files = groups(look, row as usize);
        let is_one = files.len() == 1;
        for file in files {
            if is_edit {
                found.extend(self.held.remove(&file).unwrap_or_default().iter().map(|held| held.row));
            } else if is_one {
                self.held.entry(file).or_default().push(HeldResult::new(row, LineRange::ALL));
            }
        }
    }

    /// Makes `new` the current result of its subject, superseding those it covers; among failures, those it resolves.
    fn supersede(
        &mut self,
        look: &mut Look<'_>,
        kind: &Supersession,
        subject: HeldSubject,
        mut new: HeldResult,
        found: &mut Vec<u32>,
    ) {
        let held = self.held.entry(subject).or_default();
        if held.is_empty() {
            held.push(new);
            return;
        }
        let holds_failures = *kind == Supersession::ResolvedError;
        let is_held = |look: &mut Look<'_>, row: u32| {
            let index = row as usize;
            // A doubtful result neither resolves a failure nor is resolved.
            if holds_failures {
                look.is_error(index) && !look.is_doubtful(index)
            } else {
                !look.is_error(index)
            }
        };
        held.retain_mut(|held| {
            held.is_judged = held.is_judged || is_held(look, held.row);
            held.is_judged
        });
        new.is_judged = is_held(look, new.row);
        if holds_failures && !look.is_error(new.row as usize) {
            found.extend(held.drain(..).map(|failure| failure.row));
        }
        if !new.is_judged {
            return;
        }
        if !holds_failures {
            let covered = held.extract_if(.., |earlier| new.lines.covers(earlier.lines));
            found.extend(covered.map(|earlier| earlier.row));
        }
        held.push(new);
    }
}

/// A result's subject, and the part of it; `None` if unknown.
fn subject_of(
    look: &mut Look<'_>,
    kind: &Supersession,
    index: usize,
    tool: u32,
) -> Option<(HeldSubject, LineRange)> {
    match kind {
        Supersession::CoveredRead => {
            let lines = lines_of(&arguments(look, index)?)?;
            let [file] = <[HeldSubject; 1]>::try_from(groups(look, index)).ok()?;
            Some((file, lines))
        }
        Supersession::RepeatedCommand => {
            let said = command_in(&arguments(look, index)?)?;
            Some((HeldSubject::text(tool, &said), LineRange::ALL))
        }
        _ => None,
    }
}

/// Length of the text by which a tool's results are compared; `None` if there is none.
fn length_of(look: &mut Look<'_>, kind: &Supersession, index: usize) -> Option<usize> {
    if *kind == Supersession::ResolvedError {
        return look.texts.arguments_length(look.call_of(index)?);
    }
    let mut length = 0;
    look.texts.content_head(index, 0, &mut |_, whole| length = whole);
    (length > 0).then_some(length)
}

fn subject_of_text(look: &mut Look<'_>, kind: &Supersession, row: u32, tool: u32) -> Option<HeldSubject> {
    let (index, mut subject) = (row as usize, None);
    let mut read = |text: &[u16]| subject = Some(HeldSubject::text(tool, text));
    if *kind == Supersession::ResolvedError {
        look.texts.arguments(look.call_of(index)?, &mut read);
    } else {
        look.texts.content(index, &mut read);
    }
    subject
}

fn groups(look: &mut Look<'_>, index: usize) -> Vec<HeldSubject> {
    look.groups_of(index).iter().map(|&group| HeldSubject::Group(group)).collect()
}

/// A command with all arguments that it depends on; `None` if the call runs no command.
fn command_in(arguments: &[u16]) -> Option<Vec<u16>> {
    let (mut said, mut has_command) = (Vec::new(), false);
    let is_object = object_members(arguments, |key, value| {
        has_command |= COMMAND_KEYS.iter().any(|name| equals_ascii(key, name));
        if !BESIDE_COMMAND.iter().any(|name| equals_ascii(key, name)) {
            said.extend_from_slice(key);
            said.extend_from_slice(value.text);
        }
    });
    (is_object && has_command).then_some(said)
}

fn arguments(look: &mut Look<'_>, index: usize) -> Option<Vec<u16>> {
    let call = look.call_of(index)?;
    let mut said = None;
    look.texts.arguments(call, &mut |text| said = Some(text.to_vec()));
    said
}
