//! What a rule has learnt by looking into contents, so that it looks once: an agent asks again before every
//! request, with a conversation that only grew.

use crate::cache::aging::Lives;
use crate::cleanup::rules::grouping::Groups;
use crate::cleanup::rules::placeholder::{Filling, Known, Placeholder};
use crate::cleanup::rules::timeline::Timeline;
use crate::cleanup::rules::{ErrorDetection, Rule};
use crate::conversation::requests::Requests;
use crate::conversation::{Conversation, NONE, Row, Texts};
use crate::failure::{Verdict, ends_as_success, has_stderr, starts_as_error, verdict, verdict_by_head};
use crate::text::json_probe::grammar::{CLOSE_BRACE, OPEN_BRACE};
use crate::text::utf16::{find, to_utf8, units};
use crate::tools::label::subject_of;
use crate::tools::{self, ToolKind};

/// A yes or no that may not have been asked yet, two bits each.
mod fact {
    pub const STARTS_AS_ERROR: u8 = 0;
    pub const HAS_MARKER: u8 = 2;
    /// It says that its call failed, or may have.
    pub const HAS_FAILED: u8 = 4;
    /// It may have, and may as well not.
    pub const IS_DOUBTFUL: u8 = 6;
    pub const IS_SPARED: u8 = 8;
}

/// Enough of a content to see `Error:` behind ordinary white space.
const HEAD_UNITS: usize = 24;
/// Enough to see how a terminal result's object ended, and the command and time that some hosts write into it.
const END_UNITS: usize = 192;

/// One rule's memory of one conversation.
#[derive(Debug, Default)]
pub struct Memory {
    facts: Vec<u16>,
    covered_names: Vec<bool>,
    /// Which calls compete with which.
    pub groups: Groups,
}

impl Memory {
    /// Whether the rule covers tool `number`, which is called `name`.
    pub fn note_name(&mut self, number: u32, covered: bool) {
        let slot = number as usize;
        if self.covered_names.len() <= slot {
            self.covered_names.resize(slot + 1, false);
        }
        if let Some(entry) = self.covered_names.get_mut(slot) {
            *entry = covered;
        }
    }

    /// Whether the rule covers tool `number`.
    #[must_use]
    pub fn covers_name(&self, number: u32) -> bool {
        self.covered_names.get(number as usize).copied().unwrap_or(false)
    }

    /// Forgets rows and calls from these on.
    pub fn truncate(&mut self, rows: usize, calls: usize) {
        self.facts.truncate(rows);
        self.groups.truncate(calls);
    }

    /// Forgets what was seen in row `index`: its content has changed.
    pub fn forget(&mut self, index: usize) {
        if let Some(facts) = self.facts.get_mut(index) {
            *facts = 0;
        }
    }

    fn known(&self, index: usize, fact: u8) -> Option<bool> {
        let facts = self.facts.get(index).copied().unwrap_or(0) >> fact;
        (facts & 1 == 1).then_some(facts & 2 == 2)
    }

    fn learn_verdict(&mut self, index: usize, verdict: Verdict) {
        self.learn(index, fact::HAS_FAILED, verdict != Verdict::Succeeded);
        self.learn(index, fact::IS_DOUBTFUL, verdict == Verdict::Doubtful);
    }

    fn learn(&mut self, index: usize, fact: u8, holds: bool) {
        if self.facts.len() <= index {
            self.facts.resize(index + 1, 0);
        }
        if let Some(facts) = self.facts.get_mut(index) {
            *facts = (*facts & !(3 << fact)) | ((1 | (u16::from(holds) << 1)) << fact);
        }
    }
}

/// A rule while it looks into one conversation.
pub struct Look<'a> {
    pub rule: &'a Rule,
    /// The facts that the rule has learnt.
    pub memory: &'a mut Memory,
    pub conversation: &'a Conversation,
    /// What is a candidate, in which order and since when.
    pub timeline: &'a Timeline,
    /// How long results stay.
    pub lives: Lives,
    /// How many requests there were, and which sent each row first.
    pub requests: &'a Requests,
    /// For every row, the call it answers.
    pub resolved: &'a [u32],
    /// Tool names by number.
    pub names: &'a [Vec<u16>],
    /// Where contents are read from.
    pub texts: &'a mut dyn Texts,
    /// Whether a placeholder may be as long as what it replaces, or longer.
    pub may_lengthen: bool,
}

impl<'a> Look<'a> {
    /// The number of the tool that row `index` is a result of, when its call is declared and named.
    #[must_use]
    pub fn tool_of(&self, index: usize) -> Option<u32> {
        let call = self.resolved.get(index).copied().filter(|&call| call != NONE)?;
        self.conversation.call(call as usize).map(|call| call.name).filter(|&name| name != NONE)
    }

    /// The call that row `index` answers, when it is declared.
    #[must_use]
    pub fn call_of(&self, index: usize) -> Option<usize> {
        self.resolved.get(index).copied().filter(|&call| call != NONE).map(|call| call as usize)
    }

