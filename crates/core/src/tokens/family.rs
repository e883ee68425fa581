//! Decides which tokenizer family a model belongs to, by its name.

/// Models that share a tokenizer and a chat format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `OpenAI` on `o200k_base`.
    OpenAi,
    /// `OpenAI` on `cl100k_base`: GPT-4 and 3.5.
    OpenAiOld,
    /// Claude up to 4.6.
    Claude,
    /// Claude Opus from 4.7 on, and everything of generation 5 or later: about 30 % more tokens.
    ClaudeNew,
    Gemini,
    /// `DeepSeek` V3 and later.
    DeepSeek,
    /// Qwen 2 and 3.
    Qwen,
    /// Qwen 3.5 and later.
    Qwen35,
    Kimi,
    /// GLM 4.5 and later.
    Glm,
    /// `MiniMax` M2.
    MiniMax,
    /// Llama 3.
    Llama,
    /// Mistral on Tekken.
    Mistral,
    Unknown,
}

/// `name`: in lower case, without its provider's prefix.
pub fn family_of(name: &str) -> Family {
    let has = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
    match name {
        _ if has(&["gpt-4o", "gpt-4.1", "gpt-4.5", "chatgpt-4o", "gpt-oss"]) => Family::OpenAi,
        _ if has(&["gpt-4", "gpt-3.5", "gpt-35", "text-embedding"]) => Family::OpenAiOld,
        // All later models so far use this encoding.
        _ if has(&["gpt-", "o1", "o3", "o4", "codex", "computer-use"]) => Family::OpenAi,
        _ if name.contains("claude") => claude(name),
        _ if has(&["gemini", "gemma"]) => Family::Gemini,
        _ if has(&["deepseek"]) => Family::DeepSeek,
        _ if has(&["qwen3.5", "qwen3-5", "qwen3.6", "qwen3.7", "qwen4"]) => Family::Qwen35,
        _ if has(&["qwen", "qwq", "qvq"]) => Family::Qwen,
        _ if has(&["kimi", "moonshot"]) => Family::Kimi,
        _ if has(&["glm", "chatglm", "zai-glm"]) => Family::Glm,
        _ if has(&["minimax", "abab"]) => Family::MiniMax,
        _ if has(&["llama", "meta-llama"]) => Family::Llama,
        _ if has(&["mistral", "mixtral", "codestral", "devstral", "magistral", "ministral", "pixtral"]) => {
            Family::Mistral
        }
        _ => Family::Unknown,
    }
}

/// Opus from 4.7 on, and everything of generation 5 or later. Names are `claude-3-5-sonnet-20241022`, `claude-opus-4-7`,
/// `claude-sonnet-4.5`: the first numbers of one or two digits are the version.
fn claude(name: &str) -> Family {
    match claude_version(name) {
        Some((5.., _)) => Family::ClaudeNew,
        Some((4, 7..)) if name.contains("opus") => Family::ClaudeNew,
        // These names without a version number belong to later models.
        None if name.contains("fable") || name.contains("mythos") => Family::ClaudeNew,
        _ => Family::Claude,
    }
}

/// Generation and version, from the text after `claude`: gateways' prefixes contain numbers, too.
pub(super) fn claude_version(name: &str) -> Option<(u32, u32)> {
    let own = name.rsplit_once("claude").map_or(name, |(_, own)| own);
    let mut numbers = own
        .split(|character: char| !character.is_ascii_digit())
        .filter(|digits| (1..=2).contains(&digits.len()))
        .filter_map(|digits| digits.parse::<u32>().ok());
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}

#[cfg(test)]
mod tests;
