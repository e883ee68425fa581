//! Finds a sentence with numbers in it, such as `{requested} tokens > {max} maximum`.

use std::ops::Range;

/// Bytes; a sentence's parts are never further apart.
const WIDEST_GAP: usize = 160;

/// The names of a match's slots with their numbers; of one name, the last counts.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundNumbers(Vec<(&'static str, u64)>);

impl FoundNumbers {
    pub(super) fn named(&self, name: &str) -> Option<u64> {
        self.0.iter().rfind(|(found, _)| *found == name).map(|&(_, number)| number)
    }

    /// Tokens of the request: as given, or the sum of its input and output.
    pub(super) fn requested_total(&self) -> Option<u64> {
        let sum = || Some(self.named("input")?.saturating_add(self.named("output").unwrap_or(0)));
        self.named("requested").or_else(sum)
    }
}

/// A sentence with slots for numbers: `{max}` is a number, `*` a gap, `«a|b»` a choice, and `^` the text's beginning.
/// It begins with text or a choice of texts. The head of `wordings.tsv` has the syntax.
#[derive(Debug)]
pub(super) struct Template {
    parts: Vec<Part>,
    is_anchored: bool,
}

#[derive(Debug)]
enum Part {
    Text(&'static str),
    /// Longest first, so that the most specific alternative wins.
    Choice(Vec<Vec<Part>>),
    Number(&'static str),
    /// Up to [`WIDEST_GAP`] bytes of anything.
    Gap,
}

impl Template {
    pub(super) fn new(pattern: &'static str) -> Self {
        let anchored = pattern.strip_prefix('^');
        Self { parts: parts_of(anchored.unwrap_or(pattern)), is_anchored: anchored.is_some() }
    }

    /// The numbers of the first match whose byte range `accepts` accepts. If the template begins with a choice, the whole
    /// text is searched for one alternative after another, longest first. O(text × alternatives).
    pub(super) fn find(&self, text: &str, accepts: impl Fn(Range<usize>) -> bool) -> Option<FoundNumbers> {
        let match_at = |start: usize| {
            let mut numbers = FoundNumbers::default();
            let rest = rest_after_match(text.get(start..)?, &self.parts, &mut numbers)?;
            accepts(start..text.len() - rest.len()).then_some(numbers)
        };
        if self.is_anchored {
            return match_at(0);
        }
        let match_from = |first: &str| text.match_indices(first).find_map(|(start, _)| match_at(start));
        match self.parts.first()? {
            Part::Text(first) => match_from(first),
            Part::Choice(choices) => choices.iter().find_map(|parts| match parts.first()? {
                Part::Text(first) => match_from(first),
                _ => None,
            }),
            Part::Number(_) | Part::Gap => None,
        }
    }
}

fn parts_of(pattern: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        let end = rest.find(['{', '*', '«']).unwrap_or(rest.len());
        let (text, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        let (part, after) = first_slot(after);
        parts.extend(part);
        rest = after;
    }
    parts
}

/// The gap, number or choice at the beginning of `pattern`, and the rest.
fn first_slot(pattern: &'static str) -> (Option<Part>, &'static str) {
    if let Some(after) = pattern.strip_prefix('*') {
        return (Some(Part::Gap), after);
    }
    if let Some((name, after)) = pattern.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        return (Some(Part::Number(name)), after);
    }
    let choices = pattern.strip_prefix('«').and_then(|rest| rest.split_once('»'));
    choices.map_or((None, ""), |(choices, after)| {
        let mut choices: Vec<&str> = choices.split('|').collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.len()));
        (Some(Part::Choice(choices.into_iter().map(parts_of).collect())), after)
    })
}

fn rest_after_match<'t>(text: &'t str, parts: &[Part], numbers: &mut FoundNumbers) -> Option<&'t str> {
    let Some((part, after)) = parts.split_first() else { return Some(text) };
    // The numbers of a failed attempt don't count.
    let mut attempt = |text: &'t str, choice: &[Part]| {
        let count_before = numbers.0.len();
        let after_choice = rest_after_match(text, choice, numbers);
        let rest = after_choice.and_then(|after_choice| rest_after_match(after_choice, after, numbers));
        if rest.is_none() {
            numbers.0.truncate(count_before);
        }
        rest
    };
    match part {
        Part::Text(literal) => rest_after_match(text.strip_prefix(literal)?, after, numbers),
        Part::Number(name) => {
            let (number, rest) = leading_number(text)?;
            numbers.0.push((name, number));
            rest_after_match(rest, after, numbers)
        }
        Part::Choice(choices) => choices.iter().find_map(|choice| attempt(text, choice)),
        // Searches only the gap: a text with many matching beginnings must not be searched to its end each time.
        Part::Gap => {
            let ends = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= WIDEST_GAP);
            ends.filter_map(|at| text.get(at..)).find_map(|rest| attempt(rest, &[]))
        }
    }
}

/// The number at the beginning of `text`, such as `200,000`, `200_000` or `128k`, and the rest.
fn leading_number(text: &str) -> Option<(u64, &str)> {
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == ',' || letter == '_';
    let digits = text.split(|letter| !is_of_number(letter)).next()?.trim_end_matches([',', '_']);
    let number: u64 = digits.replace([',', '_'], "").parse().ok()?;
    let rest = text.get(digits.len()..)?;
    let ends_word = |rest: &str| !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    for (suffix, factor) in [('k', 1_000), ('m', 1_000_000)] {
        if let Some(after) = rest.strip_prefix(suffix).filter(|after| ends_word(after)) {
            return Some((number.saturating_mul(factor), after));
        }
    }
    Some((number, rest))
}
