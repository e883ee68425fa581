//! Decides whether a tool returned a result, or an agent invented it for a call that never ended. This only decides which of several results
//! for one call stays, so a doubtful text counts as a tool's.

/// Longer texts are tool output: an invented result is a sentence or two. 600 UTF-16 units have at most four times as many bytes.
const MAX_BYTES: usize = 4 * 600;

/// Words for the thing that was interrupted.
const SUBJECTS: &[&str] = &[
    "tool", "call", "operation", "execution", "request", "user", "command", "task", "turn", "action",
    "function", "message", "session", "run",
];

/// Words for the interruption. Alone or with one of the [`SUBJECTS`], they say that a call was interrupted.
const ENDINGS: [&str; 15] = [
    "interrupted",
    "cancelled",
    "canceled",
    "aborted",
    "abandoned",
    "skipped",
    "not executed",
    "not run",
    "never ran",
    "did not complete",
    "didn't complete",
    "did not finish",
    "doesn't want to proceed",
    "doesn't want to take this action",
    "rejected",
];

/// Phrases of agents that say it with other words.
const PHRASES: &[&str] = &[
    "no result provided",
    "no tool result",
    "no result available",
    "no response provided",
    "no output available",
    "result unavailable",
    "result missing",
    "missing tool result",
    "missing result",
    "result not available",
    "result was lost",
    "result from earlier conversation",
    "\"result_type\":\"interrupt\"",
    "\"result_type\": \"interrupt\"",
];

const CHINESE_PHRASES: &[&str] = &[
    "已中断", "被中断", "中断执行", "已取消", "被取消", "用户取消", "用户中断", "已被终止", "已中止",
    "未返回结果", "没有返回结果",
];
const JAPANESE_PHRASES: &[&str] = &["結果がありません", "中断されました", "キャンセルされました"];

/// True if `text` replaces a result that never came.
pub fn is_interruption(text: &str) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let lower = text.trim().to_lowercase();
    let head = lower.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '"');
    if CHINESE_PHRASES.iter().chain(JAPANESE_PHRASES).any(|phrase| lower.contains(phrase))
        || PHRASES.iter().any(|phrase| head.contains(phrase))
    {
        return true;
    }
    // A command's output may contain such words later on.
    let sentence = head.split(['\n', '\r']).next().unwrap_or_default();
    let ending = ENDINGS.iter().find(|ending| sentence.contains(*ending));
    ending.is_some_and(|ending| {
        let words = sentence.trim_matches(|c: char| !c.is_alphanumeric());
        let words = words.strip_prefix("error: ").unwrap_or(words);
        words == *ending
            || sentence.split(|c: char| !c.is_alphanumeric()).any(|word| SUBJECTS.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cleanup::policy::INTERRUPTED;

    #[test]
    fn interruption_texts_of_agents_are_recognised() {
        for text in INTERRUPTED {
            assert!(is_interruption(text), "{text}");
        }
        for text in [
            "[Request interrupted by user for tool use]",
            "[Request interrupted by user]",
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
            "Tool execution aborted",
            "[Tool execution was interrupted]",
            "No result provided",
            "Tool execution was cancelled.",
            "Tool cancelled",
            "Cancelled by the user",
            "aborted",
            "aborted by user after 4.2s",
            "Error: command was aborted by user",
            "[Operation Cancelled] Reason: User cancelled the operation.",
            "Tool call bash with id call_7 was cancelled - another message came in before it could be completed.",
            "Task was interrupted before this tool call could be completed.",
            "[operation interrupted by user]",
            "[Tool result unavailable: do not assume that the call ran]",
            "[System: Tool execution skipped/interrupted by user. No result provided for tool 'bash'.]",
            "[Tool result missing]",
            "{\"result_type\": \"interrupt\", \"state\": []}",
            "<error>Tool call was not executed: the session ended</error>",
            "工具调用已取消",
            "操作已被用户中断执行",
        ] {
            assert!(is_interruption(text), "{text}");
        }
    }

    #[test]
    fn output_of_tools_is_not_taken_for_an_interruption() {
        let long = format!("the tool call was interrupted {}", "x".repeat(MAX_BYTES));
        for text in [
            "",
            "done",
            "total 8\ndrwxr-xr-x 2 me me 4096 src",
            "12 passed, 1 skipped in 0.4s",
            "src/abort.ts:12: signal.aborted",
            "Error: ENOENT: no such file or directory",
            "ok\nthe task was cancelled",
            "{\"stdout\":\"\",\"stderr\":\"\",\"exitCode\":0}",
            long.as_str(),
        ] {
            assert!(!is_interruption(text), "{text}");
        }
    }
}
