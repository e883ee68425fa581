//! What the face could not read as it was meant, passed to the log.

use napi_derive::napi;
use palimpsest_core::conversation::times::in_ms;
use palimpsest_core::conversation::unrecognised::{self, Reader};

use crate::logging;

/// Logs that so many of `total` messages have a form that isn't known; `forms` are names of forms. Told by a token
/// counter where `isCounted` is set, else by the rules.
#[napi(catch_unwind)]
pub fn note_unrecognised(is_counted: bool, messages: u32, total: u32, forms: String) {
    let reader = if is_counted { Reader::Tokens } else { Reader::Cleanup };
    logging::collected("reading", || {
        unrecognised::unrecognised(reader, messages as usize, total as usize, &forms);
    });
}

/// Logs that so many tool results had their time in seconds.
#[napi(catch_unwind)]
pub fn note_times_in_seconds(results: u32) {
    logging::collected("reading", || unrecognised::times_in_seconds(results as usize));
}

/// Logs that so many tool results that a rule looked at have no time.
#[napi(catch_unwind)]
pub fn note_times_unknown(results: u32) {
    logging::collected("reading", || unrecognised::times_unknown(results as usize));
}

/// Logs that a host's function, the option called `option`, didn't answer of a result, which stays therefore.
#[napi(catch_unwind)]
pub fn note_unanswered(option: String, tool: String) {
    logging::collected("view", || unrecognised::unanswered(&option, &tool));
}

/// A message's time in milliseconds, where it may be in seconds.
#[napi(catch_unwind)]
pub fn time_in_ms(time: f64) -> f64 {
    in_ms(time)
}
