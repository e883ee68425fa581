//! Decides which parts of an error's text are not the provider's own words: quotations of the request, a user or a file, and HTTP headers,
//! which occur on every response and so say nothing about this error.

/// Names before a colon, in lower case as all texts here, whose value is not the provider's own statement.
pub(super) const FOREIGN_FIELDS: &[&str] = &[
    "messages", "content", "contents", "prompt", "prompts", "input", "inputs", "input_value", "arguments", "args",
    "argv", "config", "request", "requestbody", "request_body", "requestbodyvalues", "request_body_values",
    "requestbodystring", "system", "instructions", "tools", "tool_calls", "toolcalls", "params", "query", "command",
    "cmd", "pattern", "path", "url", "file", "filename", "file_path", "user", "human", "transcript", "history",
    "conversation", "headers", "responseheaders", "response_headers", "requestheaders", "request_headers",
    "rawheaders", "stdin", "completion", "old_string", "new_string",
];
/// Words before a colon or `=` that introduce somebody else's words.
const INTRODUCE_OTHERS: &[&str] = &[
    "value", "found", "for", "tool", "name", "quote", "token", "string", "line", "grep", "search", "find", "title",
    "text", "option", "argument", "keyword", "field", "of", "called", "named", "like", "match", "matches", "matching",
];
/// Phrases before a colon that reject the words after it, so those are somebody else's.
const REJECTIONS: &[&str] = &[
    "invalid value", "not found", "no such", "unknown", "unsupported", "unexpected", "cannot find", "can't find",
    "no match", "no result", "does not exist", "flagged", "parse",
];
/// Bytes before a colon that are searched for a rejection.
const LONGEST_LEAD: usize = 60;
/// Words that introduce a provider's or client's response.
const INTRODUCE_RESPONSES: &[&str] = &[
    "error", "errors", "message", "msg", "with", "returned", "returns", "response", "responded", "replied", "answered",
    "status", "code", "reason", "exception", "failed", "detail", "details", "because", "from", "upstream", "api",
    "body", "as", "by", "said", "says", "is", "was", "reads", "failure", "cause", "rejected", "badrequest",
];
/// Subjects, other than the provider, of a verb in [`INTRODUCE_RESPONSES`].
const OTHER_SUBJECTS: &[&str] = &[
    "user", "human", "customer", "he", "she", "they", "title", "text", "query", "prompt", "input", "file", "name",
    "you",
];
/// Beginnings of what follows `ratelimit` in a header's name, without dashes.
const RATE_LIMIT_FIELDS: [&str; 7] = ["remaining", "reset", "policy", "limit", "used", "requests", "tokens"];

/// True if a quotation mark after the text `before` begins somebody else's words. After a colon or `=` the words are the
/// provider's unless listed; after another word they are somebody else's unless listed.
pub(super) fn opens_quotation(before: &str) -> bool {
    let before = before.trim_end();
    let Some(last) = before.chars().next_back() else { return false };
    if matches!(last, ':' | '=') {
        let clause = before.trim_end_matches([':', '=', ' ']);
        let key = last_word(clause.trim_end_matches(['"', '\'']));
        let is_prose = !clause.ends_with(['"', '\'']);
        return FOREIGN_FIELDS.contains(&key)
            || (is_prose && (INTRODUCE_OTHERS.contains(&key) || ends_in_rejection(clause)));
    }
    if !last.is_alphanumeric() && last != '_' {
        return false;
    }
    let word = last_word(before);
    let subject = last_word(before.strip_suffix(word).unwrap_or_default().trim_end());
    !INTRODUCE_RESPONSES.contains(&word) || OTHER_SUBJECTS.contains(&subject)
}

/// True if the last clause of `text` says that the words after it were rejected.
fn ends_in_rejection(text: &str) -> bool {
    let from = text.len().saturating_sub(LONGEST_LEAD);
    let lead = (from..text.len()).find_map(|at| text.get(at..)).unwrap_or_default();
    let clause = lead.rsplit(['.', '{', '(', ',']).next().unwrap_or_default();
    REJECTIONS.iter().any(|phrase| clause.contains(phrase))
}

/// The letters, digits and underscores at the end of `text`.
pub(super) fn last_word(text: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.get(text.trim_end_matches(is_part).len()..).unwrap_or_default()
}

/// True for names of headers about rate limits, and for all names that begin with `x-`.
pub(super) fn is_header(word: &str) -> bool {
    let joined = word.replace(['-', '_'], "");
    let is_about_rate_limit = joined.split_once("ratelimit").is_some_and(|(_, after)| {
        word.starts_with("anthropic-") || RATE_LIMIT_FIELDS.iter().any(|field| after.starts_with(field))
    });
    is_about_rate_limit || word.starts_with("x-")
}
