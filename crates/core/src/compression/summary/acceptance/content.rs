//! Finds the content of a summary: lines without headings, filler, and sentences that only say that there is nothing. A
//! model writes these if it has not seen the conversation.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::headings::{begins_section, inline_content};
use crate::compression::summary::prompt::Section;

/// Filler that models, clients and templates write without content; lower case, without surrounding punctuation.
const FILLERS: [&str; 38] = [
    "none", "n/a", "na", "nil", "null", "undefined", "nan", "nothing", "nothing to report", "not applicable", "empty",
    "object object", "object promise", "true", "false", "tbd", "todo", "ok", "okay", "done", "sure", "yes", "no",
    "success", "understood", "got it", "summary", "the summary", "无", "暂无", "没有", "无内容", "未知", "好", "好的",
    "完成", "已完成", "明白",
];

/// The lines of `text` that say something, without headings and fences.
pub fn content_of(text: &str, sections: &[Section]) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("```"));
    let contents = lines.map(|line| if begins_section(line, sections) { inline_content(line) } else { line });
    contents.filter(|content| has_content(content)).collect::<Vec<_>>().join("\n")
}

fn has_content(line: &str) -> bool {
    let is_mark = |letter: char| !letter.is_alphanumeric();
    let words = line.trim_matches(is_mark);
    // No entry of the list has more than 24 bytes, so longer lines need no conversion.
    let is_filler = words.len() <= 24 && FILLERS.contains(&words.to_lowercase().as_str());
    !words.is_empty() && !is_filler && !says_nothing(words)
}

/// The minimum content of a summary: one token per 2,000 that it replaces, one to sixty. A shorter text answers
/// something else.
pub fn least_content_tokens(replaced_tokens: f64) -> f64 {
    (replaced_tokens / 2_000.0).clamp(1.0, 60.0).floor()
}

/// Fewer words (or letters, in text without spaces) may be equal by chance.
const MIN_REPETITIONS: usize = 12;

/// True for degenerate output: only one or two words or letters, repeated.
pub fn is_repetition(content: &str) -> bool {
    let mut values: Vec<&str> = content.split_whitespace().collect();
    if values.len() <= 1 {
        values = content.split("").filter(|letter| !letter.is_empty()).collect();
    }
    values.len() >= MIN_REPETITIONS && values.iter().collect::<HashSet<_>>().len() <= 2
}

/// True for a JSON value without the sections: a schema, a call's arguments, a record.
pub fn is_json_of_something_else(text: &str, sections: &[Section]) -> bool {
    if !text.trim_start().starts_with(['{', '[']) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    let keys = value.as_object().into_iter().flatten().map(|(key, _)| key.to_lowercase().replace('_', " "));
    let headings = sections.iter().flat_map(|section| &section.headings);
    let is_section = |key: &String| headings.clone().any(|heading| key.starts_with(heading));
    keys.filter(is_section).count() < sections.len().min(2)
}

/// A line is empty if it contains one of these and otherwise only [`EMPTY_WORDS`]; in lower case.
const NEGATIONS: &str = "
    no none not nothing never unknown unclear unspecified unavailable undetermined empty cannot can't unable without
    missing don't didn't haven't isn't wasn't n/a na nil null nobody tbd undefined
";
/// Words without content of their own: section topics, names and properties of a history, verbs, filler words.
const EMPTY_WORDS: &str = "
    goal goals objective decision decisions done open file files failed attempt attempts failure failures error
    errors task tasks work step steps next todo todos item items change changes action actions request requests
    question questions issue issues problem problems progress plan plans constraint constraints requirement
    requirements fact facts key critical command commands tool tools call calls result results test tests summary
    discovery discoveries finding findings environment convention conventions note notes background status state
    overview section sections history conversation conversations context message messages session transcript chat
    dialogue discussion information info detail details data content contents record records input user assistant
    turn turns exchange exchanges interaction interactions instructions text prior previous earlier past existing
    specific relevant known recorded explicit explicitly further additional other new current currently pending
    outstanding remaining available accessible visible present any more much enough sufficient actual concrete
    initial yet so far now time date moment point stage here there above below own such read modified written
    created edited touched changed access accessed see seen have has had having do does did be been being is are was
    were i i'm me my you your we it its this that these those the a an of to in on at for from with as or and but by
    about which what can could will would able determine determined identify identified mention mentioned provide
    provided given give specify specified stated discuss discussed describe described find found made make taken
    take completed complete started occurred established defined set report reported reportable summarize summarise
    summarized summarised shared received shown noted included contained contain contains based since because due
    applicable required needed happened apply applies start beginning begin only just still all also therefore
";
/// The same in Chinese; longest first if one begins another.
const NEGATIONS_ZH: &str = "暂无 没有 尚未 未知 不详 不明 不清楚 无法 不能 未 无 不 空";
const EMPTY_WORDS_ZH: &str = "
    失败的尝试 历史记录 上下文 可用的 可用 之前 先前 以前 此前 早先 早期 过往 任何 历史 对话 会话 记录 信息 内容
    消息 文件 修改 更改 变更 改动 决定 决策 目标 任务 请求 需求 失败 尝试 待办 未完成 已完成 完成 工作 事项 相关
    更多 其他 其它 具体 明确 访问 获取 查看 看到 读取 确定 得知 了解 知道 提供 提及 涉及 进行 说明 指定 发现 执行
    目前 当前 本次 该 此 需要 处理 报告 总结 摘要 用户 助手 权限 因此 所以 因为 由于 可以 能够 步骤 操作 问题 错误
    下一步 计划 进展 细节 数据 文本 部分 任务目标 我 的 地 得 过 了 到 还 也 在 是 有 被 中 里 上 可 以 和 与 或 及
    这 那 对 于 供
";

/// A longer line has content.
const LONGEST_EMPTY_LINE_CHARS: usize = 200;

fn says_nothing(line: &str) -> bool {
    if line.chars().nth(LONGEST_EMPTY_LINE_CHARS).is_some() {
        return false;
    }
    let line = line.to_lowercase().replace(['’', '‘'], "'");
    let words = line.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '\'' | '/')));
    let mut words = words.map(|word| word.trim_matches(['\'', '/'])).filter(|word| !word.is_empty());
    words.try_fold(false, |is_negated, word| Some(is_negated | negates(word)?)) == Some(true)
}

/// Whether a word, or Chinese words without spaces, contains a negation; `None` if it has content.
fn negates(word: &str) -> Option<bool> {
    static ENGLISH: LazyLock<HashMap<&str, bool>> = LazyLock::new(|| {
        let each = |words: &'static str, negates| words.split_whitespace().map(move |word| (word, negates));
        each(EMPTY_WORDS, false).chain(each(NEGATIONS, true)).collect()
    });
    if word.is_ascii() {
        return ENGLISH.get(word).copied();
    }
    let (mut rest, mut is_negated) = (word, false);
    while !rest.is_empty() {
        let after_one_of = |words: &str| words.split_whitespace().find_map(|word| rest.strip_prefix(word));
        // `未完成` is a section, not a negation.
        let after_empty = after_one_of(EMPTY_WORDS_ZH);
        is_negated |= after_empty.is_none();
        rest = after_empty.or_else(|| after_one_of(NEGATIONS_ZH))?;
    }
    Some(is_negated)
}

#[cfg(test)]
mod tests;
