//! Logs values that the JavaScript side could not interpret.

use napi_derive::napi;
use palimpsest_core::conversation::times::in_ms;
use palimpsest_core::conversation::unrecognised::{self, MessageReader};

use crate::logging;

/// `forms` are names of forms. `isCounted` is true for a token counter, false for rules.
#[napi(catch_unwind)]
pub fn note_unrecognised(is_counted: bool, messages: u32, total: u32, forms: String) {
    let reader = if is_counted { MessageReader::Tokens } else { MessageReader::Cleanup };
    logging::collected("reading", || {
        unrecognised::unrecognised(reader, messages as usize, total as usize, &forms);
    });
}

#[napi(catch_unwind)]
pub fn note_times_in_seconds(results: u32) {
    logging::collected("reading", || unrecognised::times_in_seconds(results as usize));
}

#[napi(catch_unwind)]
pub fn note_times_unknown(results: u32) {
    logging::collected("reading", || unrecognised::times_unknown(results as usize));
}

/// Logs that the application's function in `option` returned nothing for a result of `tool`, so that the result stays.
#[napi(catch_unwind)]
pub fn note_unanswered(option: String, tool: String) {
    logging::collected("view", || unrecognised::unanswered(&option, &tool));
}

#[napi(catch_unwind)]
pub fn time_in_ms(time: f64) -> f64 {
    in_ms(time)
}
