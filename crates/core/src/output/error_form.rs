//! Matches one form of error line, a short pattern, outwards from its longest fixed text.
//! The head of `error_forms.tsv` describes patterns.

use super::error_line_text::begins_text;
use super::error_units::{
    exact, fold, is_capital, is_code, is_count, is_digit, is_space, is_visible, is_word, names_a_class, says_something,
};
use crate::text::utf16::{letter, units};
use std::ops::Range;

/// The most units that `<...>` skips.
const MAX_SKIPPED: usize = 300;
/// The most units of a name, a word or a path. The limit keeps matching linear.
const LONGEST_RUN: usize = 160;

/// A part of a pattern: fixed text, or one of [`TOKENS`].
#[derive(Debug)]
enum Element {
    Text(Vec<u16>),
    Number,
    Digits,
    Code,
    Name,
    Word,
    Path,
    Spaces,
    Something,
    Skipped,
    End,
}

const TOKENS: [(&str, Element); 10] = [
    ("<n>", Element::Number),
    ("<d>", Element::Digits),
    ("<code>", Element::Code),
    ("<Name>", Element::Name),
    ("<word>", Element::Word),
    ("<path>", Element::Path),
    ("<_>", Element::Spaces),
    ("<+>", Element::Something),
    ("<...>", Element::Skipped),
    ("<end>", Element::End),
];

/// The units that a run may have, and whether a run of them is the element.
type RunTests = (fn(u16) -> bool, fn(&[u16]) -> bool);

impl Element {
    /// `None` for an element that is no run.
    fn run(&self) -> Option<RunTests> {
        Some(match self {
            Self::Number => (is_digit, is_count),
            Self::Digits => (is_digit, |_| true),
            Self::Code => (|unit| is_digit(unit) || is_capital(unit), is_code),
            Self::Name => (|unit| is_word(unit) || unit == u16::from(b'.'), names_a_class),
            Self::Word => (is_visible, |_| true),
            Self::Path => (
                |unit| is_visible(unit) && !matches!(letter(unit), '"' | '\'' | '<' | '>' | '|'),
                |path| path.iter().any(|&unit| matches!(letter(unit), '.' | '/' | '\\')),
            ),
            Self::Spaces => (is_space, |_| true),
            Self::Text(_) | Self::Something | Self::Skipped | Self::End => return None,
        })
    }

    fn ends_with_digit(&self) -> bool {
        matches!(self, Self::Number | Self::Digits | Self::Code)
    }

    /// Empty for any other element.
    fn text(&self) -> &[u16] {
        if let Self::Text(text) = self { text } else { &[] }
    }
}

#[derive(Debug)]
pub(super) struct ErrorForm {
    /// Counts even in a line marked as information.
    pub is_certain: bool,
    /// True if the form must begin the text of the line.
    is_anchored: bool,
    is_case_sensitive: bool,
    before: Vec<Element>,
    fixed: Vec<u16>,
    after: Vec<Element>,
}

impl ErrorForm {
    /// `None` if the pattern has no fixed text before a `<...>`.
    pub fn parse(pattern: &str) -> Option<Self> {
        let certain = pattern.strip_prefix('!').filter(|rest| !rest.is_empty());
        let rest = certain.unwrap_or(pattern);
        let anchored = rest.strip_prefix('^');
        let mut elements = elements_of(anchored.unwrap_or(rest));
        let is_case_sensitive =
            elements.iter().any(|element| element.text().iter().any(|&unit| fold(unit) != exact(unit)));
        let before_skip = elements.iter().take_while(|element| !matches!(element, Element::Skipped)).enumerate();
        let (at, _) = before_skip.max_by_key(|(_, element)| element.text().len())?;
        let after = elements.split_off(at + 1);
        let Some(Element::Text(fixed)) = elements.pop() else { return None };
        Some(Self {
            is_certain: certain.is_some(),
            is_anchored: anchored.is_some(),
            is_case_sensitive,
            before: elements,
            fixed,
            after,
        })
    }

