//! Decides whether text between quotation marks is the provider's or somebody else's.

/// Fields of a body, of a printed error and of prose that hold a part of the request, not of the response.
const SENT: &[&str] = &[
    "messages", "content", "contents", "prompt", "prompts", "input", "inputs", "input_value", "arguments",
    "args", "argv", "config", "request", "requestbody", "request_body", "requestbodyvalues",
    "request_body_values", "requestbodystring", "system", "instructions", "tools", "tool_calls", "toolcalls",
    "params", "query", "command", "cmd", "pattern", "path", "url", "file", "filename", "file_path", "user",
    "human", "transcript", "history", "conversation", "headers", "responseheaders", "response_headers",
    "requestheaders", "request_headers", "rawheaders", "stdin", "completion", "old_string", "new_string",
];

/// Words before a colon or a quotation mark that introduce somebody else's words.
const NOT_AN_ANSWER: &[&str] = &[
    "value", "found", "for", "tool", "name", "quote", "token", "string", "line", "grep", "search", "find",
    "title", "text", "option", "argument", "keyword", "field", "of", "called", "named", "like", "match",
    "matches", "matching",
];

/// What is said about somebody else's words, before a colon.
const REFUSED_WORDS: &[&str] = &[
    "invalid value", "not found", "no such", "unknown", "unsupported", "unexpected", "cannot find",
    "can't find", "no match", "no result", "does not exist", "flagged", "parse",
];

/// How much of the text before a colon is searched.
const LONGEST_LEAD: usize = 60;

/// Words that introduce a provider's or client's response.
const ANSWERS: &[&str] = &[
    "error", "errors", "message", "msg", "with", "returned", "returns", "response", "responded", "replied",
    "answered", "status", "code", "reason", "exception", "failed", "detail", "details", "because", "from",
    "upstream", "api", "body", "as", "by", "said", "says", "is", "was", "reads", "failure", "cause",
    "rejected", "badrequest",
];

/// Subjects, other than the provider, of a verb in [`ANSWERS`].
const PEOPLE: &[&str] = &[
    "user", "human", "customer", "he", "she", "they", "title", "text", "query", "prompt", "input", "file",
    "name", "you",
];

/// True if a field of this name holds a part of the request.
pub(super) fn is_sent(key: &str) -> bool {
    SENT.contains(&key)
}

/// `before` is the text up to the opening mark. True if the marks enclose somebody else's words.
pub(super) fn opens_quotation(before: &str) -> bool {
    let before = before.trim_end();
    let Some(last) = before.chars().next_back() else {
        return false;
    };
    if matches!(last, ':' | '=') {
        let before = before.trim_end_matches([':', '=', ' ']);
        let key = last_word(before.trim_end_matches(['"', '\'']));
        // A key that is no field of a body is a word of a sentence.
        let is_field = before.ends_with(['"', '\'']);
        return is_sent(key) || (!is_field && (NOT_AN_ANSWER.contains(&key) || is_refused(before)));
    }
    if !last.is_alphanumeric() && last != '_' {
        return false;
    }
    let word = last_word(before);
    let earlier = last_word(before.strip_suffix(word).unwrap_or_default().trim_end());
    !ANSWERS.contains(&word) || PEOPLE.contains(&earlier)
}

/// True if the clause before a colon says that the following words were rejected.
fn is_refused(before: &str) -> bool {
    let from = before.len().saturating_sub(LONGEST_LEAD);
    let lead = (from..before.len()).find_map(|at| before.get(at..)).unwrap_or_default();
    let clause = lead.rsplit(['.', '{', '(', ',']).next().unwrap_or_default();
    REFUSED_WORDS.iter().any(|words| clause.contains(words))
}

/// The letters, digits and underscores at the end of `text`.
pub(super) fn last_word(text: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.rfind(|letter| !is_part(letter)).map_or(text, |at| {
        let after = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        text.get(at + after..).unwrap_or_default()
    })
}
