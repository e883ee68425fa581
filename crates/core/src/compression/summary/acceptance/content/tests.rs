use super::*;

#[test]
fn r7_6_phrases_that_state_missing_information_count_as_empty() {
    for line in [
        "No prior history.",
        "Unknown",
        "I do not have access to the earlier conversation.",
        "None",
        "- None so far.",
        "N/A",
        "No files were read or modified.",
        "There is no conversation to summarize.",
        "Nothing to report yet.",
        "No failed attempts have been recorded.",
        "Not specified in the provided context.",
        "The goal is unknown.",
        "I don't have any previous messages.",
        "No decisions were made in this session.",
        "Cannot be determined.",
        "无",
        "暂无历史记录。",
        "没有之前的对话。",
        "未知",
        "我无法访问之前的对话内容。",
        "未提供相关信息",
        "没有修改任何文件",
        "目标：未知",
        "Discoveries: nothing yet",
    ] {
        assert!(says_nothing(line), "{line}");
    }
    for line in [
        "Fix the parser in src/parse.rs",
        "No tests were added because vitest is missing",
        "None of the 3 retries of the upload worked",
        "Do not touch config.yaml",
        "未完成：升级 vite",
        "不要修改 README",
        "没有修复登录错误",
        "Empty lines break the lexer",
        "done",
        "The user has no admin rights on staging",
        "",
    ] {
        assert!(!says_nothing(line), "{line}");
    }
}
