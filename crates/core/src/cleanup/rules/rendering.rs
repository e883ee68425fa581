//! Builds a result's placeholder, and decides whether replacing the result would change anything.

use crate::cleanup::rules::content_checks::ContentCheck;
use crate::cleanup::rules::context::{Rendering, RuleContext};
use crate::cleanup::rules::placeholder::{KnownFields, Placeholder, PlaceholderFields, longest_of};
use crate::text::utf16::{to_utf8, units};
use crate::tools::label::subject_of;

/// Enough of a content to see that it is not a placeholder.
const BEGINNING_UNITS: usize = 8;

impl RuleContext<'_> {
    /// True if replacing row `index` is useless: it has been replaced before (R1.6), or its content is no
    /// longer than the placeholder (unless `may_lengthen`).
    pub fn is_spared(&mut self, index: usize, now_ms: f64) -> bool {
        if self.rule.placeholder.fixed().is_some() {
            return self.is(index, ContentCheck::IsSpared);
        }
        self.rendering(index, now_ms).is_spared
    }

    /// The placeholder for row `index`, from a template. Computed once, unless it shows the result's age.
    pub fn rendering(&mut self, index: usize, now_ms: f64) -> &Rendering {
        let is_made = self.state.renderings.contains_key(&index);
        if self.rule.placeholder.shows_age() || !is_made {
            let rendering = self.render(index, now_ms);
            self.state.renderings.insert(index, rendering);
        }
        self.state.renderings.entry(index).or_default()
    }

    fn render(&mut self, index: usize, now_ms: f64) -> Rendering {
        let (placeholder, earlier) = (&self.rule.placeholder, &self.rule.earlier_placeholders);
        let tool = self.named_tool(index).map(|tool| tool.name.as_slice());
        let shows_path = placeholder.shows_path() || earlier.iter().any(Placeholder::shows_path);
        let path = if shows_path { self.path_of(index) } else { Vec::new() };
        let about = if placeholder.shows_call() { self.about(index) } else { Vec::new() };
        let known = KnownFields { tool, path: &path, about: &about };
        let (mut chars, mut lines, mut is_text, mut may_be_replaced) = (0, 0, false, false);
        let mut context = |head: &[u16], len: usize| {
            (is_text, chars) = (true, len);
            may_be_replaced = placeholder.may_begin(head) || earlier.iter().any(|text| text.may_begin(head));
        };
        if placeholder.shows_lines() {
            self.texts.content(index, &mut |content| {
                lines = lines_in(content);
                context(content, content.len());
            });
        } else {
            self.texts.content_head(index, BEGINNING_UNITS, &mut context);
        }
        let age_ms = now_ms - self.timeline.since_ms(self.conversation, index);
        let handle = self.requests.handle_of(self.conversation, index);
        let fields = PlaceholderFields { tool, path: &path, about: &about, lines, handle, chars, age_ms };
        let text = placeholder.render(&fields);
        let must_shorten = is_text && !self.may_lengthen && !self.has_media(index);
        let is_spared =
            (must_shorten && chars <= text.len()) || (may_be_replaced && self.is_replaced(index, known));
        Rendering { text, is_spared }
    }

    fn is_replaced(&mut self, index: usize, known: KnownFields<'_>) -> bool {
        let (placeholder, earlier) = (&self.rule.placeholder, &self.rule.earlier_placeholders);
        let longest = longest_of(earlier, known).max(placeholder.longest(known));
        let mut is = false;
        self.texts.content_head(index, longest + 1, &mut |head, len| {
            let replaced = || placeholder.is(head, known) || earlier.iter().any(|text| text.is(head, known));
            is = len <= longest && replaced();
        });
        is
    }

    /// The file or start of the command that the call names.
    fn about(&mut self, index: usize) -> Vec<u16> {
        let call = self.call_of(index).filter(|_| self.rule.reads_arguments());
        let (Some(call), Some(tool)) = (call, self.named_tool(index)) else { return Vec::new() };
        let (name, mut about) = (to_utf8(&tool.name), String::new());
        self.texts.arguments(call, &mut |text| about = subject_of(&name, &to_utf8(text)));
        units(&about)
    }

    fn path_of(&mut self, index: usize) -> Vec<u16> {
        let groups = self.groups_of(index).to_vec();
        let keys: Vec<&[u16]> = groups.iter().map(|&group| self.state.groups.key(group)).collect();
        keys.join(&[0x2C, 0x20][..])
    }
}

/// A line feed at the end of the text ends the last line.
fn lines_in(content: &[u16]) -> usize {
    const END: u16 = 0x0A;
    // A sum as narrow as the units lets the compiler use whole vectors.
    let ends_in = |block: &[u16]| block.iter().map(|&unit| u16::from(unit == END)).sum::<u16>();
    let ends: usize = content.chunks(1 << 12).map(|block| usize::from(ends_in(block))).sum();
    ends + usize::from(content.last().is_some_and(|&last| last != END))
}
