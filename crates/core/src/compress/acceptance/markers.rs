//! Decides whether a text that doesn't begin like a summary is a tool call, an error or a refusal.

use serde_json::Value;

/// Clients' and servers' errors are short, and so are refusals; longer texts report on them.
const LONGEST_ERROR_CHARS: usize = 1_000;
const LONGEST_REFUSAL_CHARS: usize = 600;

/// What a model writes that was trained to call tools and has none, at the start of a line.
const TOOL_MARKUP: [&str; 13] = [
    "<tool_call",
    "<tool_use",
    "<tool_code",
    "<function_call",
    "<function=",
    "<invoke ",
    "<invoke>",
    "<antml:",
    "<|tool",
    "<｜tool",
    "<|python_tag|>",
    "[tool_calls]",
    "<|channel|>commentary to=",
];

/// True for tool markup, within a text or as all of it, and for the bare JSON of a call. Quoted lines and fenced
/// ones don't count.
pub(super) fn is_tool_markup(text: &str) -> bool {
    let mut in_fence = false;
    let mut lines = text.lines().map(str::trim_start);
    let has_markup = lines.any(|line| {
        if line.starts_with("```") {
            in_fence = !in_fence;
        }
        let line: String = line.chars().take(40).collect::<String>().to_lowercase();
        !in_fence && TOOL_MARKUP.iter().any(|markup| line.starts_with(markup))
    });
    has_markup || is_call_json(text)
}

fn is_call_json(text: &str) -> bool {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return false;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(entries)) => !entries.is_empty() && entries.iter().all(is_call),
        Ok(value) => is_call(&value),
        Err(_) => false,
    }
}

fn is_call(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    has("tool_calls")
        || has("function_call")
        || ((has("name") || has("tool") || has("function") || has("tool_name"))
            && ["arguments", "parameters", "input", "args", "tool_input"].into_iter().any(has))
        || value.get("function").is_some_and(|function| function.get("arguments").is_some())
}

/// Beginnings of what clients put in place of an answer. Lower case.
const ERROR_BEGINNINGS: [&str; 29] = [
    "error:",
    "[error]",
    "error code:",
    "错误:",
    "错误：",
    "错误码",
    "请求失败",
    "调用失败",
    "请求过于频繁",
    "服务器繁忙",
    "服务暂时不可用",
    "request failed",
    "api error",
    "apierror",
    "network error",
    "internal server error",
    "bad gateway",
    "service unavailable",
    "gateway timeout",
    "too many requests",
    "rate limit",
    "ratelimiterror",
    "you exceeded your current quota",
    "insufficient_quota",
    "overloaded",
    "upstream connect error",
    "fetch failed",
    "connect econnrefused",
    "socket hang up",
];

/// True for an error text, an error body or an HTML page in place of an answer.
pub(super) fn is_error_text(text: &str) -> bool {
    let head: String = text.trim_start().chars().take(200).collect::<String>().to_lowercase();
    if ["<!doctype html", "<html"].iter().any(|tag| head.starts_with(tag)) {
        return true;
    }
    if head.starts_with('{') {
        let body = serde_json::from_str::<Value>(text.trim());
        return body.is_ok_and(|body| {
            body.get("error").is_some_and(|error| !error.is_null())
                || body.get("type").and_then(Value::as_str) == Some("error")
        });
    }
    text.chars().nth(LONGEST_ERROR_CHARS).is_none()
        && (ERROR_BEGINNINGS.iter().any(|words| head.starts_with(words)) || begins_with_status(&head))
}

/// `429 Too Many Requests`, `HTTP 503: …`, `status code 500`; not `500 tests pass`.
fn begins_with_status(head: &str) -> bool {
    let words = ["http/1.1 ", "http error ", "http ", "status code ", "status "];
    let code = words.iter().find_map(|&word| head.strip_prefix(word));
    let named = code.is_some();
    let code = code.unwrap_or(head);
    let (digits, rest) = code.split_at_checked(3).unwrap_or(("", code));
    let is_code = digits.starts_with(['4', '5']) && digits.bytes().all(|digit| digit.is_ascii_digit());
    let rest = rest.trim_start_matches([' ', ':', '-']);
    let reasons = [
        "too many requests",
        "internal server error",
        "bad gateway",
        "service unavailable",
        "gateway",
        "unauthorized",
        "forbidden",
        "not found",
        "bad request",
        "status code",
        "rate limit",
        "payment required",
        "{",
    ];
    is_code && (named || rest.is_empty() || reasons.iter().any(|reason| rest.starts_with(reason)))
}

/// Beginnings that are a refusal whatever follows, and ones that are only when a verb of refusing follows soon.
const APOLOGIES: [&str; 12] = [
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "sorry but",
    "i apologize",
    "i must decline",
    "i have to decline",
    "as an ai",
    "抱歉",
    "很抱歉",
    "非常抱歉",
    "对不起",
];
const INABILITIES: [&str; 18] = [
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i won't",
    "i will not",
    "unfortunately, i",
    "unable to",
    "我无法",
    "我不能",
    "我没有办法",
    "作为一个",
    "作为ai",
    "无法",
    "不能",
];
const REFUSED_VERBS: [&str; 30] = [
    "assist",
    "help",
    "summari",
    "comply",
    "provide",
    "create",
    "generate",
    "fulfill",
    "fulfil",
    "do that",
    "do this",
    "continue with",
    "process",
    "share",
    "discuss",
    "engage",
    "complete",
    "support",
    "answer",
    "write",
    "协助",
    "帮",
    "提供",
    "满足",
    "回答",
    "生成",
    "总结",
    "处理",
    "继续",
    "人工智能",
];

/// How far after its beginning a refusal names what is refused.
const REFUSAL_REACH_CHARS: usize = 60;

/// True for a short text that begins by refusing. `I cannot reproduce the bug` is a report.
pub(super) fn is_refusal_text(text: &str) -> bool {
    if text.chars().nth(LONGEST_REFUSAL_CHARS).is_some() {
        return false;
    }
    let head: String = text.chars().take(200).collect::<String>().to_lowercase().replace('’', "'");
    let head = head.trim_start_matches(['"', '“', '*', ' ']);
    let inability = INABILITIES.iter().find_map(|words| head.strip_prefix(words));
    APOLOGIES.iter().any(|words| head.starts_with(words))
        || inability.is_some_and(|after| {
            let after: String = after.chars().take(REFUSAL_REACH_CHARS).collect();
            let sentence = after.split(['.', '。', '\n']).next().unwrap_or_default();
            REFUSED_VERBS.iter().any(|verb| sentence.contains(verb))
        })
}
