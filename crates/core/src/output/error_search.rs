//! Finds the first error that a line reports. One pass over the line finds the fixed texts of all forms (`error_forms.tsv`)
//! at once, so more forms cost no time.

use super::error_form::ErrorForm;
use super::error_line_text::{has_passed, is_negated, only_informs, position_in_line, without_escapes};
use super::error_units::fold;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::LazyLock;

const TABLE: &str = include_str!("error_forms.tsv");
/// The automaton searches at most this many units of a fixed text, its last ones: enough to be rare, and its table stays small.
const LONGEST_SEARCHED: usize = 8;
/// Flag in a transition to a state that ends a form's text.
const ENDS_TEXT: u16 = 1 << 15;

/// The words of the first error that a search of `line` from `from` finds; they may begin before it. In a coloured line only its
/// first error is found, and not if it begins before `from`.
pub(super) fn error_in(line: &[u16], from: usize) -> Option<Range<usize>> {
    static FORMS: LazyLock<ErrorForms> = LazyLock::new(ErrorForms::of_table);
    let text = without_escapes(line);
    if text.len() == line.len() {
        return FORMS.find(line, from);
    }
    // A coloured line is always searched from its beginning, because positions in the plain text differ.
    let found = FORMS.find(&text, 0)?;
    let found = position_in_line(line, found.start)..position_in_line(line, found.end);
    (found.start >= from).then_some(found)
}

struct ErrorForms {
    forms: Vec<ErrorForm>,
    /// For each unit, its class: units that occur in no text share one.
    class_by_unit: Vec<u8>,
    automaton: Automaton,
}

impl ErrorForms {
    fn of_table() -> Self {
        let patterns = table_rows().map(|(pattern, ..)| pattern).filter(|&pattern| pattern != "=");
        let forms: Vec<_> = patterns.filter_map(ErrorForm::parse).collect();
        let searched = |form: &ErrorForm| -> Vec<u16> {
            let text: Vec<u16> = form.folded().collect();
            text.get(text.len().saturating_sub(LONGEST_SEARCHED)..).unwrap_or_default().to_vec()
        };
        let texts: Vec<Vec<u16>> = forms.iter().map(searched).collect();
        let mut class_by_folded = vec![0; 1 << 16];
        let mut class_count = 1;
        for &unit in texts.iter().flatten() {
            if let Some(class) = class_by_folded.get_mut(usize::from(unit)).filter(|class| **class == 0)
                && let Ok(next) = u8::try_from(class_count)
            {
                *class = next;
                class_count += 1;
            }
        }
        let class_of = |unit: u16| class_by_folded.get(usize::from(fold(unit))).copied().unwrap_or(0);
        let class_by_unit: Vec<u8> = (0..=u16::MAX).map(class_of).collect();
        let mut automaton = Automaton { class_count, next: vec![0; class_count], forms_ending_at: vec![Vec::new()] };
        for (form, text) in (0_u16..).zip(&texts) {
            automaton.add(form, text.iter().map(|&unit| usize::from(class_of(unit))));
        }
        automaton.complete();
        Self { forms, class_by_unit, automaton }
    }

    /// The first error of `line` whose fixed text ends after `from`.
    fn find(&self, line: &[u16], from: usize) -> Option<Range<usize>> {
        let Automaton { class_count, next, forms_ending_at } = &self.automaton;
        let mut state = 0;
        // For the whole line, computed when the first form matches: most lines match none.
        let mut passed_and_informs = None;
        for (at, &unit) in line.iter().enumerate().skip(from) {
            let class = self.class_by_unit.get(usize::from(unit)).copied().unwrap_or(0);
            let transition = next.get(state * class_count + usize::from(class)).copied().unwrap_or(0);
            state = usize::from(transition & !ENDS_TEXT);
            if transition & ENDS_TEXT == 0 {
                continue;
            }
            for &form in forms_ending_at.get(state).into_iter().flatten() {
                let Some(form) = self.forms.get(usize::from(form)) else { continue };
                let Some(found) = form.range_ending_fixed_at(line, at + 1) else { continue };
                if is_negated(line, found.start) {
                    continue;
                }
                let (passed, informs) =
                    *passed_and_informs.get_or_insert_with(|| (has_passed(line), only_informs(line)));
                if passed {
                    return None;
                }
                if form.is_certain || !informs {
                    return Some(found);
                }
            }
        }
        None
    }
}

/// Pattern, tool and sample of each row. A row with the pattern `=` only holds another sample, for tests.
fn table_rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with("# ") && *line != "#").filter_map(|line| {
        let mut fields = line.splitn(3, '\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    })
}

/// Finds all searched texts in one pass: first a trie of them, and an automaton once it is [complete](Self::complete).
struct Automaton {
    class_count: usize,
    /// For each state and class, the next state; 0, the first state, if there is none.
    next: Vec<u16>,
    forms_ending_at: Vec<Vec<u16>>,
}

impl Automaton {
    fn next_state(&self, state: usize, class: usize) -> usize {
        self.next.get(state * self.class_count + class).copied().map_or(0, usize::from)
    }

    fn set_next(&mut self, state: usize, class: usize, next: usize) {
        if let Some(entry) = self.next.get_mut(state * self.class_count + class) {
            *entry = u16::try_from(next).unwrap_or(0);
        }
    }

    fn add(&mut self, form: u16, text: impl Iterator<Item = usize>) {
        let mut state = 0;
        for class in text {
            let mut next = self.next_state(state, class);
            if next == 0 {
                next = self.forms_ending_at.len();
                self.forms_ending_at.push(Vec::new());
                self.next.resize(self.next.len() + self.class_count, 0);
                self.set_next(state, class, next);
            }
            state = next;
        }
        self.forms_ending_at.get_mut(state).into_iter().for_each(|forms| forms.push(form));
    }

    /// For each state and class without a transition, fills in that of the longest proper suffix (Aho and Corasick).
    fn complete(&mut self) {
        // States whose own transitions are to be completed, each with its longest proper suffix.
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((state, suffix)) = queue.pop_front() {
            for class in 0..self.class_count {
                let (child, after_suffix) = (self.next_state(state, class), self.next_state(suffix, class));
                if child == 0 {
                    self.set_next(state, class, after_suffix);
                    continue;
                }
                let child_suffix = if state == 0 { 0 } else { after_suffix };
                let suffix_forms = self.forms_ending_at.get(child_suffix).cloned().unwrap_or_default();
                self.forms_ending_at.get_mut(child).into_iter().for_each(|forms| forms.extend(&suffix_forms));
                queue.push_back((child, child_suffix));
            }
        }
        for next in &mut self.next {
            let ends = self.forms_ending_at.get(usize::from(*next)).is_some_and(|forms| !forms.is_empty());
            *next |= if ends { ENDS_TEXT } else { 0 };
        }
    }
}

#[cfg(test)]
#[path = "error_search_tests.rs"]
mod tests;
