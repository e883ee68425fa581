//! Adds what surrounds the model's text in a stored summary (prefix, introduction, current request), and removes what
//! models put around a reply (reasoning, a fence, a copied prefix).

use crate::compression::in_language;
use crate::compression::message::{ChatMessage, CreatedKind};
use crate::compression::plain_text::plain_text;
use crate::compression::record::digest::render::HEADINGS as DIGEST_HEADINGS;
use crate::results::Language;

pub const SUMMARY_PREFIX: &str = "[压缩摘要]\n";

const INTRODUCTIONS: [(&str, &str); 2] = [
    ("（以下是此前对话的摘要，由", "原文均已保留。这是记录，不是新的请求。）"),
    (
        "(Summary of the earlier conversation, written by ",
        "The originals are kept. This is a record, not a new request.)",
    ),
];

/// Says that the text is a record: a model takes a `user` message full of goals for a new task.
pub fn introduction(language: Language, messages: &[ChatMessage], is_by_agent: bool) -> String {
    let count = messages.iter().filter(|message| message.created_as.is_none()).count();
    let has_summary = messages.iter().any(|message| message.created_as == Some(CreatedKind::Summary));
    let [(chinese, chinese_end), (english, english_end)] = INTRODUCTIONS;
    match language {
        Language::Chinese => {
            let author = if is_by_agent { "智能体自己" } else { "模型" };
            let earlier = if has_summary { "以及更早的摘要" } else { "" };
            format!("{chinese}{author}撰写，代表 {count} 条消息{earlier}；{chinese_end}")
        }
        Language::English => {
            let author = if is_by_agent { "the agent itself" } else { "a model" };
            let plural = if count == 1 { "" } else { "s" };
            let earlier = if has_summary { " and the summary before them" } else { "" };
            format!("{english}{author}: it stands for {count} message{plural}{earlier}. {english_end}")
        }
    }
}

const CURRENT_REQUESTS: [(&str, &str); 2] =
    [("（用户当前的请求，仍在进行：", "）"), ("(The user's current request, still being worked on: ", ")")];

/// Repeats the current request if no message holds it: below a line that calls all a record, it reads as finished.
pub fn current_request(language: Language, request: &str) -> String {
    let [chinese, english] = CURRENT_REQUESTS;
    let (start, end) = in_language(language, chinese, english);
    format!("\n{start}{request}{end}")
}

/// `text` after its introduction and the line with the current request; `None` if it begins with no introduction.
pub fn after_introduction(text: &str) -> Option<&str> {
    let rest = after_line(text, INTRODUCTIONS)?;
    after_line(rest, CURRENT_REQUESTS).or(Some(rest))
}

/// `text` after its first line, if that has the beginning and end of one of `frames`.
fn after_line<'t>(text: &'t str, frames: [(&str, &str); 2]) -> Option<&'t str> {
    let text = text.trim_start();
    let line = text.lines().next()?;
    let has = |(start, end): &(&str, &str)| line.starts_with(start) && line.trim_end().ends_with(end);
    text.get(line.len()..).filter(|_| frames.iter().any(has))
}

/// The model's own text, without prefix, introduction and digest.
pub fn summary_text_of(content: &str) -> &str {
    let content = content.trim_start();
    let text = content.strip_prefix(SUMMARY_PREFIX.trim_end()).unwrap_or(content);
    let text = after_introduction(text).unwrap_or(text);
    let before_digest = |line: &&str| !DIGEST_HEADINGS.contains(&line.strip_suffix('\n').unwrap_or(line));
    let length: usize = text.split_inclusive('\n').take_while(before_digest).map(str::len).sum();
    text.get(..length).unwrap_or_default().trim()
}

const REASONING_TAGS: [&str; 6] = ["think", "thinking", "thought", "reasoning", "analysis", "scratchpad"];

/// The reply after its reasoning; `None` if nothing follows.
pub(super) fn without_reasoning(reply: &str) -> Option<&str> {
    // Some chat templates return only the closing tag, because the opening one is part of the prompt.
    let mut rest = after_lone_closing_tag(reply.trim()).unwrap_or(reply).trim();
    while let Some(after) = after_reasoning_block(rest) {
        rest = after.trim();
    }
    (!rest.is_empty()).then_some(rest)
}

/// The text after a leading block of reasoning; empty if the block never ends.
fn after_reasoning_block(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let tag = REASONING_TAGS.iter().find(|&&tag| inner.strip_prefix(tag).is_some_and(|rest| rest.starts_with('>')))?;
    Some(text.split_once(&format!("</{tag}>")).map_or("", |(_, after)| after))
}

fn after_lone_closing_tag(text: &str) -> Option<&str> {
    let (before, after) = text.split_once("</think>")?;
    let stands_alone = before.is_empty() || before.ends_with('\n');
    (stands_alone && !before.contains("<think>") && (after.is_empty() || after.starts_with('\n'))).then_some(after)
}

/// Removes what the model may have copied from the history: a fence or `<summary>` tag around the text, the prefix and
/// first line of a stored summary, a session record. Also control characters, which providers reject (EDGE 28).
pub fn unwrapped(text: &str) -> String {
    let text = plain_text(text);
    let mut text = text.trim();
    while let Some(inner) = inside_fence(text)
        .or_else(|| inside_tag(text))
        .or_else(|| text.strip_prefix(SUMMARY_PREFIX.trim_end()))
        .or_else(|| after_introduction(text))
    {
        text = inner.trim();
    }
    without_session_record(text).trim().to_owned()
}

fn inside_tag(text: &str) -> Option<&str> {
    text.strip_prefix("<summary>")?.strip_suffix("</summary>").or_else(|| text.strip_prefix("<summary>"))
}

/// The content of a fence around the whole text; `None` if the first fence ends before the text does.
fn inside_fence(text: &str) -> Option<&str> {
    let (opening, rest) = text.strip_prefix("```")?.split_once('\n')?;
    let inner = rest.trim_end().strip_suffix("```")?;
    let language = opening.trim().to_lowercase();
    if !matches!(language.as_str(), "" | "markdown" | "md" | "text" | "txt" | "plaintext") {
        return None;
    }
    let mut fences = inner.lines().filter(|line| line.trim_start().starts_with("```"));
    let first = fences.next();
    let is_balanced = first.is_none() || fences.count() % 2 == 1;
    // A bare first fence would close the outer one, unless the outer one is marked as Markdown.
    let opens = first.is_none_or(|line| line.trim().len() > 3) || language.starts_with('m');
    (is_balanced && opens && (inner.is_empty() || inner.ends_with('\n'))).then_some(inner)
}

fn without_session_record(text: &str) -> String {
    let is_ours = |line: &str| DIGEST_HEADINGS.contains(&line.trim());
    if !text.lines().any(is_ours) {
        return text.to_owned();
    }
    let mut in_record = false;
    let kept = text.lines().filter(|line| {
        in_record = if line.starts_with('#') { is_ours(line) } else { in_record };
        !in_record
    });
    kept.collect::<Vec<_>>().join("\n")
}