    /// Whether the rule covers row `index` (R1.4): the declared tool's name decides; where there is none,
    /// the content.
    pub fn covers(&mut self, index: usize) -> bool {
        match self.tool_of(index) {
            Some(name) => self.memory.covers_name(name),
            None => !self.rule.content_markers.is_empty() && self.fact(index, fact::HAS_MARKER),
        }
    }

    /// Whether row `index` is an error (R1.5).
    pub fn is_error(&mut self, index: usize) -> bool {
        match self.conversation.row(index) {
            Some(row) if row.status_error => return true,
            Some(Row { has_text: true, .. }) => {}
            _ => return false,
        }
        match self.rule.errors {
            ErrorDetection::Status => self.fact(index, fact::STARTS_AS_ERROR),
            ErrorDetection::Seed | ErrorDetection::Commands => {
                self.fact(index, fact::STARTS_AS_ERROR)
                    || (self.covers(index) && self.fact(index, fact::HAS_FAILED))
            }
            ErrorDetection::Everywhere => self.fact(index, fact::HAS_FAILED),
        }
    }

    /// Whether row `index`, which is an error, may as well be none.
    pub fn is_doubtful(&mut self, index: usize) -> bool {
        let is_marked = self.conversation.row(index).is_some_and(|row| row.status_error);
        !is_marked && self.fact(index, fact::HAS_FAILED) && self.fact(index, fact::IS_DOUBTFUL)
    }

    /// Whether row `index` is the result of a command. What a rule by exit codes covers is one, whatever its tool is called.
    fn tool_kind(&mut self, index: usize) -> ToolKind {
        let is_covered = match self.rule.errors {
            ErrorDetection::Everywhere => !self.rule.content_markers.is_empty() && self.covers(index),
            _ => self.covers(index),
        };
        if is_covered {
            return ToolKind::Command;
        }
        let name = self.tool_of(index).and_then(|name| self.names.get(name as usize));
        name.map_or(ToolKind::Other, |name| tools::kind_of(&to_utf8(name)))
    }

    /// Whether replacing row `index` would do nothing: it has been replaced before (R1.6), or its content is no
    /// longer than the placeholder, where that counts.
    pub fn is_spared(&mut self, index: usize, now_ms: f64) -> bool {
        if self.rule.placeholder.fixed().is_some() {
            return self.fact(index, fact::IS_SPARED);
        }
        let rendered = if self.may_lengthen { 0 } else { self.rendered(index, now_ms).len() };
        let (path, about) = (self.path_of(index), self.about(index));
        let known = Known { tool: self.name_of(index), path: &path, about: &about };
        let (placeholder, earlier) = (&self.rule.placeholder, &self.rule.earlier_placeholders);
        let longest = longest_of(earlier, known).max(placeholder.longest(known));
        let must_shorten = !self.may_lengthen && !self.has_media(index);
        let mut is = false;
        self.texts.content_head(index, longest + 1, &mut |head, len| {
            let replaced = placeholder.is(head, known) || earlier.iter().any(|text| text.is(head, known));
            is = (len <= longest && replaced) || (must_shorten && len <= rendered);
        });
        is
    }

    /// The placeholder's text for row `index`.
    pub fn rendered(&mut self, index: usize, now_ms: f64) -> Vec<u16> {
        let (mut chars, mut lines) = (0, 0);
        if self.rule.placeholder.shows_lines() {
            self.texts.content(index, &mut |content| (chars, lines) = (content.len(), lines_in(content)));
        } else {
            self.texts.content_head(index, 0, &mut |_, len| chars = len);
        }
        let (path, about) = (self.path_of(index), self.about(index));
        let tool = self.name_of(index);
        let age_ms = now_ms - self.timeline.since_ms(self.conversation, index);
        let handle = self.requests.handle_of(self.conversation, index);
        let filling = Filling { tool, path: &path, about: &about, lines, handle, chars, age_ms };
        self.rule.placeholder.render(&filling)
    }

    /// The file or the head of the command that the call names, where the placeholder says it.
    fn about(&mut self, index: usize) -> Vec<u16> {
        let reads = self.rule.placeholder.shows_call() && self.rule.reads_arguments();
        let (Some(call), Some(tool)) = (self.call_of(index).filter(|_| reads), self.name_of(index)) else {
            return Vec::new();
        };
        let (tool, mut about) = (to_utf8(tool), String::new());
        self.texts.arguments(call, &mut |text| about = subject_of(&tool, &String::from_utf16_lossy(text)));
        units(&about)
    }

