//! Answers a rule's questions about the results of one conversation, and stores the answers: a content is read only for a question that
//! nothing else answers.

use std::collections::HashMap;

use crate::cleanup::rules::ages::Ages;
use crate::cleanup::rules::content_checks::{ContentCheck, ContentChecks};
use crate::cleanup::rules::grouping::{Groups, keys_of};
use crate::cleanup::rules::placeholder::{CallFields, longest_of};
use crate::cleanup::rules::rule::{ErrorDetection, Rule};
use crate::cleanup::rules::timeline::Timeline;
use crate::conversation::requests::Requests;
use crate::conversation::{Conversation, NONE, Row, RowKind, RowTexts};
use crate::failure::{Verdict, ends_as_success, has_stderr, starts_as_error, verdict, verdict_by_head};
use crate::text::json_probe::grammar::{CLOSE_BRACE, OPEN_BRACE};
use crate::text::utf16::find;
use crate::tools::ToolKind;

/// Units of a content's start: enough to find `Error:` after ordinary white space.
const HEAD_UNITS: usize = 24;
/// Units of a content's end: enough for the end of a terminal result's object, with the command and time that some applications write there.
const END_UNITS: usize = 192;

/// A tool's name, and the kind of tool derived from it.
#[derive(Debug)]
pub struct NamedTool {
    pub name: Vec<u16>,
    pub kind: ToolKind,
}

/// A template filled in for one result.
#[derive(Debug, Default)]
pub struct Rendering {
    pub text: Vec<u16>,
    /// The content is already a placeholder, or no longer than this one (unless `may_lengthen`).
    pub is_spared: bool,
}

/// One rule's facts about one conversation.
#[derive(Debug, Default)]
pub struct RuleState {
    /// Checks that depend on the rule.
    pub checks: ContentChecks,
    /// For each tool number, whether the rule covers the tool.
    pub covered_names: Vec<bool>,
    /// For each row, its placeholder, if that does not change with time.
    pub renderings: HashMap<usize, Rendering>,
    /// Groups of calls that compete with each other.
    pub groups: Groups,
}

impl RuleState {
    /// True if the rule covers the tool with number `name`.
    pub fn covers_name(&self, name: u32) -> bool {
        self.covered_names.get(name as usize) == Some(&true)
    }

    /// Forgets rows and calls from these indices on.
    pub fn truncate(&mut self, rows: usize, calls: usize) {
        self.checks.truncate(rows);
        self.groups.truncate(calls);
    }
}

/// A rule's access to one conversation.
pub struct RuleContext<'a> {
    pub rule: &'a Rule,
    pub state: &'a mut RuleState,
    /// Checks that do not depend on the rule.
    pub checks: &'a mut ContentChecks,
    pub conversation: &'a Conversation,
    /// The candidates, their order and times.
    pub timeline: &'a Timeline,
    /// For how long results stay.
    pub ages: Ages,
    /// The request count, and the first request of each row.
    pub requests: &'a Requests,
    /// For each row, the index of the call that it answers, or [`NONE`].
    pub call_by_row: &'a [u32],
    /// For each tool number, the tool.
    pub tools: &'a [NamedTool],
    /// Source of the contents.
    pub texts: &'a mut dyn RowTexts,
    /// True if a placeholder may be as long as the content, or longer.
    pub placeholders_may_lengthen: bool,
}

impl<'a> RuleContext<'a> {
    /// The number of the tool whose result row `index` is, if its call is declared and named.
    pub fn tool_of(&self, index: usize) -> Option<u32> {
        let call = self.call_of(index)?;
        self.conversation.call(call).map(|call| call.name).filter(|&name| name != NONE)
    }

    /// The call that row `index` answers, if it is declared.
    pub fn call_of(&self, index: usize) -> Option<usize> {
        self.call_by_row.get(index).copied().filter(|&call| call != NONE).map(|call| call as usize)
    }

    /// True if the rule covers row `index` (R1.4): by the declared tool's name, or else by content.
    pub fn covers(&mut self, index: usize) -> bool {
        match self.tool_of(index) {
            Some(name) => self.state.covers_name(name),
            None => !self.rule.content_markers.is_empty() && self.check(index, ContentCheck::HasMarker),
        }
    }

    /// True if the rule covers the declared tool of row `index`.
    pub fn covers_tool_of(&self, index: usize) -> bool {
        self.tool_of(index).is_some_and(|name| self.state.covers_name(name))
    }

    /// True if row `index` is a result with a text, of a tool that the rule covers.
    pub fn is_covered_text(&self, index: usize) -> bool {
        let is_text = |row: &Row| row.kind == RowKind::Tool && row.has_text;
        self.conversation.row(index).is_some_and(is_text) && self.covers_tool_of(index)
    }

    /// True if row `index` is an error (R1.5).
    pub fn is_error(&mut self, index: usize) -> bool {
        match self.conversation.row(index) {
            Some(row) if row.status_error => return true,
            Some(Row { has_text: true, .. }) => {}
            _ => return false,
        }
        match self.rule.errors {
            ErrorDetection::Status => self.check(index, ContentCheck::StartsAsError),
            ErrorDetection::Original => {
                self.check(index, ContentCheck::StartsAsError)
                    || (self.covers(index) && self.check(index, ContentCheck::HasStderr))
            }
            ErrorDetection::Commands => {
                self.check(index, ContentCheck::StartsAsError)
                    || (self.covers(index) && self.has_failed(index))
            }
            ErrorDetection::Everywhere => self.has_failed(index),
        }
    }

