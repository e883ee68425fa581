//! Answers a rule's questions about the results of one conversation, and stores the answers: a content is read only for a question that
//! nothing else answers.

use std::collections::HashMap;

use crate::cleanup::policy::Policy;
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

/// A question about a content, answered at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentCheck {
    StartsAsError,
    /// Read as a command's output, it shows that the call failed or possibly failed.
    CommandFailed,
    /// Read as any other tool's output, it shows that the call failed or possibly failed.
    OtherFailed,
    HasMarker,
    /// It is one JSON object with a non-empty `stderr`.
    HasStderr,
    /// It is a placeholder already, or no longer than the rule's placeholder.
    IsSpared,
}

const CHECK_COUNT: usize = ContentCheck::IsSpared as usize + 1;

impl ContentCheck {
    /// The kind of tool whose output the content is taken for; all kinds but commands are the same.
    pub fn tool_kind(self) -> ToolKind {
        if self == Self::CommandFailed { ToolKind::Command } else { ToolKind::Other }
    }
}

/// For each row, the answers so far, in the order of [`ContentCheck`].
#[derive(Debug, Default)]
pub struct ContentChecks(Vec<[Option<bool>; CHECK_COUNT]>);

impl ContentChecks {
    pub fn known(&self, row: usize, check: ContentCheck) -> Option<bool> {
        *self.0.get(row)?.get(check as usize)?
    }

    pub fn store(&mut self, row: usize, check: ContentCheck, holds: bool) {
        if self.0.len() <= row {
            self.0.resize(row + 1, [None; CHECK_COUNT]);
        }
        if let Some(answer) = self.0.get_mut(row).and_then(|answers| answers.get_mut(check as usize)) {
            *answer = Some(holds);
        }
    }

    pub fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows);
    }

    pub fn forget(&mut self, row: usize) {
        if let Some(answers) = self.0.get_mut(row) {
            *answers = [None; CHECK_COUNT];
        }
    }
}

#[derive(Debug)]
pub struct NamedTool {
    pub name: Vec<u16>,
    pub kind: ToolKind,
}

/// A result's placeholder from a template.
#[derive(Debug, Default)]
pub struct Rendering {
    pub text: Vec<u16>,
    /// The content is already a placeholder, or no longer than this one (unless `may_lengthen`).
    pub is_spared: bool,
}

#[derive(Debug, Default)]
pub struct RuleState {
    /// Checks that depend on the rule.
    pub checks: ContentChecks,
    /// For each tool number, whether the rule covers the tool.
    pub covered_names: Vec<bool>,
    /// For each row, its placeholder, if that does not change with time.
    pub renderings: HashMap<usize, Rendering>,
    pub groups: Groups,
}

/// One evaluation of a rule: its access to the conversation, and the rows that it may replace.
pub struct RuleContext<'a> {
    pub rule: &'a Rule,
    pub rule_number: u32,
    pub policy: &'a Policy,
    pub state: &'a mut RuleState,
    /// Checks that do not depend on the rule.
    pub checks: &'a mut ContentChecks,
    pub conversation: &'a Conversation,
    pub timeline: &'a Timeline,
    pub requests: &'a Requests,
    /// For each row, the index of the call that it answers, or [`NONE`].
    pub call_by_row: &'a [u32],
    pub tools: &'a [NamedTool],
    pub texts: &'a mut dyn RowTexts,
    pub now_ms: f64,
    /// Rows from here on are not judged yet.
    pub first_new: usize,
    /// Rows from here on have no following assistant message yet.
    pub answered_rows: usize,
    /// Removed rows, ascending.
    pub dropped: &'a [usize],
    /// For each row, the index of the rule that has replaced it. The result still counts as a success.
    pub replaced_by: &'a [Option<u32>],
}

