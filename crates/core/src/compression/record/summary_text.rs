//! Composes a summary's content, and extracts the model's own text from it.

use crate::compression::message::{ChatMessage, CreatedKind};
use crate::compression::record::digest::render::heading;
use crate::results::Language;

/// Applications and users recognise a summary by this prefix.
pub const SUMMARY_PREFIX: &str = "[压缩摘要]\n";

/// Beginning and end of the introduction.
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
    let number = messages.iter().filter(|message| message.created_as.is_none()).count();
    let updates = messages.iter().any(|message| message.created_as == Some(CreatedKind::Summary));
    let [(chinese, chinese_end), (english, english_end)] = INTRODUCTIONS;
    match language {
        Language::Chinese => {
            let author = if is_by_agent { "智能体自己" } else { "模型" };
            let earlier = if updates { "以及更早的摘要" } else { "" };
            format!("{chinese}{author}撰写，代表 {number} 条消息{earlier}；{chinese_end}")
        }
        Language::English => {
            let author = if is_by_agent { "the agent itself" } else { "a model" };
            let plural = if number == 1 { "" } else { "s" };
            let earlier = if updates { " and the summary before them" } else { "" };
            format!("{english}{author}: it stands for {number} message{plural}{earlier}. {english_end}")
        }
    }
}

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

/// `None` if `text` does not begin with an introduction.
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
    let digest_at = |language| {
        let heading = heading(language);
        text.match_indices(heading).map(|(at, _)| at).find(|&at| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + heading.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'))
        })
    };
    let end = [Language::Chinese, Language::English].into_iter().filter_map(digest_at).min();
    text.get(..end.unwrap_or(text.len())).unwrap_or_default().trim()
}
