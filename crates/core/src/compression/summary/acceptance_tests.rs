#[path = "acceptance/length_tests.rs"]
mod length_tests;

use super::*;
use crate::compression::summary::prompt::sections_named_in;
use crate::results::Language;

pub(super) fn reply(text: &str) -> Reply {
    Reply { text: Some(text.to_owned()), ..Reply::default() }
}

fn refusal_of(text: &str) -> Option<Rejection> {
    judge(&reply(text), &[]).err()
}

fn text_of(text: &str) -> String {
    judge(&reply(text), &[]).unwrap().text
}

#[test]
fn edge_16_an_empty_reply_is_refused() {
    assert_eq!(refusal_of(""), Some(Rejection::Empty));
    assert_eq!(refusal_of(" \n\t"), Some(Rejection::Blank));
    assert_eq!(refusal_of("```\n```"), Some(Rejection::Blank));
    assert_eq!(refusal_of("[压缩摘要]\n"), Some(Rejection::Blank));
    assert_eq!(judge(&Reply::default(), &[]), Err(Rejection::NotText));
}

#[test]
fn edge_17_tool_markup_is_refused() {
    let foreign = ["<", "ant", "ml:invoke name=\"x\">"].concat();
    for text in [
        "<tool_call>\n{\"name\":\"read\"}\n</tool_call>",
        "Let me look at the file first.\n<function_calls>\n<invoke name=\"Read\">",
        "<invoke name=\"Bash\">",
        "<|tool_calls_section_begin|>",
        "<｜tool▁calls▁begin｜>",
        "[TOOL_CALLS] [{\"name\": \"a\"}]",
        "{\"name\":\"Read\",\"arguments\":{\"path\":\"a\"}}",
        "```\n[{\"function\":{\"name\":\"a\",\"arguments\":\"{}\"}}]\n```",
        foreign.as_str(),
    ] {
        assert_eq!(refusal_of(text), Some(Rejection::ToolCall), "{text}");
    }
    let called = Reply { has_tool_calls: true, ..reply("## Goal\nfine") };
    assert_eq!(judge(&called, &[]), Err(Rejection::ToolCall));
    let ended = Reply { finish_reason: Some("tool_use".into()), ..reply("## Goal\nfine") };
    assert_eq!(judge(&ended, &[]), Err(Rejection::ToolCall));
}

#[test]
fn edge_17_reasoning_alone_is_refused_and_removed_from_a_summary() {
    assert_eq!(refusal_of("<think>the user wants …</think>"), Some(Rejection::ReasoningOnly));
    assert_eq!(refusal_of("<think>the user wants …"), Some(Rejection::ReasoningOnly));
    assert_eq!(text_of("<think>a</think>\n<analysis>b</analysis>\n## Goal\nx"), "## Goal\nx");
    assert_eq!(text_of("a thought\n</think>\n\n## Goal\nx"), "## Goal\nx");
    let mention = "## Done\nThe parser handles <think> and </think> now.";
    assert_eq!(text_of(mention), mention);
}

#[test]
fn edge_18_an_error_text_never_becomes_history() {
    for text in [
        "Error: 500 upstream",
        "错误：余额不足",
        "{\"error\":{\"message\":\"overloaded\"}}",
        "{\"type\":\"error\",\"x\":1}",
        "```json\n{\"error\":{\"message\":\"overloaded\"}}\n```",
        "{\"code\":\"InvalidApiKey\",\"message\":\"no\",\"request_id\":\"x\"}",
        "{\"detail\":\"Not Found\"}",
        "[{\"error\":{\"code\":503}}]",
        "# 502 Bad Gateway\nnginx/1.18.0",
        "<html>\r\n<head><title>502</title></head>",
        "I'm sorry, but I encountered an error while processing your request.",
        "I apologize, but something went wrong on our end. Please try again later.",
        "The server is overloaded. Please retry your request after a short wait.",
        "The server is currently overloaded with other requests. Sorry about that!",
        "The server had an error while processing your request. Sorry about that!",
        "We're experiencing high demand right now.",
        "Oops! Something went wrong.",
        "抱歉，服务器繁忙，请稍后再试。",
        "系统繁忙，请稍后重试",
        "当前服务器过载，请稍后再试！",
        "<!DOCTYPE html><html><body>502</body></html>",
        "Request failed with status code 429",
        "429 Too Many Requests",
        "HTTP 503: try again",
        "Rate limit reached for gpt-4o-mini",
        "请求过于频繁，请稍后再试",
        "500",
    ] {
        assert_eq!(refusal_of(text), Some(Rejection::ErrorText), "{text}");
    }
}

