//! Recognises names of HTTP headers, which occur on every response and so say nothing about this error.

/// True for names of headers about limits, and of other common headers.
pub(super) fn is_header(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '_']).collect();
    let of_limits = word.replace(['-', '_'], "");
    let Some((_, after)) = of_limits.split_once("ratelimit") else {
        return parts.len() > 1 && word.starts_with("x-");
    };
    ["remaining", "reset", "policy", "limit", "used", "requests", "tokens"]
        .iter()
        .any(|part| after.starts_with(part))
        || word.starts_with("x-")
        || word.starts_with("anthropic-")
}
