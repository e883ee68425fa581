//! Detects replies that are an error of a client or server. Called for texts that don't look like a summary.

use serde_json::Value;

use super::tool_calls::fenced;

/// Longer texts are reports about errors.
const LONGEST_ERROR_CHARS: usize = 1_000;
const LONGEST_APOLOGY_CHARS: usize = 300;
const LONGEST_LONE_SENTENCE_CHARS: usize = 120;

/// Beginnings of error texts that clients return as a reply; in lower case.
#[rustfmt::skip] // Errors of clients and of servers have lines of their own.
const ERROR_BEGINNINGS: [&str; 28] = [
    "error:", "[error]", "error code:", "错误:", "错误：", "错误码", "请求失败", "调用失败", "request failed", "api error",
    "apierror", "network error", "fetch failed", "connect econnrefused", "socket hang up",
    "the read operation timed out",
    "internal server error", "bad gateway", "service unavailable", "gateway timeout", "no healthy upstream",
    "upstream connect error", "overloaded", "too many requests", "rate limit", "ratelimiterror",
    "you exceeded your current quota", "insufficient_quota",
];

/// Troubles that a service states in its first sentence; in lower case.
#[rustfmt::skip] // Each kind of trouble, and each language, has lines of its own.
const TROUBLES: [&str; 49] = [
    "is overloaded", "is currently overloaded", "is busy", "is too busy", "are busy", "experiencing high",
    "experiencing technical", "temporarily unavailable", "currently unavailable", "not available right now",
    "had an error while", "encountered an error", "encountered an unexpected", "encountered an issue",
    "encountered a problem", "an error occurred", "an error has occurred", "an unexpected error", "an internal error",
    "something went wrong", "there was a problem processing", "there was an error", "ran into an error",
    "ran into a problem",
    "request timed out", "reached your", "has been exceeded",
    "服务器繁忙", "请求过于频繁", "服务暂时不可用", "服务器过载", "系统繁忙", "服务繁忙", "服务器错误", "服务器内部错误",
    "系统错误", "系统异常", "网络异常", "网络错误", "请求超时", "出错了", "遇到了一些问题",
    "混雑しています", "エラーが発生しました", "오류가 발생했습니다", "ist überlastet", "ist ein fehler aufgetreten",
    "une erreur est survenue", "ha producido un error",
];

/// What a service asks for after its trouble; in lower case.
const INVITATIONS: [&str; 24] = [
    "もう一度お試し", "しばらくして", "versuchen sie es", "veuillez réessayer", "inténtelo de nuevo", "다시 시도",
    "try again", "please retry", "retry later", "retry your", "try later", "come back later", "contact support",
    "contact us", "help.openai.com", "please wait", "sorry about", "请稍后", "请稍候", "稍后再试", "稍后重试",
    "请重试", "再试一次", "联系客服",
];

/// True for a page, a JSON body or a short text that reports an error.
pub(super) fn is_error_text(text: &str) -> bool {
    let text = fenced(text).map_or(text, |(_, inner)| inner).trim();
    // The marks of a heading such as `# 502 Bad Gateway` are ignored.
    let head = text.trim_start_matches(['#', ' ']).chars().take(200).collect::<String>().to_lowercase();
    let begins_with = |words: &&str| head.starts_with(words);
    if head.starts_with(['{', '[']) {
        return serde_json::from_str::<Value>(text).is_ok_and(|body| is_error_body(&body));
    }
    ["<!doctype html", "<html", "<head>", "<title>", "<center>", "<?xml"].iter().any(begins_with)
        || (text.chars().nth(LONGEST_ERROR_CHARS).is_none()
            && (ERROR_BEGINNINGS.iter().any(begins_with) || begins_with_status(&head)))
        || is_apology(text)
}

/// The fields of a JSON body that only reports a status.
const STATUS_MESSAGES: [&str; 5] = ["message", "msg", "detail", "error_msg", "errmsg"];
const STATUS_DETAILS: [&str; 18] = [
    "code", "status", "statusCode", "status_code", "error_code", "errcode", "request_id", "requestId", "trace_id",
    "type", "param", "timestamp", "path", "data", "success", "title", "instance", "id",
];