#[test]
fn r7_6_a_refusal_of_the_model_is_not_accepted() {
    for text in [
        "I'm sorry, but I can't help with that.",
        "I’m unable to assist with this request.",
        "I cannot summarize this conversation.",
        "As an AI language model, I don't have access.",
        "抱歉，我无法总结这段内容。",
        "我不能协助处理该请求。",
        "作为一个人工智能助手，我不便回答。",
        "抱歉，我无法满足您的要求。",
        "很抱歉，作为AI，我不能总结该对话。",
        "对不起，作为AI语言模型，我没有权限。",
        "對不起，我無法協助。",
        "作为人工智能语言模型，我无法访问这些内容。",
        "很遗憾，我无法完成这项请求。",
        "您好，我无法给到相关内容。",
        "Unfortunately, I can't do this.",
    ] {
        assert_eq!(refusal_of(text), Some(Rejection::ModelRefused), "{text}");
    }
    let flagged = Reply { refusal: Some("no".into()), ..reply("## Goal\nx") };
    assert_eq!(judge(&flagged, &[]), Err(Rejection::ModelRefused));
    let filtered = Reply { finish_reason: Some("content_filter".into()), ..reply("## Goal") };
    assert_eq!(judge(&filtered, &[]), Err(Rejection::ModelRefused));
}

#[test]
fn r7_6_a_summary_that_was_cut_off_is_refused() {
    for reason in ["length", "max_tokens", "MAX_TOKENS", "model_length"] {
        let cut = Reply { finish_reason: Some(reason.into()), ..reply("## Goal\nfinish the") };
        assert_eq!(judge(&cut, &[]), Err(Rejection::CutOff), "{reason}");
    }
    // A reasoning model that used all its room to think has no text at all.
    let thought = Reply { finish_reason: Some("length".into()), ..Reply::default() };
    assert_eq!(judge(&thought, &[]), Err(Rejection::CutOff));
    for reason in ["stop", "end_turn", "STOP", "something_new"] {
        let ended = Reply { finish_reason: Some(reason.into()), ..reply("## Goal\nx") };
        assert!(judge(&ended, &[]).is_ok(), "{reason}");
    }
}

#[test]
fn r7_6_a_summary_that_reports_errors_refusals_or_tools_is_accepted() {
    for text in [
        "抱歉之类的提示语已从 src/ui.rs 中去掉，测试通过。",
        "Unfortunately, I could not reproduce the crash; tokio 1.54 is pinned and the tests pass.",
        "很遗憾，我没能修好解析器；端口仍是 8080。",
        "I'm sorry to report that the release is blocked by issue 7.",
        "Sorry for the wait, here it is:\n## Goal\nfix it\n## Done\nnothing",
        "抱歉，之前的摘要不完整。\n## 任务目标\n修复解析器\n## 已完成\n无",
        "The server is overloaded by 2,000 requests a second; src/pool.rs now holds 50 connections. Open: load test.",
        "服务器繁忙时的重试逻辑已写入 src/retry.rs，测试通过，下一步是补充文档并检查超时的默认值。",
        "git history was rewritten, the port stays 8080, and npm test is green.",
        "make the parser faster: done; next, measure on the corpus.",
        "Port 8080 stays. Run the tests with:\n```sh\nnpm test -- --grep parser\n```",
        "{\"goal\":\"fix it\",\"message\":\"all done\",\"files\":[]}",
        "## Goal\nI'm sorry, but I can't help with that.",
        "## Goal\nError: 429 Too Many Requests came from the proxy\n<tool_call>",
        "# 摘要\n抱歉，我无法",
        "## 任务目标\n错误：端口 8080 被占用",
        "I cannot reproduce the crash on Linux; on macOS it happens with 2.1.0.",
        "Error handling was moved to src/error.rs; all tests pass.",
        "错误处理已重写，测试通过。",
        "500 tests pass, 3 fail; the port is 8080.",
        "无法复现该崩溃，已改用 tokio 1.54。",
        "The user asked why requests end with 429 Too Many Requests. Error: ECONNRESET was the cause.",
        "Sorry state of the lexer: rewritten.",
        "The agent's parser reads `<tool_call>` blocks:\n```\n<tool_call>x</tool_call>\n```",
        "{\"goal\":\"fix the parser\",\"error\":null}",
    ] {
        assert_eq!(refusal_of(text), None, "{text}");
    }
    let long = format!("I'm sorry to report that nothing works yet. {}", "Port 8080 is taken. ".repeat(60));
    assert_eq!(refusal_of(&long), None);
}