impl<'a> RuleContext<'a> {
    /// The rows to judge for the first time, without removed ones.
    pub fn new_rows(&self) -> impl Iterator<Item = u32> + use<'a> {
        let dropped = self.dropped;
        let rows = (self.first_new..self.conversation.len()).map_while(|row| u32::try_from(row).ok());
        rows.filter(|&row| dropped.binary_search(&(row as usize)).is_err())
    }

    pub fn replacing_rule(&self, row: u32) -> Option<u32> {
        self.replaced_by.get(row as usize).copied().flatten()
    }

    pub fn is_replaced_earlier(&self, row: u32) -> bool {
        self.replacing_rule(row).is_some_and(|rule| rule < self.rule_number)
    }

    /// The number of the tool whose result row `index` is, if its call is declared and named.
    pub fn tool_of(&self, index: usize) -> Option<u32> {
        let call = self.call_of(index)?;
        self.conversation.call(call).map(|call| call.name).filter(|&name| name != NONE)
    }

    pub fn named_tool(&self, index: usize) -> Option<&'a NamedTool> {
        self.tools.get(self.tool_of(index)? as usize)
    }

    pub fn call_of(&self, index: usize) -> Option<usize> {
        self.call_by_row.get(index).filter(|&&call| call != NONE).map(|&call| call as usize)
    }

    /// Whether the rule covers the declared tool of row `index`; `None` if its tool is unknown.
    pub fn covers_tool_of(&self, index: usize) -> Option<bool> {
        Some(self.state.covered_names.get(self.tool_of(index)? as usize) == Some(&true))
    }

    /// True if the rule covers row `index` (R1.4): by the declared tool's name, or else by content.
    pub fn covers(&mut self, index: usize) -> bool {
        self.covers_tool_of(index)
            .unwrap_or_else(|| !self.rule.content_markers.is_empty() && self.check(index, ContentCheck::HasMarker))
    }

    pub fn is_covered_text(&self, index: usize) -> bool {
        let is_text = |row: &Row| row.kind == RowKind::Tool && row.has_text;
        self.conversation.row(index).is_some_and(is_text) && self.covers_tool_of(index) == Some(true)
    }

    pub fn is_error(&mut self, index: usize) -> bool {
        match self.conversation.row(index) {
            Some(row) if row.status_error => return true,
            Some(Row { has_text: true, .. }) => {}
            _ => return false,
        }
        if self.rule.errors == ErrorDetection::Everywhere {
            return self.has_failed(index);
        }
        self.check(index, ContentCheck::StartsAsError)
            || match self.rule.errors {
                ErrorDetection::Original => self.covers(index) && self.check(index, ContentCheck::HasStderr),
                ErrorDetection::Commands => self.covers(index) && self.has_failed(index),
                ErrorDetection::Status | ErrorDetection::Everywhere => false,
            }
    }

    /// Rows covered by a rule that reads exit codes are read as output of commands, whatever their tool.
    fn has_failed(&mut self, index: usize) -> bool {
        let reads_exit_codes = self.rule.errors != ErrorDetection::Everywhere || !self.rule.content_markers.is_empty();
        let is_command = (reads_exit_codes && self.covers(index))
            || self.named_tool(index).is_some_and(|tool| tool.kind == ToolKind::Command);
        self.check(index, if is_command { ContentCheck::CommandFailed } else { ContentCheck::OtherFailed })
    }

    /// The groups in which row `index` competes; empty if they are unknown.
    pub fn groups_of(&mut self, index: usize) -> &[u32] {
        let Some(call) = self.call_of(index) else { return &[] };
        if self.state.groups.of_call(call).is_none() {
            let mut keys = Vec::new();
            self.texts.arguments(call, &mut |text| keys = keys_of(text, &self.rule.grouping));
            if keys.is_empty() {
                let rule = self.rule.name.as_str();
                tracing::debug!(rule, index, reason = "no usable argument", "tool result kept");
            }
            self.state.groups.note(call, keys);
        }
        self.state.groups.of_call(call).unwrap_or_default()
    }

    /// True if any placeholder of row `index` is allowed, however long: a content with images or other media is always longer.
    pub fn may_lengthen(&self, index: usize) -> bool {
        self.policy.purpose.may_lengthen() || self.conversation.row(index).is_some_and(|row| row.has_media)
    }

    pub fn check(&mut self, index: usize, check: ContentCheck) -> bool {
        if let Some(known) = self.checks_of(check).known(index, check) {
            return known;
        }
        // The cheapest read that may answer comes first.
        match check {
            ContentCheck::StartsAsError | ContentCheck::IsSpared => self.read_head(index),
            ContentCheck::HasMarker | ContentCheck::HasStderr => {}
            ContentCheck::CommandFailed | ContentCheck::OtherFailed => self.look_for_failure(index, check),
        }
        if self.checks_of(check).known(index, check).is_none() {
            self.read_whole(index, check);
        }
        self.checks_of(check).known(index, check).unwrap_or(false)
    }

    fn checks_of(&mut self, check: ContentCheck) -> &mut ContentChecks {
        let depends_on_rule = matches!(check, ContentCheck::HasMarker | ContentCheck::IsSpared);
        if depends_on_rule { &mut self.state.checks } else { self.checks }
    }

    fn look_for_failure(&mut self, index: usize, check: ContentCheck) {
        let (mut found, mut is_object) = (None, false);
        self.texts.content_head(index, HEAD_UNITS, &mut |head, len| {
            found = verdict_by_head(head, head.len() == len, check.tool_kind());
            let first = head.iter().find(|unit| !matches!(unit, 0x20 | 0x0A | 0x0D | 0x09));
            is_object = first == Some(&OPEN_BRACE);
        });
        if found.is_none() && is_object {
            self.texts.content_to_only(index, CLOSE_BRACE, END_UNITS, &mut |end| {
                found = ends_as_success(end).then_some(Verdict::Succeeded);
            });
        }
        if let Some(verdict) = found {
            self.checks.store(index, check, verdict != Verdict::Succeeded);
        }
    }

    fn read_head(&mut self, index: usize) {
        let (fixed, earlier) = (self.rule.placeholder.fixed(), &self.rule.earlier_placeholders);
        let no_call = CallFields::default();
        let limit = fixed.map_or(HEAD_UNITS, |text| HEAD_UNITS.max(longest_of(earlier, no_call).max(text.len()) + 1));
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

    fn read_whole(&mut self, index: usize, wanted: ContentCheck) {
        let (mut found, markers) = (None, &self.rule.content_markers);
        self.texts.content(index, &mut |content| {
            found = Some(match wanted {
                ContentCheck::HasMarker => markers.iter().any(|marker| find(content, marker).is_some()),
                ContentCheck::HasStderr => has_stderr(content),
                // `read_head` answers this for every text.
                ContentCheck::IsSpared => return,
                ContentCheck::StartsAsError => starts_as_error(content, true).unwrap_or(false),
                _ => verdict(content, wanted.tool_kind(), None) != Verdict::Succeeded,
            });
        });
        if let Some(holds) = found {
            self.checks_of(wanted).store(index, wanted, holds);
        }
    }
}
