//! A provider's usage report from the JavaScript side: a number or null for each name that the core knows.

use napi_derive::napi;
use palimpsest_core::provider::usage::{REPORT_FIELDS, Usage, field_names};

/// The fields of a message that hold a report, and the names to look up in it: a dot before a nested one, `*` for the
/// sum of a list.
#[napi(object, object_from_js = false)]
pub struct UsageNames {
    pub reports: Vec<&'static str>,
    pub figures: Vec<&'static str>,
}

#[napi(catch_unwind)]
pub fn usage_names() -> UsageNames {
    UsageNames { reports: REPORT_FIELDS.to_vec(), figures: field_names().collect() }
}

/// True if a report contains the length of the prompt; otherwise nothing is learned from it.
#[napi(catch_unwind, ts_args_type = "figures: (number | null)[]")]
pub fn says_prompt_tokens(figures: Vec<Option<f64>>) -> bool {
    Usage::read(figure_in(&figures)).prompt_tokens().is_some()
}

/// Looks up the figures, which are in the order of `usageNames`.
pub fn figure_in(figures: &[Option<f64>]) -> impl Fn(&str) -> Option<f64> {
    |name| figures.get(field_names().position(|known| known == name)?).copied().flatten()
}