#[test]
fn r7_6_only_markup_around_a_whole_summary_is_removed() {
    assert_eq!(text_of("```markdown\n## Goal\n```sh\nls\n```\nx\n```"), "## Goal\n```sh\nls\n```\nx");
    assert_eq!(text_of("```\n## Goal\nx\n```\n"), "## Goal\nx");
    let two = "```\nnpm test\n```\nand then\n```\nnpm publish\n```";
    assert_eq!(text_of(two), two);
    let rust = "```rust\nfn main() {}\n```";
    assert_eq!(text_of(rust), rust);
    assert_eq!(text_of("<summary>\n## Goal\nx\n</summary>"), "## Goal\nx");
    assert_eq!(text_of("[压缩摘要]\n```\n[压缩摘要]\n## Goal\nx\n```"), "## Goal\nx");
}

#[test]
fn r7_6_a_copied_session_record_is_removed_and_later_text_stays() {
    let record = "## Session record (extracted)\n\nFiles read:\n- a";
    assert_eq!(text_of(&format!("## Goal\nx\n{record}")), "## Goal\nx");
    assert_eq!(text_of(&format!("## Goal\nx\n{record}\n## Open\ny")), "## Goal\nx\n## Open\ny");
    assert_eq!(refusal_of(record), Some(Rejection::Blank));
}

#[test]
fn r7_6_sections_are_found_in_every_heading_style_of_models() {
    let sections = sections_named_in(Language::English);
    let all = "## Goal\n### 2. Key decisions made\n**Completed work:**\n四、待办\nFiles changed:\n# Failed Attempts\n7) Key discoveries";
    assert_eq!(missing_sections(all, &sections), Vec::<String>::new());
    let prose = "The goal is clear.\n## Opening the port\n## Decisions\nopen the file\n## Profile\n";
    assert_eq!(missing_sections(prose, &sections), ["goal", "done", "open", "files", "failed attempts", "discoveries"]);
    let missing = missing_sections("## 任务目标\n## 已完成", &sections_named_in(Language::Chinese));
    assert_eq!(missing, ["重要决策", "待办", "文件", "失败尝试", "发现"]);
}

#[test]
fn r7_6_a_single_word_or_empty_headings_are_refused() {
    let headings = |language: Language, below: &str| {
        let names = sections_named_in(language);
        names.iter().map(|section| format!("## {}\n{below}\n", section.headings[0])).collect::<Vec<_>>().concat()
    };
    let empty =
        [headings(Language::English, ""), headings(Language::English, "none"), headings(Language::Chinese, "- 无。")];
    let words = [
        "ok", "OK.", "Okay!", "undefined", "null", "None", "NaN", "[object Object]", "[object Promise]", "true", "...",
        "-", "好的。", "无", "完成", "Done.", "```\nok\n```", "Understood.", "**Summary:**", "## Summary",
    ];
    for text in empty.iter().map(String::as_str).chain(words) {
        let sections = sections_named_in(Language::English);
        assert_eq!(judge(&reply(text), &sections), Err(Rejection::TooLittle), "{text}");
    }
    assert_eq!(judge(&reply("**Goal:** fix the parser"), &sections_named_in(Language::English)).map(|_| ()), Ok(()));
}

#[test]
fn r7_6_a_bare_command_is_refused() {
    for text in [
        "npm test",
        "`cargo test --workspace`",
        "$ git status",
        "cd src && ls -la | grep rs",
        "```bash\nnpm run build\nnpm test\n```",
        "```\nnpm test\n```",
        "```console\n$ make\n```",
        "Let me run the tests first.\n```bash\nnpm test\n```",
        "让我先看一下测试结果：\n```sh\ncargo test\n```",
        "```json\n{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}\n```",
    ] {
        assert_eq!(refusal_of(text), Some(Rejection::ToolCall), "{text}");
    }
}
