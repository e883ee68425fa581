//! Finds results that a view sends with references to lines that the prompt already holds.

use std::collections::HashMap;

use palimpsest_core::references::{ReferenceTracker, Source};
use palimpsest_core::results::Language;
use palimpsest_core::text::utf16::units;
use palimpsest_core::tools::label::subject_of;

use super::{OutdatedResult, RuleInput, count_tokens, units_of};
use crate::model::Part;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReferringResult {
    pub position: usize,
    pub tokens: f64,
    /// Positions of the results it refers to. Calls are not listed: they are always sent.
    pub results: Vec<usize>,
}

/// Makes references as a view does. In `outdated`, a result that is referred to becomes outdated only after all results
/// that refer to it; it is dropped from the list if that never happens. O(texts).
pub(super) fn find_references(input: &RuleInput<'_>, outdated: &mut Vec<OutdatedResult>) -> Vec<ReferringResult> {
    let tracker = ReferenceTracker::new(Language::English);
    let mut finder = ReferenceFinder { input, tracker, call_count: 0, labels: HashMap::new() };
    let mut referring = Vec::new();
    let (mut sent, mut outdated_count) = (0, 0);
    for (request, &length) in input.lengths.iter().enumerate() {
        while let Some(found) = outdated.get(outdated_count).filter(|found| found.request <= request) {
            finder.tracker.outdate(to_u32(found.position), to_u32(found.request));
            outdated_count += 1;
        }
        finder.tracker.begin_request(to_u32(request));
        for position in sent..length {
            referring.extend(finder.read_row(position));
        }
        sent = sent.max(length);
    }
    outdated.retain_mut(|found| {
        let since = finder.tracker.removable_since(to_u32(found.position));
        found.request = since.map_or(found.request, |since| since as usize);
        since.is_some()
    });
    outdated.sort_by_key(|found| found.request);
    referring
}

struct ReferenceFinder<'a> {
    input: &'a RuleInput<'a>,
    tracker: ReferenceTracker,
    call_count: u32,
    labels: HashMap<&'a str, String>,
}

impl ReferenceFinder<'_> {
    fn read_row(&mut self, position: usize) -> Option<ReferringResult> {
        if let Some(part) = self.input.result(position) {
            return self.read_result(position, part);
        }
        for (id, name, arguments) in self.input.rows.calls(*self.input.order.get(position)?) {
            self.tracker.add_call(self.call_count, &units(arguments));
            self.call_count += 1;
            self.labels.insert(id, format!("{name} {}", subject_of(name, arguments)));
        }
        None
    }

    fn read_result(&mut self, position: usize, part: &Part) -> Option<ReferringResult> {
        let Part::Result { content, is_error, .. } = part else { return None };
        let text = units_of(content);
        if *is_error || content.iter().any(|part| part.as_text().is_none()) {
            self.tracker.add_result(to_u32(position), &text);
            return None;
        }
        let (input, labels) = (self.input, &self.labels);
        let mut label_of = |source| label(input, labels, source);
        let shortened = self.tracker.shorten_result(to_u32(position), &text, &mut label_of)?;
        let results = shortened.references.iter().filter_map(|reference| match reference.source {
            Source::Result(position) => Some(position as usize),
            Source::Call(_) => None,
        });
        let tokens = count_tokens(&String::from_utf16_lossy(&shortened.text));
        Some(ReferringResult { position, tokens, results: results.collect() })
    }
}

/// The label of a result or call in a reference; about as long as a view's, which numbers results instead of positions.
fn label(input: &RuleInput<'_>, labels: &HashMap<&str, String>, source: Source) -> Vec<u16> {
    let Source::Result(position) = source else { return units("your call Write") };
    let id = match input.result(position as usize) {
        Some(Part::Result { id, .. }) => id.as_str(),
        _ => "",
    };
    let name = labels.get(id).map_or("", String::as_str);
    units(&format!("#{position} {name}"))
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