    /// The fixed text in the alphabet of [`fold`], for the search.
    pub fn folded(&self) -> impl Iterator<Item = u16> + '_ {
        self.fixed.iter().map(|&unit| fold(unit))
    }

    /// The range of the form in `line`, if the fixed text ends at `end`.
    pub fn range_ending_fixed_at(&self, line: &[u16], end: usize) -> Option<Range<usize>> {
        let start = end.checked_sub(self.fixed.len())?;
        // A cheap test that avoids most others.
        if self.before.last().is_some_and(Element::ends_with_digit)
            && !line.get(..start).and_then(<[u16]>::last).is_some_and(|&unit| is_digit(unit))
        {
            return None;
        }
        self.text_end(&self.fixed, line, start)?;
        let mut from = start;
        for element in self.before.iter().rev() {
            from = self.element_start(element, line, from)?;
        }
        let is_placed = if self.is_anchored {
            begins_text(line, from) || self.is_far_into_line(line, start, end)
        } else {
            !self.starts_within_word(line, from)
        };
        if !is_placed || self.ends_within_word(line, end) {
            return None;
        }
        self.elements_end(&self.after, line, end).map(|until| from..until.max(end))
    }

    /// The end of the fixed `text` if the line has it at `start`.
    fn text_end(&self, text: &[u16], line: &[u16], start: usize) -> Option<usize> {
        let found = line.get(start..start + text.len())?;
        let alike = |(&own, &unit): (&u16, &u16)| {
            if self.is_case_sensitive { exact(own) == exact(unit) } else { fold(own) == fold(unit) }
        };
        text.iter().zip(found).all(alike).then_some(start + text.len())
    }

    /// In a long line, fixed text that must begin a line may occur anywhere, if it is long enough: dumps and bundles have no lines.
    fn is_far_into_line(&self, line: &[u16], start: usize, end: usize) -> bool {
        /// Units from the line's start.
        const FAR: usize = 400;
        let is_space_at = |at: usize| line.get(at).is_some_and(|&unit| matches!(unit, 0x20 | 0x09));
        let length = self.fixed.iter().rposition(|&unit| unit != 0x20).map_or(0, |last| last + 1);
        let ends_with_colon = self.fixed.get(..length).is_some_and(|fixed| fixed.ends_with(&[0x3A]));
        let says_enough = length >= 12 || (length >= 6 && ends_with_colon);
        start >= FAR && self.before.is_empty() && says_enough && (is_space_at(end) || is_space_at(end - 1))
    }

    /// True if the form, which begins at `from`, begins inside a word or a number.
    fn starts_within_word(&self, line: &[u16], from: usize) -> bool {
        let first = self.before.first();
        let first_unit = first.map_or(&*self.fixed, Element::text).first();
        let begins_word = first_unit.copied().is_some_and(is_word) || first.is_some_and(Element::ends_with_digit);
        // `0.5 failed` and `10:11 errors` are no counts.
        let is_number = matches!(first, Some(Element::Number));
        let continues = |&unit: &u16| is_word(unit) || (is_number && matches!(letter(unit), '.' | ':'));
        begins_word && line.get(..from).and_then(<[u16]>::last).is_some_and(continues)
    }

    /// True if the fixed text, which ends at `end`, is the last element and ends inside a word.
    fn ends_within_word(&self, line: &[u16], end: usize) -> bool {
        self.after.is_empty()
            && self.fixed.last().copied().is_some_and(is_word)
            && match line.get(end..).unwrap_or_default() {
                // `3 failed-over nodes`
                [0x2D, next, ..] | [next, ..] => is_word(*next),
                [] => false,
            }
    }

    /// The start of `element` if it ends at `end`.
    fn element_start(&self, element: &Element, line: &[u16], end: usize) -> Option<usize> {
        if let Element::Text(text) = element {
            let start = end.checked_sub(text.len())?;
            return self.text_end(text, line, start).map(|_| start);
        }
        let (may_have, is_element) = element.run()?;
        let before = line.get(end.saturating_sub(LONGEST_RUN)..end)?;
        let length = before.iter().rev().take_while(|&&unit| may_have(unit)).count();
        (length > 0 && is_element(before.get(before.len() - length..)?)).then(|| end - length)
    }

    /// The end of `elements` if they begin at `start`.
    fn elements_end(&self, elements: &[Element], line: &[u16], start: usize) -> Option<usize> {
        let Some((element, rest)) = elements.split_first() else { return Some(start) };
        let text_after = line.get(start..line.len().min(start + MAX_SKIPPED))?;
        let run = |may_have: fn(u16) -> bool| text_after.iter().take_while(|&&unit| may_have(unit)).count();
        let rest_end = |length: usize| self.elements_end(rest, line, start + length);
        match element {
            Element::Text(text) => rest_end(self.text_end(text, line, start)? - start),
            Element::Number | Element::Digits | Element::Code | Element::Spaces => {
                let (may_have, is_element) = element.run()?;
                let length = run(may_have);
                if length > 0 && is_element(text_after.get(..length)?) { rest_end(length) } else { None }
            }
            Element::Something => says_something(text_after).then(|| rest_end(0))?,
            Element::End => (run(|unit| is_space(unit) || unit == 0x0D) == text_after.len()).then_some(start),
            Element::Name | Element::Word | Element::Path => {
                (1..=run(is_visible).min(LONGEST_RUN)).rev().find_map(rest_end)
            }
            Element::Skipped => (0..=text_after.len()).find_map(rest_end),
        }
    }
}

fn elements_of(mut pattern: &str) -> Vec<Element> {
    let mut elements = Vec::new();
    while !pattern.is_empty() {
        let token = TOKENS.into_iter().find_map(|(token, element)| Some((element, pattern.strip_prefix(token)?)));
        let (element, rest) = token.unwrap_or_else(|| {
            let begins_token = |rest: &str| TOKENS.iter().any(|(token, _)| rest.starts_with(token));
            let text_end = (0..pattern.len()).find(|&at| pattern.get(at..).is_some_and(begins_token));
            let (text, rest) = pattern.split_at(text_end.unwrap_or(pattern.len()));
            (Element::Text(units(text)), rest)
        });
        elements.push(element);
        pattern = rest;
    }
    elements
}
