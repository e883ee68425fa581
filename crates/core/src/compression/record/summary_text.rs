//! Composes a summary's content, and extracts the model's own text from it.

use crate::compression::message::{ChatMessage, CreatedKind};
use crate::compression::record::digest::render::heading;
use crate::results::Language;

/// Applications and users recognise a summary by this prefix.
pub const SUMMARY_PREFIX: &str = "[压缩摘要]\n";

/// Beginning and end of the introduction, in Chinese and in English.
const INTRODUCTIONS: [(&str, &str); 2] = [
    ("（以下是此前对话的摘要，由", "原文均已保留。这是记录，不是新的请求。）"),
    (
        "(Summary of the earlier conversation, written by ",
        "The originals are kept. This is a record, not a new request.)",
    ),
];

/// Tells the model that the text is a record and not a request: without this line it takes a `user` message full of
/// goals for a new task.
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

/// Beginning and end of the line that repeats the current request, in Chinese and in English.
const CURRENT_REQUESTS: [(&str, &str); 2] =
    [("（用户当前的请求，仍在进行：", "）"), ("(The user's current request, still being worked on: ", ")")];

/// Repeats the current request if no message holds it any more: below a line that calls everything a record, a list of
/// requests would read as finished.
pub fn current_request(language: Language, request: &str) -> String {
    let [(chinese, chinese_end), (english, english_end)] = CURRENT_REQUESTS;
    match language {
        Language::Chinese => format!("\n{chinese}{request}{chinese_end}"),
        Language::English => format!("\n{english}{request}{english_end}"),
    }
}

/// `text` after its introduction and the line with the current request; `None` if it begins with no introduction.
pub fn after_introduction(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let line = text.lines().next()?;
    let is_one_of = |line: &str, frames: [(&str, &str); 2]| {
        frames.iter().any(|(start, end)| line.starts_with(start) && line.trim_end().ends_with(end))
    };
    let rest = is_one_of(line, INTRODUCTIONS).then(|| text.get(line.len()..).unwrap_or_default())?;
    let below = rest.trim_start();
    let request = below.lines().next().filter(|line| is_one_of(line, CURRENT_REQUESTS));
    Some(request.and_then(|line| below.get(line.len()..)).unwrap_or(rest))
}

/// The model's own text, without prefix, introduction and digest.
pub fn summary_text_of(content: &str) -> &str {
    let content = content.trim_start();
    let text = content.strip_prefix(SUMMARY_PREFIX.trim_end()).unwrap_or(content);
    let text = after_introduction(text).unwrap_or(text);
    let digest_headings = [Language::Chinese, Language::English].map(heading);
    let mut next_start = 0;
    let digest_start = text.split('\n').find_map(|line| {
        let start = next_start;
        next_start += line.len() + 1;
        digest_headings.contains(&line).then_some(start)
    });
    text.get(..digest_start.unwrap_or(text.len())).unwrap_or_default().trim()
}