    fn name_of(&self, index: usize) -> Option<&'a [u16]> {
        self.tool_of(index).and_then(|name| self.names.get(name as usize)).map(Vec::as_slice)
    }

    /// The groups that row `index` competes in; empty when it can't be told.
    pub fn groups_of(&mut self, index: usize) -> &[u32] {
        let Some(call) = self.resolved.get(index).copied().filter(|&call| call != NONE) else { return &[] };
        let call = call as usize;
        if self.memory.groups.of_call(call).is_none() {
            let mut noted = false;
            let (groups, grouping) = (&mut self.memory.groups, &self.rule.grouping);
            self.texts.arguments(call, &mut |text| {
                groups.note(call, Some(text), grouping);
                noted = true;
            });
            if !noted {
                self.memory.groups.note(call, None, grouping);
            }
            if self.memory.groups.of_call(call).is_none_or(<[u32]>::is_empty) {
                let rule = self.rule.name.as_str();
                tracing::debug!(rule, index, reason = "no usable argument", "tool result left alone");
            }
        }
        self.memory.groups.of_call(call).unwrap_or_default()
    }

    fn has_media(&self, index: usize) -> bool {
        self.conversation.row(index).is_some_and(|row| row.has_media)
    }

    fn path_of(&mut self, index: usize) -> Vec<u16> {
        let groups = self.groups_of(index).to_vec();
        let keys: Vec<&[u16]> = groups.iter().map(|&group| self.memory.groups.key(group)).collect();
        keys.join(&[0x2C, 0x20][..])
    }

    fn fact(&mut self, index: usize, fact: u8) -> bool {
        if let Some(known) = self.memory.known(index, fact) {
            return known;
        }
        // The cheapest look that may settle it comes first.
        if fact == fact::HAS_FAILED {
            self.look_for_failure(index);
        } else if fact != fact::HAS_MARKER {
            self.read_head(index);
        }
        if self.memory.known(index, fact).is_none() {
            self.read_whole(index, fact);
        }
        self.memory.known(index, fact).unwrap_or(false)
    }

    /// Whether the call failed, where the first or the last units of its result tell.
    fn look_for_failure(&mut self, index: usize) {
        if self.rule.errors == ErrorDetection::Seed {
            return;
        }
        let tool = self.tool_kind(index);
        let memory = &mut *self.memory;
        let mut is_object = false;
        self.texts.content_head(index, HEAD_UNITS, &mut |head, len| {
            if let Some(verdict) = verdict_by_head(head, head.len() == len, tool) {
                memory.learn_verdict(index, verdict);
            } else {
                let first = head.iter().find(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09));
                is_object = first == Some(&OPEN_BRACE);
            }
        });
        if is_object {
            self.texts.content_to_only(index, CLOSE_BRACE, END_UNITS, &mut |end| {
                if ends_as_success(end) {
                    memory.learn_verdict(index, Verdict::Succeeded);
                }
            });
        }
    }

    fn read_head(&mut self, index: usize) {
        let (fixed, earlier) = (self.rule.placeholder.fixed(), &self.rule.earlier_placeholders);
        let known = Known { tool: None, path: &[], about: &[] };
        let limit =
            fixed.map_or(HEAD_UNITS, |text| HEAD_UNITS.max(longest_of(earlier, known).max(text.len()) + 1));
        let may_lengthen = self.may_lengthen || self.has_media(index);
        let memory = &mut *self.memory;
        self.texts.content_head(index, limit, &mut |head, len| {
            if let Some(starts) = starts_as_error(head, head.len() == len) {
                memory.learn(index, fact::STARTS_AS_ERROR, starts);
            }
            if let Some(text) = fixed {
                let replaced = head == text || earlier.iter().any(|text| text.is(head, known));
                let is_longer = len > text.len();
                let is_spared = (head.len() == len && replaced) || !(may_lengthen || is_longer);
                memory.learn(index, fact::IS_SPARED, is_spared);
            }
        });
    }

    fn read_whole(&mut self, index: usize, wanted: u8) {
        let tool = if wanted == fact::HAS_FAILED { self.tool_kind(index) } else { ToolKind::Other };
        let (memory, rule) = (&mut *self.memory, self.rule);
        self.texts.content(index, &mut |content| match wanted {
            fact::HAS_MARKER => {
                let marked = rule.content_markers.iter().any(|marker| find(content, marker).is_some());
                memory.learn(index, fact::HAS_MARKER, marked);
            }
            fact::HAS_FAILED if rule.errors == ErrorDetection::Seed => {
                memory.learn(index, wanted, has_stderr(content));
            }
            fact::HAS_FAILED => memory.learn_verdict(index, verdict(content, tool, None)),
            _ => memory.learn(index, wanted, starts_as_error(content, true).unwrap_or(false)),
        });
    }
}

fn longest_of(texts: &[Placeholder], known: Known<'_>) -> usize {
    texts.iter().map(|text| text.longest(known)).max().unwrap_or(0)
}

/// A line end at the end ends the last line.
fn lines_in(content: &[u16]) -> usize {
    const END: u16 = 0x0A;
    let ends = content.iter().filter(|&&unit| unit == END).count();
    ends + usize::from(content.last().is_some_and(|&last| last != END))
}
