//! Finds a sentence with numbers in it, such as `{requested} tokens > {max} maximum`.

const WIDEST_GAP: usize = 160;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FoundNumbers {
    pub(super) max: Option<u64>,
    requested: Option<u64>,
    input: Option<u64>,
    output: Option<u64>,
}

impl FoundNumbers {
    /// The total, or the sum of the request's parts.
    pub(super) fn requested(&self) -> Option<u64> {
        self.requested.or_else(|| Some(self.input?.saturating_add(self.output.unwrap_or(0))))
    }

    fn set(&mut self, name: &str, number: u64) {
        match name {
            "max" => self.max = Some(number),
            "requested" => self.requested = Some(number),
            "input" => self.input = Some(number),
            "output" => self.output = Some(number),
            _ => {}
        }
    }
}

/// `{name}` stands for a number (thousands may be set apart by commas), `*` for up to [`WIDEST_GAP`] bytes of anything, the rest
/// for itself.
pub(super) fn find(text: &str, template: &str) -> Option<FoundNumbers> {
    let first = template.split(['{', '*']).next().filter(|first| !first.is_empty())?;
    text.match_indices(first).find_map(|(at, _)| match_here(text.get(at..)?, template))
}

fn match_here(text: &str, template: &str) -> Option<FoundNumbers> {
    let mut found = FoundNumbers::default();
    let (mut text, mut template) = (text, template);
    loop {
        let literal = template.split(['{', '*']).next().unwrap_or_default();
        text = text.strip_prefix(literal)?;
        template = template.get(literal.len()..)?;
        if let Some(rest) = template.strip_prefix('*') {
            let next = rest.split(['{', '*']).next().unwrap_or_default();
            // Searched in the gap only: a text of nothing but beginnings must not be searched to its end each time.
            let gap = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= WIDEST_GAP);
            text = gap.filter_map(|at| text.get(at..)).find(|rest| rest.starts_with(next))?;
            template = rest;
        } else if let Some(rest) = template.strip_prefix('{') {
            let (name, rest) = rest.split_once('}')?;
            let (number, after) = leading_number(text)?;
            found.set(name, number);
            text = after;
            template = rest;
        } else {
            return Some(found);
        }
    }
}

fn leading_number(text: &str) -> Option<(u64, &str)> {
    let digits: &str = text.split(|letter: char| !(letter.is_ascii_digit() || letter == ',')).next()?;
    let digits = digits.trim_end_matches(',');
    let number = digits.replace(',', "").parse().ok()?;
    Some((number, text.get(digits.len()..)?))
}
