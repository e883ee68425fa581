//! Decides which results a later event makes outdated: a read that a later read covers, a command run again, a
//! result returned again, an error resolved by a later success.
//!
//! In doubt results stay: only a later success supersedes, and calls with unknown arguments are ignored.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::cleanup::rules::context::RuleContext;
use crate::cleanup::rules::line_range::{LineRange, lines_of};
use crate::cleanup::rules::retention::{Candidates, Outdated};
use crate::cleanup::rules::supersession::Supersession;
use crate::conversation::RowKind;
use crate::text::json_probe::object_members;
use crate::text::utf16::equals_ascii;
use crate::tools::registry::COMMAND_KEYS;

/// Arguments that do not change what is run.
const IGNORED_ARGUMENTS: [&str; 6] =
    ["description", "explanation", "timeout", "timeout_ms", "justification", "yield_time_ms"];

/// The key that two results must share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum SubjectKey {
    /// Group number of a path or command.
    Group(u32),
    /// A tool, and the length and hash of its arguments or result: storing the text would double the memory.
    Text(u32, usize, u64),
}

impl SubjectKey {
    fn text(tool: u32, text: &[u16]) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self::Text(tool, text.len(), hasher.finish())
    }
}

#[derive(Debug, Clone, Copy)]
struct OpenResult {
    row: u32,
    lines: LineRange,
    /// True once verified as a failure (for resolved errors) or as a success (for all other rules).
    is_verified: bool,
}

impl OpenResult {
    fn new(row: u32, lines: LineRange) -> Self {
        Self { row, lines, is_verified: false }
    }
}

/// Results that may still be superseded in a growing conversation.
///
/// Failure is checked only when a second result has the same subject, and a text is read only when a second one of its tool
/// has its length: most results are unique, and never read.
#[derive(Debug, Default)]
pub struct Superseding {
    open: HashMap<SubjectKey, Vec<OpenResult>>,
    /// For each tool and text length, the only result with it; `None` if there are several.
    only_of_length: HashMap<(u32, usize), Option<u32>>,
}

impl Superseding {
    /// Results that new ones supersede and no rule has replaced. O(new results), plus their reads.
    pub fn outdated(
        &mut self,
        context: &mut RuleContext<'_>,
        kind: Supersession,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        let mut rows = self.advance(context, kind, candidates.first_new, candidates.dropped);
        rows.retain(|&row| !candidates.is_replaced_earlier(row) && !context.is_spared(row as usize, now_ms));
        Outdated { rows, changes_at_ms: f64::INFINITY }
    }

    fn advance(
        &mut self,
        context: &mut RuleContext<'_>,
        kind: Supersession,
        first_new: usize,
        dropped: &[usize],
    ) -> Vec<u32> {
        let mut found = Vec::new();
        for index in first_new..context.conversation.len() {
            let is_result =
                context.conversation.row(index).is_some_and(|row| row.kind == RowKind::Tool && row.has_text);
            let Some(tool) = context.tool_of(index).filter(|_| is_result) else { continue };
            let Ok(row) = u32::try_from(index) else { break };
            if dropped.binary_search(&index).is_err() {
                self.add_result(context, kind, (row, tool), &mut found);
            }
        }
        found
    }

    fn add_result(
        &mut self,
        context: &mut RuleContext<'_>,
        kind: Supersession,
        (row, tool): (u32, u32),
        found: &mut Vec<u32>,
    ) {
        let index = row as usize;
        if !context.state.covers_name(tool) {
            return;
        }
        match kind {
            Supersession::IdenticalResult | Supersession::ResolvedError => {
                self.compare_text(context, kind, (row, tool), found);
            }
            Supersession::CoveredRead | Supersession::RepeatedCommand => {
                if let Some((subject, lines)) = subject_of(context, kind, index, tool) {
                    self.supersede(context, kind, subject, OpenResult::new(row, lines), found);
                }
            }
        }
    }

    /// Compares results by text. Texts are read only when a second result of the tool has the same length; then both are.
    fn compare_text(
        &mut self,
        context: &mut RuleContext<'_>,
        kind: Supersession,
        (row, tool): (u32, u32),
        found: &mut Vec<u32>,
    ) {
        let Some(length) = length_of(context, kind, row as usize) else { return };
        let other = match self.only_of_length.entry((tool, length)) {
            Entry::Vacant(only_of_length) => {
                only_of_length.insert(Some(row));
                return;
            }
            Entry::Occupied(mut other) => other.get_mut().take(),
        };
        for row in other.into_iter().chain([row]) {
            if let Some(subject) = subject_of_text(context, kind, row, tool) {
                self.supersede(context, kind, subject, OpenResult::new(row, LineRange::ALL), found);
            }
        }
    }