/// `{"error": …}`, `{"type":"error"}`, `{"success":false}`, `{"code":500,"message":"…"}`, `{"detail":"…"}`, and a list
/// that begins with one.
fn is_error_body(body: &Value) -> bool {
    let body = if let Value::Array(entries) = body { entries.first().unwrap_or(body) } else { body };
    let Value::Object(body) = body else { return false };
    let is_filled = |key: &str| match body.get(key) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(entries)) => !entries.is_empty(),
        Some(_) => true,
    };
    let is_message = |key: &String| STATUS_MESSAGES.contains(&key.as_str());
    let is_detail = |key: &String| STATUS_DETAILS.contains(&key.as_str());
    is_filled("error")
        || is_filled("errors")
        || body.get("type").and_then(Value::as_str) == Some("error")
        || body.get("success").and_then(Value::as_bool) == Some(false)
        || (body.keys().any(is_message) && body.keys().all(|key| is_message(key) || is_detail(key)))
}

/// How a service begins to speak of itself; in lower case.
const APOLOGETIC_STARTS: [&str; 21] = [
    "i ", "i'm", "i’m", "we ", "we're", "our ", "sorry", "oops", "the server ", "the service ", "the model ",
    "the engine ", "that model ", "something ", "an ", "服务", "系统", "网络", "抱歉", "请求", "出错",
];

/// A short text that states a service's trouble and either asks to try again or has no other content.
fn is_apology(text: &str) -> bool {
    if text.chars().nth(LONGEST_APOLOGY_CHARS).is_some() {
        return false;
    }
    let text = text.trim().to_lowercase().replace('’', "'");
    let text = text.trim_start_matches("oops").trim_start_matches(['!', '.', ',', ' ']);
    let end = text.find(['.', '。', '!', '！', '\n']).unwrap_or(text.len());
    let (first, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let states =
        |trouble: &&str| first.match_indices(*trouble).any(|(start, _)| is_phrase_end(first, start + trouble.len()));
    if !TROUBLES.iter().any(states) {
        return false;
    }
    let invites = INVITATIONS.iter().any(|words| text.contains(words));
    let is_alone = rest.trim_matches(['.', '。', '!', '！', '\n', ' ']).is_empty();
    let speaks_of_itself = APOLOGETIC_STARTS.iter().any(|words| first.starts_with(words));
    invites || (is_alone && speaks_of_itself && first.chars().nth(LONGEST_LONE_SENTENCE_CHARS).is_none())
}

/// True if the phrase before `end` isn't part of a longer one: `服务器繁忙` is a phrase in `服务器繁忙，请稍后再试`, but not in
/// `服务器繁忙时的重试逻辑`.
fn is_phrase_end(text: &str, end: usize) -> bool {
    let is_ascii = text.get(..end).is_some_and(|before| before.ends_with(|letter: char| letter.is_ascii()));
    let next = text.get(end..).and_then(|rest| rest.chars().next());
    is_ascii || next.is_none_or(|next| !next.is_alphanumeric() || matches!(next, '请' | '了' | '中' | '啦'))
}

/// `429 Too Many Requests`, `HTTP 503: …`, `status code 500`; not `500 tests pass`.
fn begins_with_status(head: &str) -> bool {
    let words = ["http/1.1 ", "http error ", "http ", "status code ", "status "];
    let after_words = words.iter().find_map(|&word| head.strip_prefix(word));
    let code = after_words.unwrap_or(head);
    let (digits, rest) = code.split_at_checked(3).unwrap_or(("", code));
    let is_code = digits.starts_with(['4', '5']) && digits.bytes().all(|digit| digit.is_ascii_digit());
    let rest = rest.trim_start_matches([' ', ':', '-']);
    let reasons = [
        "too many requests", "internal server error", "bad gateway", "service unavailable", "gateway", "unauthorized",
        "forbidden", "not found", "bad request", "status code", "rate limit", "payment required", "{",
    ];
    is_code && (after_words.is_some() || rest.is_empty() || reasons.iter().any(|reason| rest.starts_with(reason)))
}
