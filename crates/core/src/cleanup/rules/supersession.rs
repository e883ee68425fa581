//! Decides which results something later has made worthless: a read that a later one covers, a read of a file that was
//! edited since, a command that was run again, a result that came again, a failure that a later success resolved.
//!
//! Conservative in doubt: only a later success supersedes, and a call that says what isn't understood is left alone.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::cleanup::rules::line_range::{LineRange, lines_of};
use crate::cleanup::rules::memory::Look;
use crate::cleanup::rules::retention::{Candidates, Outdated};
use crate::conversation::RowKind;
use crate::text::json_probe::object_members;
use crate::text::utf16::ascii_lower;
use crate::tools::registry::COMMAND_KEYS;

/// Arguments that say nothing about what is run.
const BESIDE_COMMAND: [&str; 6] =
    ["description", "explanation", "timeout", "timeout_ms", "justification", "yield_time_ms"];

/// What makes an earlier result worthless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Supersession {
    /// A later read of the same path gives the same lines, or more.
    CoveredRead,
    /// A later call of one of these tools, in lower case, changes the path.
    EditedRead { tools: Vec<Vec<u16>> },
    /// A later call runs the same command with the same tool.
    RepeatedCommand,
    /// A later result of the same tool is the same text.
    IdenticalResult,
    /// The result is an error, and a later call with the same arguments succeeded.
    ResolvedError,
}

impl Supersession {
    /// Whether results of all tools are looked at.
    pub fn covers_every_tool(&self) -> bool {
        matches!(self, Self::IdenticalResult | Self::ResolvedError)
    }

    /// Whether calls of the tool called `name`, that the rule doesn't cover, may supersede results that it does.
    pub fn is_superseder(&self, name: &[u16]) -> bool {
        let Self::EditedRead { tools } = self else { return false };
        let folded: Vec<u16> = name.iter().map(|&unit| ascii_lower(unit)).collect();
        tools.contains(&folded)
    }
}

/// What two results must have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Subject {
    /// A path or a command, as its group is numbered.
    Group(u32),
    /// A tool, and the text that it was given, or gave: its length and its hash, since keeping it would double the memory.
    Text(u32, usize, u64),
}

impl Subject {
    fn text(tool: u32, text: &[u16]) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self::Text(tool, text.len(), hasher.finish())
    }
}

#[derive(Debug, Clone, Copy)]
struct Held {
    row: u32,
    lines: LineRange,
}

/// What may still be superseded in a conversation that grows.
#[derive(Debug, Default)]
pub struct Superseding {
    held: HashMap<Subject, Vec<Held>>,
    /// Tools of which a failure waits for a success.
    failed: Vec<u32>,
}

impl Superseding {
    /// What something new supersedes, and nobody has replaced. O(new results) and what they are looked into.
    pub fn outdated(
        &mut self,
        look: &mut Look<'_>,
        kind: &Supersession,
        candidates: Candidates<'_>,
        now_ms: f64,
    ) -> Outdated {
        let mut rows = self.advance(look, kind, candidates.first_new, candidates.dropped);
        rows.retain(|&row| !candidates.is_taken(row) && !look.is_spared(row as usize, now_ms));
        Outdated { rows, riding: Vec::new(), changes_at_ms: f64::INFINITY }
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
        let is_superseder = look.names.get(tool as usize).is_some_and(|name| kind.is_superseder(name));
        if !(covered || is_superseder) {
            return;
        }
        let is_error = look.is_error(index);
        if *kind == Supersession::ResolvedError {
            // What only may have failed is no failure that something resolves, and no success that does.
            if is_error && look.is_doubtful(index) {
                return;
            }
            self.resolve(look, (row, tool), is_error, found);
            return;
        }
        if is_error {
            return;
        }
        if matches!(kind, Supersession::EditedRead { .. }) {
            self.read_or_edit(groups(look, index), row, is_superseder, found);
        } else if let Some((subject, lines)) = subject_of(look, kind, index, tool) {
            self.replace(subject, Held { row, lines }, found);
        }
    }

    /// An edit takes the reads of its files; a read of several files stays.
    fn read_or_edit(&mut self, files: Vec<Subject>, row: u32, is_edit: bool, found: &mut Vec<u32>) {
        let is_one = files.len() == 1;
        for file in files {
            if is_edit {
                found.extend(self.held.remove(&file).unwrap_or_default().iter().map(|held| held.row));
            } else if is_one {
                self.held.entry(file).or_default().push(Held { row, lines: LineRange::ALL });
            }
        }
    }

    /// `held` stands for its subject from now on, and supersedes what it covers.
    fn replace(&mut self, subject: Subject, held: Held, found: &mut Vec<u32>) {
        let before = self.held.entry(subject).or_default();
        before.retain(|earlier| {
            let is_covered = held.lines.covers(earlier.lines);
            if is_covered {
                found.push(earlier.row);
            }
            !is_covered
        });
        before.push(held);
    }

    fn resolve(
        &mut self,
        look: &mut Look<'_>,
        (row, tool): (u32, u32),
        is_error: bool,
        found: &mut Vec<u32>,
    ) {
        // A success is looked into only where the same tool has failed.
        if !(is_error || self.failed.contains(&tool)) {
            return;
        }
        let Some(said) = arguments(look, row as usize) else { return };
        let subject = Subject::text(tool, &said);
        if is_error {
            if !self.failed.contains(&tool) {
                self.failed.push(tool);
            }
            self.held.entry(subject).or_default().push(Held { row, lines: LineRange::ALL });
        } else {
            found.extend(self.held.remove(&subject).unwrap_or_default().iter().map(|held| held.row));
        }
    }
}

/// What a result is about, and which part of it; none where that can't be told.
fn subject_of(
    look: &mut Look<'_>,
    kind: &Supersession,
    index: usize,
    tool: u32,
) -> Option<(Subject, LineRange)> {
    match kind {
        Supersession::CoveredRead => {
            let lines = lines_of(&arguments(look, index)?)?;
            let [file] = <[Subject; 1]>::try_from(groups(look, index)).ok()?;
            Some((file, lines))
        }
        Supersession::RepeatedCommand => {
            let said = command_in(&arguments(look, index)?)?;
            Some((Subject::text(tool, &said), LineRange::ALL))
        }
        Supersession::IdenticalResult => {
            let mut text = Vec::new();
            look.texts.content(index, &mut |content| text = content.to_vec());
            (!text.is_empty()).then_some((Subject::text(tool, &text), LineRange::ALL))
        }
        Supersession::EditedRead { .. } | Supersession::ResolvedError => None,
    }
}

fn groups(look: &mut Look<'_>, index: usize) -> Vec<Subject> {
    look.groups_of(index).iter().map(|&group| Subject::Group(group)).collect()
}

/// A command as it was called, with all that it depends on; none where the call runs none.
fn command_in(arguments: &[u16]) -> Option<Vec<u16>> {
    let (mut said, mut has_command) = (Vec::new(), false);
    let is_object = object_members(arguments, |key, value| {
        let name = String::from_utf16_lossy(key);
        has_command |= COMMAND_KEYS.contains(&name.as_str());
        if !BESIDE_COMMAND.contains(&name.as_str()) {
            said.extend_from_slice(key);
            said.extend_from_slice(value.text);
        }
    });
    (is_object && has_command).then_some(said)
}

/// What the call of row `index` said.
fn arguments(look: &mut Look<'_>, index: usize) -> Option<Vec<u16>> {
    let call = look.call_of(index)?;
    let mut said = None;
    look.texts.arguments(call, &mut |text| said = Some(text.to_vec()));
    said
}
