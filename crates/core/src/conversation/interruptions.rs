//! Decides whether a tool returned a result, or an agent invented it for a call that never ended. This only decides which of several results
//! for one call stays, so a doubtful text counts as a tool's.

/// Longer texts are tool output: an invented result is a sentence or two. 600 UTF-16 units have at most four times as many bytes.
const MAX_BYTES: usize = 4 * 600;
/// Words for the thing that was interrupted.
const SUBJECTS: &[&str] = &[
    "tool", "call", "operation", "execution", "request", "user", "command", "task", "turn", "action", "function",
    "message", "session", "run",
];
/// Words for the interruption. Alone or with one of the [`SUBJECTS`], they say that a call was interrupted.
#[rustfmt::skip] // Long phrases would have a line each.
const ENDINGS: &[&str] = &[
    "interrupted", "cancelled", "canceled", "aborted", "abandoned", "skipped", "not executed", "not run", "never ran",
    "did not complete", "didn't complete", "did not finish", "doesn't want to proceed",
    "doesn't want to take this action", "rejected",
];
/// Phrases of agents that say it with other words, or in Chinese or Japanese.
#[rustfmt::skip] // Long phrases would have a line each.
const PHRASES: &[&str] = &[
    "no result provided", "no tool result", "no result available", "no response provided", "no output available",
    "result unavailable", "result missing", "missing tool result", "missing result", "result not available",
    "result was lost", "result from earlier conversation", "\"result_type\":\"interrupt\"",
    "\"result_type\": \"interrupt\"",
    "已中断", "被中断", "中断执行", "已取消", "被取消", "用户取消", "用户中断", "已被终止", "已中止", "未返回结果",
    "没有返回结果", "結果がありません", "中断されました", "キャンセルされました",
];

pub fn is_interruption(text: &str) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let lower = text.trim().to_lowercase();
    if PHRASES.iter().any(|phrase| lower.contains(phrase)) {
        return true;
    }
    // A command's output may contain such words later on.
    let head = lower.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '"');
    let sentence = head.split(['\n', '\r']).next().unwrap_or_default();
    let ending = ENDINGS.iter().find(|ending| sentence.contains(*ending));
    ending.is_some_and(|ending| {
        let words = sentence.trim_matches(|c: char| !c.is_alphanumeric());
        let words = words.strip_prefix("error: ").unwrap_or(words);
        words == *ending || sentence.split(|c: char| !c.is_alphanumeric()).any(|word| SUBJECTS.contains(&word))
    })
}

#[cfg(test)]
mod tests;
