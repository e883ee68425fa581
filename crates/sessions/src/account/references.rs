//! Finds results that a view sends with references to lines that the prompt already holds.

use std::collections::HashMap;

use palimpsest_core::references::{ReferenceTracker, Source};
use palimpsest_core::results::Language;
use palimpsest_core::text::utf16::units;
use palimpsest_core::tools::label::subject_of;

use super::outdated::{OutdatedForView, PlayedContext, units_of};
use super::rows::count;
use crate::model::Part;

/// A result that refers to earlier texts of its context.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Referring {
    /// Index among the context's rows.
    pub position: usize,
    /// Tokens of its text as sent.
    pub tokens: f64,
    /// Indices of the results it refers to; call arguments are always sent.
    pub results: Vec<usize>,
}

/// Makes references as a view does; a result that is referred to is kept until all that refer to it are outdated. O(texts).
pub(super) fn find_references(played: &PlayedContext<'_>, due: &mut Vec<OutdatedForView>) -> Vec<Referring> {
    let mut context =
        Context { played, references: ReferenceTracker::new(Language::English), callers: HashMap::new() };
    let mut referring = Vec::new();
    let (mut sent, mut outdated) = (0, 0);
    for (request, &length) in played.lengths.iter().enumerate() {
        while let Some(found) = due.get(outdated).filter(|found| found.request <= request) {
            context.references.outdate(number(found.position), number(found.request));
            outdated += 1;
        }
        context.references.begin_request(number(request));
        for position in sent..length {
            referring.extend(context.read(position));
        }
        sent = sent.max(length);
    }
    due.retain_mut(|found| {
        let since = context.references.removable_since(number(found.position));
        found.request = since.map_or(found.request, |since| since as usize);
        since.is_some()
    });
    due.sort_by_key(|found| found.request);
    referring
}

struct Context<'a> {
    played: &'a PlayedContext<'a>,
    references: ReferenceTracker,
    /// Labels of results by call id.
    callers: HashMap<&'a str, String>,
}

impl Context<'_> {
    fn read(&mut self, position: usize) -> Option<Referring> {
        if let Some(part) = self.played.result(position) {
            return self.read_result(position, part);
        }
        for (id, name, arguments) in self.played.rows.calls(*self.played.order.get(position)?) {
            self.references.add_call(number(self.callers.len()), &units(arguments));
            self.callers.insert(id, format!("{name} {}", subject_of(name, arguments)));
        }
        None
    }

    fn read_result(&mut self, position: usize, part: &Part) -> Option<Referring> {
        let Part::Result { content, is_error, .. } = part else { return None };
        let is_text = |part: &Part| matches!(part, Part::Text(_));
        let text = units_of(content);
        if *is_error || !content.iter().all(is_text) {
            self.references.add_result(number(position), &text);
            return None;
        }
        let (played, callers) = (self.played, &self.callers);
        let mut label_of = |source| label(played, callers, source);
        let shortened = self.references.shorten_result(number(position), &text, &mut label_of)?;
        let results = shortened.references.iter().filter_map(|reference| match reference.source {
            Source::Result(row) => Some(row as usize),
            Source::Call(_) => None,
        });
        let tokens = count(&String::from_utf16_lossy(&shortened.text));
        Some(Referring { position, tokens, results: results.collect() })
    }
}

/// About as long as a view's label, whose number counts results instead of rows.
fn label(played: &PlayedContext<'_>, callers: &HashMap<&str, String>, source: Source) -> Vec<u16> {
    let Source::Result(row) = source else { return units("your call Write") };
    let id = match played.result(row as usize) {
        Some(Part::Result { id, .. }) => id.as_str(),
        _ => "",
    };
    let name = callers.get(id).map_or("", String::as_str);
    units(&format!("#{row} {name}"))
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
