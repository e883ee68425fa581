//! Builds a result's placeholder and edit, and decides whether replacing the result would change anything.

use crate::cleanup::decision::Edit;
use crate::cleanup::rules::context::{ContentCheck, Rendering, RuleContext};
use crate::cleanup::rules::grouping::Grouping;
use crate::cleanup::rules::placeholder::{CallFields, Placeholder, ResultFields, TemplatePart, longest_of};
use crate::text::utf16::{NEWLINE, count_newlines, to_utf8, units};
use crate::tools::label::subject_of;

/// Units of a content's beginning: enough to see that it is not a placeholder.
const BEGINNING_UNITS: usize = 8;

impl RuleContext<'_> {
    /// The edit that replaces `row` by the placeholder of this rule. The caller sets its request.
    pub fn edit(&mut self, row: u32) -> Edit {
        let index = row as usize;
        let is_fixed = self.rule.placeholder.fixed().is_some();
        let text = (!is_fixed).then(|| self.rendering(index).text.clone());
        let groups = match self.rule.grouping {
            Grouping::None { .. } => Box::default(),
            _ => self.groups_of(index).into(),
        };
        Edit { row, rule: self.rule_number, text, groups, request: 0 }
    }

    /// True if replacing row `index` is useless: its content is a placeholder already (R1.6), or no longer than the placeholder (unless
    /// `may_lengthen`).
    pub fn is_spared(&mut self, index: usize) -> bool {
        if self.rule.placeholder.fixed().is_some() {
            return self.check(index, ContentCheck::IsSpared);
        }
        self.rendering(index).is_spared
    }

    /// The placeholder for row `index`, from a template. Computed once, unless it shows the result's age.
    fn rendering(&mut self, index: usize) -> &Rendering {
        if self.rule.placeholder.shows_age() || !self.state.renderings.contains_key(&index) {
            let rendering = self.render(index);
            self.state.renderings.insert(index, rendering);
        }
        self.state.renderings.entry(index).or_default()
    }

    fn render(&mut self, index: usize) -> Rendering {
        let (placeholder, earlier) = (&self.rule.placeholder, &self.rule.earlier_placeholders);
        let tool = self.named_tool(index).map(|tool| tool.name.as_slice());
        let shows_path = |text: &Placeholder| text.shows(&TemplatePart::Path);
        let needs_path = shows_path(placeholder) || earlier.iter().any(shows_path);
        let path = if needs_path { self.path_of(index) } else { Vec::new() };
        let about = if placeholder.shows(&TemplatePart::About) { self.about_of(index) } else { Vec::new() };
        let call = CallFields { tool, path: &path, about: &about };
        let (mut chars, mut lines, mut is_text, mut may_be_placeholder) = (0, 0, false, false);
        let mut read_beginning = |head: &[u16], len: usize| {
            (is_text, chars) = (true, len);
            may_be_placeholder = placeholder.may_begin(head) || earlier.iter().any(|text| text.may_begin(head));
        };
        if placeholder.shows(&TemplatePart::Lines) {
            self.texts.content(index, &mut |content| {
                lines = line_count(content);
                read_beginning(content, content.len());
            });
        } else {
            self.texts.content_head(index, BEGINNING_UNITS, &mut read_beginning);
        }
        let age_ms = self.now_ms - self.timeline.time_ms_of(self.conversation, index);
        let handle = self.requests.handle_of(self.conversation, index);
        let text = placeholder.render(&ResultFields { call, lines, handle, chars, age_ms });
        let must_shorten = is_text && !self.may_lengthen(index);
        let is_spared =
            (must_shorten && chars <= text.len()) || (may_be_placeholder && self.is_placeholder(index, call));
        Rendering { text, is_spared }
    }

    fn is_placeholder(&mut self, index: usize, call: CallFields<'_>) -> bool {
        let rule = self.rule;
        let mut placeholders = std::iter::once(&rule.placeholder).chain(&rule.earlier_placeholders);
        let longest = longest_of(placeholders.clone(), call);
        let mut is_placeholder = false;
        self.texts.content_head(index, longest + 1, &mut |head, len| {
            is_placeholder = len <= longest && placeholders.any(|placeholder| placeholder.matches(head, call));
        });
        is_placeholder
    }

    fn about_of(&mut self, index: usize) -> Vec<u16> {
        let call = self.call_of(index).filter(|_| self.rule.reads_arguments());
        let (Some(call), Some(tool)) = (call, self.named_tool(index)) else { return Vec::new() };
        let (name, mut about) = (to_utf8(&tool.name), String::new());
        self.texts.arguments(call, &mut |text| about = subject_of(&name, &to_utf8(text)));
        units(&about)
    }

    fn path_of(&mut self, index: usize) -> Vec<u16> {
        let groups = self.groups_of(index).to_vec();
        let keys: Vec<&[u16]> = groups.iter().map(|&group| self.state.groups.key(group)).collect();
        keys.join(units(", ").as_slice())
    }
}

/// A line feed at the end of the text ends the last line.
fn line_count(content: &[u16]) -> usize {
    count_newlines(content) + usize::from(content.last().is_some_and(|&last| last != NEWLINE))
}
