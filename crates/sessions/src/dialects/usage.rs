//! Finds a provider's usage report in a line's JSON; `palimpsest_core` interprets the figures.

use palimpsest_core::provider::usage::Usage;

use crate::json::Json;

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
#[path = "usage_tests.rs"]
mod tests;