    fn has_failed(&mut self, index: usize) -> bool {
        let check = ContentCheck::of_failure(self.tool_kind(index));
        self.check(index, check)
    }

    /// The tool kind of row `index`. Rows covered by a rule that reads exit codes count as commands, whatever their tool.
    fn tool_kind(&mut self, index: usize) -> ToolKind {
        let is_covered = match self.rule.errors {
            ErrorDetection::Everywhere => !self.rule.content_markers.is_empty() && self.covers(index),
            _ => self.covers(index),
        };
        if is_covered {
            return ToolKind::Command;
        }
        self.named_tool(index).map_or(ToolKind::Other, |tool| tool.kind)
    }

    /// The tool whose result row `index` is.
    pub fn named_tool(&self, index: usize) -> Option<&'a NamedTool> {
        self.tool_of(index).and_then(|name| self.tools.get(name as usize))
    }

    /// The groups in which row `index` competes; empty if they are unknown.
    pub fn groups_of(&mut self, index: usize) -> &[u32] {
        let Some(call) = self.call_of(index) else { return &[] };
        if self.state.groups.of_call(call).is_none() {
            let mut keys = Vec::new();
            self.texts.arguments(call, &mut |text| keys = keys_of(text, &self.rule.grouping));
            self.state.groups.note(call, keys);
            if self.state.groups.of_call(call).is_none_or(<[u32]>::is_empty) {
                let rule = self.rule.name.as_str();
                tracing::debug!(rule, index, reason = "no usable argument", "tool result left alone");
            }
        }
        self.state.groups.of_call(call).unwrap_or_default()
    }

    /// True if any placeholder of row `index` is allowed, however long: a content with images or other media is always longer.
    pub fn may_lengthen(&self, index: usize) -> bool {
        self.placeholders_may_lengthen || self.conversation.row(index).is_some_and(|row| row.has_media)
    }

    /// The answer to `check` for row `index`: stored, or read from its content.
    pub fn check(&mut self, index: usize, check: ContentCheck) -> bool {
        if let Some(known) = self.known(index, check) {
            return known;
        }
        // The cheapest read that may answer comes first.
        match check {
            ContentCheck::StartsAsError | ContentCheck::IsSpared => self.read_head(index),
            ContentCheck::HasMarker | ContentCheck::HasStderr => {}
            _ => self.look_for_failure(index, check.tool_kind()),
        }
        if self.known(index, check).is_none() {
            self.read_whole(index, check);
        }
        self.known(index, check).unwrap_or(false)
    }

    fn known(&self, index: usize, check: ContentCheck) -> Option<bool> {
        if check.depends_on_rule() { &self.state.checks } else { &*self.checks }.known(index, check)
    }

    /// Stores whether the call failed, if the first or last units of its result show it.
    fn look_for_failure(&mut self, index: usize, tool: ToolKind) {
        let (check, checks) = (ContentCheck::of_failure(tool), &mut *self.checks);
        let mut is_object = false;
        self.texts.content_head(index, HEAD_UNITS, &mut |head, len| {
            if let Some(verdict) = verdict_by_head(head, head.len() == len, tool) {
                checks.store(index, check, verdict != Verdict::Succeeded);
            } else {
                let first = head.iter().find(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09));
                is_object = first == Some(&OPEN_BRACE);
            }
        });
        if is_object {
            self.texts.content_to_only(index, CLOSE_BRACE, END_UNITS, &mut |end| {
                if ends_as_success(end) {
                    checks.store(index, check, false);
                }
            });
        }
    }

    /// Stores what the first units of a content show.
    fn read_head(&mut self, index: usize) {
        let (fixed, earlier) = (self.rule.placeholder.fixed(), &self.rule.earlier_placeholders);
        let no_call = CallFields::default();
        let limit =
            fixed.map_or(HEAD_UNITS, |text| HEAD_UNITS.max(longest_of(earlier, no_call).max(text.len()) + 1));
        let may_lengthen = self.may_lengthen(index);
        let (rule_checks, checks) = (&mut self.state.checks, &mut *self.checks);
        self.texts.content_head(index, limit, &mut |head, len| {
            if let Some(is_error) = starts_as_error(head, head.len() == len) {
                checks.store(index, ContentCheck::StartsAsError, is_error);
            }
            if let Some(text) = fixed {
                let is_placeholder = head == text || earlier.iter().any(|text| text.matches(head, no_call));
                let is_longer = len > text.len();
                let is_spared = (head.len() == len && is_placeholder) || !(may_lengthen || is_longer);
                rule_checks.store(index, ContentCheck::IsSpared, is_spared);
            }
        });
    }

    /// Stores the answer to `wanted`, from the whole content.
    fn read_whole(&mut self, index: usize, wanted: ContentCheck) {
        let tool = wanted.tool_kind();
        let (rule_checks, checks, rule) = (&mut self.state.checks, &mut *self.checks, self.rule);
        self.texts.content(index, &mut |content| match wanted {
            ContentCheck::HasMarker => {
                let marked = rule.content_markers.iter().any(|marker| find(content, marker).is_some());
                rule_checks.store(index, wanted, marked);
            }
            ContentCheck::HasStderr => checks.store(index, wanted, has_stderr(content)),
            ContentCheck::IsSpared => {}
            ContentCheck::StartsAsError => {
                checks.store(index, wanted, starts_as_error(content, true).unwrap_or(false));
            }
            _ => checks.store(index, wanted, verdict(content, tool, None) != Verdict::Succeeded),
        });
    }
}
