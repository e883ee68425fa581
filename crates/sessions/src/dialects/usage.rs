//! Finds a provider's usage report in a line's JSON; `palimpsest_core` interprets the figures.

use palimpsest_core::provider::usage::Usage;

use crate::json::Json;

/// The usage in `report`; `None` if it is not a report or has no figures.
pub(crate) fn read(report: &Json<'_>) -> Option<Usage> {
    report.is_object().then(|| Usage::read(|name| figure_at(report, name))).filter(|usage| !usage.is_empty())
}

/// Usage of compactions by the provider; Anthropic bills them in addition to the top-level figures.
pub(crate) fn compactions(report: &Json<'_>) -> Vec<Usage> {
    let iterations = report.get("iterations").list().iter();
    iterations.filter(|iteration| iteration.str("type") == Some("compaction")).filter_map(read).collect()
}

/// The figure at a path such as `details.*.tokens`; `*` sums over a list.
fn figure_at(value: &Json<'_>, name: &str) -> Option<f64> {
    match name.split_once('.') {
        None => value.get(name).as_f64(),
        Some(("*", inner)) => {
            let figures = value.list().iter().filter_map(|element| figure_at(element, inner));
            figures.reduce(|sum, figure| sum + figure)
        }
        Some((outer, inner)) => figure_at(value.get(outer), inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shared with the tests of the core and of the JavaScript side.
    const FIXTURE: &str = include_str!("../../../../__test__/fixtures/usage.json");

    #[test]
    fn r12_3_a_usage_report_of_a_session_file_has_the_same_classes_as_in_the_core() {
        let fixture = Json::parse(FIXTURE, &[]).unwrap();
        for entry in fixture.list() {
            let read = super::read(entry.get("report")).unwrap_or_default();
            let expected = entry.get("usage");
            let classes = [
                ("total", read.total()),
                ("uncached", read.uncached),
                ("cacheRead", read.cache_read),
                ("cacheWrite", read.cache_write),
                ("output", read.output),
                ("reasoning", read.reasoning),
            ];
            for (name, tokens) in classes {
                assert_eq!(tokens, expected.count(name), "{name} of {:?}", entry.str("form"));
            }
        }
    }
}
