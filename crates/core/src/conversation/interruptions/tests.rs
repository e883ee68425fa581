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
