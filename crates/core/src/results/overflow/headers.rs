//! Recognises names of HTTP headers, which occur on every response and so say nothing about this error.

/// Beginnings of what follows `ratelimit` in a header's name, without dashes.
const RATE_LIMIT_FIELDS: [&str; 7] = ["remaining", "reset", "policy", "limit", "used", "requests", "tokens"];

/// True for names of headers about rate limits, and for all names that begin with `x-`.
pub(super) fn is_header(word: &str) -> bool {
    let joined = word.replace(['-', '_'], "");
    let is_about_rate_limit = joined.split_once("ratelimit").is_some_and(|(_, after)| {
        word.starts_with("anthropic-") || RATE_LIMIT_FIELDS.iter().any(|field| after.starts_with(field))
    });
    is_about_rate_limit || word.starts_with("x-")
}
