//! Detects replies in which the model declines to summarise. Called for texts that don't look like a summary.

/// Longer texts are reports about refusals.
const LONGEST_REFUSAL_CHARS: usize = 600;

/// A text with one of these beginnings is a refusal; in lower case.
const APOLOGIES: [&str; 20] = [
    "很遗憾，我无法", "很遗憾，我不能", "不好意思", "恕我", "您好，我无法", "你好，我无法", "對不起", "我是一个ai",
    "i'm sorry", "i am sorry", "sorry,", "sorry but", "i apologize", "i must decline", "i have to decline", "as an ai",
    "抱歉", "很抱歉", "非常抱歉", "对不起",
];
/// Beginnings of a refusal only if one of [`REFUSED_VERBS`] follows soon; in lower case.
const INABILITIES: [&str; 28] = [
    "i'm afraid i", "i do not feel comfortable", "i'm not comfortable", "作为人工智能", "作为一名", "作为语言模型",
    "作为大语言模型", "根据相关", "我没法", "我無法", "i can't", "i cannot", "i can not", "i'm unable to",
    "i am unable to", "i'm not able to", "i am not able to", "i won't", "i will not", "unfortunately, i", "unable to",
    "我无法", "我不能", "我没有办法", "作为一个", "作为ai", "无法", "不能",
];
const REFUSED_VERBS: [&str; 37] = [
    "summary", "语言模型", "不便", "回应", "摘要", "讨论", "执行", "assist", "help", "summari", "comply", "provide",
    "create", "generate", "fulfill", "fulfil", "do that", "do this", "continue with", "process", "share", "discuss",
    "engage", "complete", "support", "answer", "write", "协助", "帮", "提供", "满足", "回答", "生成", "总结", "处理",
    "继续", "人工智能",
];

/// Beginnings of refusals in other languages, each with words of which the text must contain one; in lower case.
const OTHER_LANGUAGES: [(&str, &[&str]); 16] = [
    ("申し訳", &["できません", "できかね", "お応え", "いたしかね"]),
    ("すみません", &["できません", "できかね"]),
    ("es tut mir leid", &["kann ich", "kann dies", "kann das", "nicht möglich"]),
    ("tut mir leid", &["kann ich", "kann dies", "kann das", "nicht möglich"]),
    ("leider kann ich", &["nicht"]),
    ("entschuldigung", &["kann ich"]),
    ("je suis désolé", &["ne peux pas", "ne puis", "impossible"]),
    ("désolé", &["ne peux pas", "ne puis", "impossible"]),
    ("lo siento", &["no puedo", "no es posible"]),
    ("desculpe", &["não posso"]),
    ("sinto muito", &["não posso"]),
    ("mi dispiace", &["non posso"]),
    ("죄송", &["없습니다", "어렵습니다"]),
    ("извините", &["не могу"]),
    ("к сожалению", &["я не могу"]),
    ("不好意思", &["无法", "不能"]),
];
/// A model that received no conversation asks for one: beginnings, and words of which its first sentence has one.
const ASKING: [&str; 7] =
    ["please provide", "please share", "please paste", "could you provide", "could you please", "请提供", "请把"];
const WHAT_IS_ASKED_FOR: [&str; 7] = ["conversation", "transcript", "the text", "对话", "内容", "文本", "记录"];

/// The refused verb follows the beginning within this many characters.
const REFUSAL_REACH_CHARS: usize = 60;

/// True if a short text begins by refusing. `I cannot reproduce the bug` is a report.
pub(super) fn is_refusal_text(text: &str) -> bool {
    if text.chars().nth(LONGEST_REFUSAL_CHARS).is_some() {
        return false;
    }
    let head: String = text.chars().take(200).collect::<String>().to_lowercase().replace('’', "'");
    let head = head.trim_start_matches(['"', '“', '*', ' ']);
    let contains_any = |text: &str, words: &[&str]| words.iter().any(|words| text.contains(words));
    let begins_with = |words: &&str| head.starts_with(words);
    let first_sentence = |text: &str| text.split(['.', '。', '\n']).next().unwrap_or_default().to_owned();
    let inability = INABILITIES.iter().find_map(|words| head.strip_prefix(words));
    OTHER_LANGUAGES.iter().any(|(beginning, verbs)| begins_with(beginning) && contains_any(head, verbs))
        || (ASKING.iter().any(begins_with) && contains_any(&first_sentence(head), &WHAT_IS_ASKED_FOR))
        || APOLOGIES.iter().any(|words| head.strip_prefix(words).is_some_and(|after| apologises(words, after)))
        || inability.is_some_and(|after| {
            let within_reach: String = after.chars().take(REFUSAL_REACH_CHARS).collect();
            contains_any(&first_sentence(&within_reach), &REFUSED_VERBS)
        })
}

/// False for an apology that is quoted, or that a report follows: `抱歉之类的提示语`, `I'm sorry to report`.
fn apologises(words: &str, after: &str) -> bool {
    let is_chinese = after.starts_with(|letter: char| letter.is_alphanumeric() && !letter.is_ascii());
    let names_refuser = words.contains('我');
    !after.starts_with(" to ")
        && (names_refuser || !is_chinese || after.starts_with(['我', '但', '目', '由', '作', '无', '不', '給', '给']))
}
