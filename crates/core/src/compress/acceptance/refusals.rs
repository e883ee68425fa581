//! Decides whether a reply that doesn't look like a summary refuses to be one.

/// Refusals are short; longer texts report on them.
const LONGEST_REFUSAL_CHARS: usize = 600;

/// Beginnings that are a refusal whatever follows, and ones that are only when a verb of refusing follows soon.
const APOLOGIES: [&str; 20] = [
    "很遗憾，我无法",
    "很遗憾，我不能",
    "不好意思",
    "恕我",
    "您好，我无法",
    "你好，我无法",
    "對不起",
    "我是一个ai",
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "sorry but",
    "i apologize",
    "i must decline",
    "i have to decline",
    "as an ai",
    "抱歉",
    "很抱歉",
    "非常抱歉",
    "对不起",
];
const INABILITIES: [&str; 28] = [
    "i'm afraid i",
    "i do not feel comfortable",
    "i'm not comfortable",
    "作为人工智能",
    "作为一名",
    "作为语言模型",
    "作为大语言模型",
    "根据相关",
    "我没法",
    "我無法",
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i won't",
    "i will not",
    "unfortunately, i",
    "unable to",
    "我无法",
    "我不能",
    "我没有办法",
    "作为一个",
    "作为ai",
    "无法",
    "不能",
];
const REFUSED_VERBS: [&str; 37] = [
    "summary",
    "语言模型",
    "不便",
    "回应",
    "摘要",
    "讨论",
    "执行",
    "assist",
    "help",
    "summari",
    "comply",
    "provide",
    "create",
    "generate",
    "fulfill",
    "fulfil",
    "do that",
    "do this",
    "continue with",
    "process",
    "share",
    "discuss",
    "engage",
    "complete",
    "support",
    "answer",
    "write",
    "协助",
    "帮",
    "提供",
    "满足",
    "回答",
    "生成",
    "总结",
    "处理",
    "继续",
    "人工智能",
];

/// How far after its beginning a refusal names what is refused.
const REFUSAL_REACH_CHARS: usize = 60;

/// True for a short text that begins by refusing. `I cannot reproduce the bug` is a report.
pub(super) fn is_refusal_text(text: &str) -> bool {
    if text.chars().nth(LONGEST_REFUSAL_CHARS).is_some() {
        return false;
    }
    let head: String = text.chars().take(200).collect::<String>().to_lowercase().replace('’', "'");
    let head = head.trim_start_matches(['"', '“', '*', ' ']);
    let inability = INABILITIES.iter().find_map(|words| head.strip_prefix(words));
    APOLOGIES.iter().any(|words| head.strip_prefix(words).is_some_and(|after| apologises(words, after)))
        || inability.is_some_and(|after| {
            let after: String = after.chars().take(REFUSAL_REACH_CHARS).collect();
            let sentence = after.split(['.', '。', '\n']).next().unwrap_or_default();
            REFUSED_VERBS.iter().any(|verb| sentence.contains(verb))
        })
}

/// False for an apology that is spoken of, or that a report follows: `抱歉之类的提示语`, `I'm sorry to report`.
fn apologises(words: &str, after: &str) -> bool {
    let is_chinese = after.starts_with(|letter: char| letter.is_alphanumeric() && !letter.is_ascii());
    let names_refuser = words.contains('我');
    !after.starts_with(" to ")
        && (names_refuser
            || !is_chinese
            || after.starts_with(['我', '但', '目', '由', '作', '无', '不', '給', '给']))
}