    /// Makes `new` the current result of its subject, superseding those it covers; among failures, those it resolves.
    fn supersede(
        &mut self,
        context: &mut RuleContext<'_>,
        kind: Supersession,
        subject: SubjectKey,
        mut new: OpenResult,
        found: &mut Vec<u32>,
    ) {
        let open = self.open.entry(subject).or_default();
        if open.is_empty() {
            open.push(new);
            return;
        }
        let keeps_failures = kind == Supersession::ResolvedError;
        let is_kept = |context: &mut RuleContext<'_>, row: u32| {
            let index = row as usize;
            // A doubtful result neither resolves a failure nor is resolved.
            if keeps_failures {
                context.is_error(index) && !context.is_doubtful(index)
            } else {
                !context.is_error(index)
            }
        };
        open.retain_mut(|open| {
            open.is_verified = open.is_verified || is_kept(context, open.row);
            open.is_verified
        });
        new.is_verified = is_kept(context, new.row);
        if keeps_failures && !context.is_error(new.row as usize) {
            found.extend(open.drain(..).map(|failure| failure.row));
        }
        if !new.is_verified {
            return;
        }
        if !keeps_failures {
            let covered = open.extract_if(.., |earlier| new.lines.covers(earlier.lines));
            found.extend(covered.map(|earlier| earlier.row));
        }
        open.push(new);
    }
}

/// A result's subject, and the part of it; `None` if unknown.
fn subject_of(
    context: &mut RuleContext<'_>,
    kind: Supersession,
    index: usize,
    tool: u32,
) -> Option<(SubjectKey, LineRange)> {
    match kind {
        Supersession::CoveredRead => {
            let lines = lines_of(&arguments(context, index)?)?;
            let [file] = <[SubjectKey; 1]>::try_from(groups(context, index)).ok()?;
            Some((file, lines))
        }
        Supersession::RepeatedCommand => {
            let arguments_text = command_in(&arguments(context, index)?)?;
            Some((SubjectKey::text(tool, &arguments_text), LineRange::ALL))
        }
        _ => None,
    }
}

/// Length of the text by which a tool's results are compared; `None` if there is none.
fn length_of(context: &mut RuleContext<'_>, kind: Supersession, index: usize) -> Option<usize> {
    if kind == Supersession::ResolvedError {
        return context.texts.arguments_length(context.call_of(index)?);
    }
    let mut length = 0;
    context.texts.content_head(index, 0, &mut |_, whole| length = whole);
    (length > 0).then_some(length)
}

fn subject_of_text(
    context: &mut RuleContext<'_>,
    kind: Supersession,
    row: u32,
    tool: u32,
) -> Option<SubjectKey> {
    let (index, mut subject) = (row as usize, None);
    let mut read = |text: &[u16]| subject = Some(SubjectKey::text(tool, text));
    if kind == Supersession::ResolvedError {
        context.texts.arguments(context.call_of(index)?, &mut read);
    } else {
        context.texts.content(index, &mut read);
    }
    subject
}

fn groups(context: &mut RuleContext<'_>, index: usize) -> Vec<SubjectKey> {
    context.groups_of(index).iter().map(|&group| SubjectKey::Group(group)).collect()
}

/// A command with all arguments that it depends on; `None` if the call runs no command.
fn command_in(arguments: &[u16]) -> Option<Vec<u16>> {
    let (mut arguments_text, mut has_command) = (Vec::new(), false);
    let is_object = object_members(arguments, |key, value| {
        has_command |= COMMAND_KEYS.iter().any(|name| equals_ascii(key, name));
        if !IGNORED_ARGUMENTS.iter().any(|name| equals_ascii(key, name)) {
            arguments_text.extend_from_slice(key);
            arguments_text.extend_from_slice(value.text);
        }
    });
    (is_object && has_command).then_some(arguments_text)
}

fn arguments(context: &mut RuleContext<'_>, index: usize) -> Option<Vec<u16>> {
    let call = context.call_of(index)?;
    let mut arguments_text = None;
    context.texts.arguments(call, &mut |text| arguments_text = Some(text.to_vec()));
    arguments_text
}
