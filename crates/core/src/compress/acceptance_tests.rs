use super::*;
use crate::compress::prompt::sections_named_in;
use crate::results::Language;

fn reply(text: &str) -> Reply {
    Reply { text: Some(text.to_owned()), ..Reply::default() }
}

fn refusal_of(text: &str) -> Option<Refusal> {
    judge(&reply(text), &[]).err()
}

fn text_of(text: &str) -> String {
    judge(&reply(text), &[]).unwrap().text
}

#[test]
fn edge_16_an_empty_reply_is_no_summary() {
    assert_eq!(refusal_of(""), Some(Refusal::Empty));
    assert_eq!(refusal_of(" \n\t"), Some(Refusal::Blank));
    assert_eq!(refusal_of("```\n```"), Some(Refusal::Blank));
    assert_eq!(refusal_of("[压缩摘要]\n"), Some(Refusal::Blank));
    assert_eq!(judge(&Reply::default(), &[]), Err(Refusal::NotText));
}

#[test]
fn edge_17_tool_markup_is_no_summary() {
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
        assert_eq!(refusal_of(text), Some(Refusal::ToolCall), "{text}");
    }
    let called = Reply { has_tool_calls: true, ..reply("## Goal\nfine") };
    assert_eq!(judge(&called, &[]), Err(Refusal::ToolCall));
    let ended = Reply { finish_reason: Some("tool_use".into()), ..reply("## Goal\nfine") };
    assert_eq!(judge(&ended, &[]), Err(Refusal::ToolCall));
}

#[test]
fn edge_17_thoughts_are_no_summary_and_are_taken_off_one() {
    assert_eq!(refusal_of("<think>the user wants …</think>"), Some(Refusal::ReasoningOnly));
    assert_eq!(refusal_of("<think>the user wants …"), Some(Refusal::ReasoningOnly));
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
        "<!DOCTYPE html><html><body>502</body></html>",
        "Request failed with status code 429",
        "429 Too Many Requests",
        "HTTP 503: try again",
        "Rate limit reached for gpt-4o-mini",
        "请求过于频繁，请稍后再试",
        "500",
    ] {
        assert_eq!(refusal_of(text), Some(Refusal::ErrorText), "{text}");
    }
}

#[test]
fn r7_6_a_refusal_is_no_summary() {
    for text in [
        "I'm sorry, but I can't help with that.",
        "I’m unable to assist with this request.",
        "I cannot summarize this conversation.",
        "As an AI language model, I don't have access.",
        "抱歉，我无法总结这段内容。",
        "我不能协助处理该请求。",
        "作为一个人工智能助手，我不便回答。",
    ] {
        assert_eq!(refusal_of(text), Some(Refusal::Refused), "{text}");
    }
    let flagged = Reply { refused: true, ..reply("## Goal\nx") };
    assert_eq!(judge(&flagged, &[]), Err(Refusal::Refused));
    let filtered = Reply { finish_reason: Some("content_filter".into()), ..reply("## Goal") };
    assert_eq!(judge(&filtered, &[]), Err(Refusal::Refused));
}

#[test]
fn r7_6_a_summary_that_was_cut_off_is_refused() {
    for reason in ["length", "max_tokens", "MAX_TOKENS", "model_length"] {
        let cut = Reply { finish_reason: Some(reason.into()), ..reply("## Goal\nfinish the") };
        assert_eq!(judge(&cut, &[]), Err(Refusal::CutOff), "{reason}");
    }
    // A reasoning model that thought to the end of its room has no text at all.
    let thought = Reply { finish_reason: Some("length".into()), ..Reply::default() };
    assert_eq!(judge(&thought, &[]), Err(Refusal::CutOff));
    for reason in ["stop", "end_turn", "STOP", "something_new"] {
        let ended = Reply { finish_reason: Some(reason.into()), ..reply("## Goal") };
        assert!(judge(&ended, &[]).is_ok(), "{reason}");
    }
}

#[test]
fn r7_6_a_summary_that_reports_errors_refusals_or_tools_is_taken() {
    for text in [
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
fn r7_6_only_what_wraps_all_of_a_summary_is_taken_off() {
    assert_eq!(text_of("```markdown\n## Goal\n```sh\nls\n```\nx\n```"), "## Goal\n```sh\nls\n```\nx");
    assert_eq!(text_of("```\n## Goal\nx\n```\n"), "## Goal\nx");
    let two = "```\nnpm test\n```\nand then\n```\nnpm publish\n```";
    assert_eq!(text_of(two), two);
    let rust = "```rust\nfn main() {}\n```";
    assert_eq!(text_of(rust), rust);
    assert_eq!(text_of("<summary>\n## Goal\n</summary>"), "## Goal");
    assert_eq!(text_of("[压缩摘要]\n```\n[压缩摘要]\n## Goal\n```"), "## Goal");
}

#[test]
fn r7_6_a_copied_session_record_is_taken_off_and_what_follows_it_stays() {
    let record = "## Session record (extracted)\n\nFiles read:\n- a";
    assert_eq!(text_of(&format!("## Goal\nx\n{record}")), "## Goal\nx");
    assert_eq!(text_of(&format!("## Goal\nx\n{record}\n## Open\ny")), "## Goal\nx\n## Open\ny");
    assert_eq!(refusal_of(record), Some(Refusal::Blank));
}

#[test]
fn r7_6_sections_are_found_in_every_form_that_models_give_them() {
    let sections = sections_named_in(Language::English);
    let all = "## Goal\n### 2. Key decisions made\n**Completed work:**\n四、待办\nFiles changed:\n# Failed Attempts";
    assert_eq!(missing_sections(all, &sections), Vec::<String>::new());
    let prose = "The goal is clear.\n## Opening the port\n## Decisions\nopen the file\n## Profile\n";
    assert_eq!(missing_sections(prose, &sections), ["goal", "done", "open", "files", "failed attempts"]);
    let missing = missing_sections("## 任务目标\n## 已完成", &sections_named_in(Language::Chinese));
    assert_eq!(missing, ["重要决策", "待办", "文件", "失败尝试"]);
}
