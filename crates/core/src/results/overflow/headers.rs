//! Tells names of headers, which stand on every answer and say nothing of this one.

/// Names of headers that talk of limits, on every answer, and of what others there are.
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
