//! Lists the context windows of known models. An unlisted model has none here; callers that need one guess, and say so. Last compared
//! with the providers' publications in 2026-11.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextWindow {
    /// Tokens of prompt and output together, as published.
    pub tokens: f64,
    /// Tokens of the prompt alone, if the provider reserves room for the output.
    pub prompt_tokens: f64,
}

const K200: f64 = 200_000.0;
const M1: f64 = 1_000_000.0;
/// `OpenAI` reserves this for the output of its reasoning models and rejects a longer prompt.
const RESERVED: f64 = 128_000.0;
/// Windows in tokens, and prefixes of the models' names; the longest matching prefix counts. Claude's are in [`claude_window`].
#[rustfmt::skip] // A long row would have three lines more.
const WINDOWS: &[(f64, &[&str])] = &[
    (8_192.0, &["gpt-4", "moonshot-v1-8k", "llama-3", "llama3"]),
    (16_385.0, &["gpt-3.5-turbo"]),
    (32_760.0, &["gemini-1.0"]),
    (32_768.0, &["gpt-4-32k", "moonshot-v1-32k", "mixtral-8x7b"]),
    (65_536.0, &["mixtral-8x22b"]),
    (128_000.0, &[
        "gpt-4-0125", "gpt-4-1106", "gpt-4-turbo", "gpt-4o", "chatgpt-4o", "gpt-4.5", "o1-mini", "o1-preview",
        "gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat", "gpt-5.3-chat", "gpt-5.3-codex-spark", "command-r",
        "nova-micro",
    ]),
    (131_072.0, &[
        "gpt-oss", "gemma-3", "deepseek-chat", "deepseek-reasoner", "deepseek-v3", "deepseek-r1", "qwen2.5", "qwq",
        "qwen3", "kimi-k2-0711", "moonshot-v1-128k", "glm-4.5", "llama-3.1", "llama3-1", "llama-3.2", "llama3-2",
        "llama-3.3", "llama3-3", "mistral-large", "mistral-medium", "mistral-small", "magistral", "ministral",
        "devstral", "grok-3",
    ]),
    (K200, &["o1", "o3", "o4-mini", "codex-mini", "glm-4.6", "glm-4.7", "glm-5"]),
    (204_800.0, &["minimax-m2"]),
    (256_000.0, &["grok-4", "grok-code-fast", "command-a"]),
    (262_144.0, &["qwen3-max", "qwen3-coder", "qwen3.5", "kimi-k2", "kimi-k3-256k"]),
    (300_000.0, &["nova-lite", "nova-pro"]),
    (M1, &[
        "deepseek-v4", "qwen3-coder-plus", "qwen3-coder-flash", "qwen3.5-plus", "glm-5.2", "glm-5.3", "minimax-m1",
        "minimax-m3", "nova-premier",
    ]),
    (1_047_576.0, &["gpt-4.1"]),
    (1_048_576.0, &["gemini", "kimi-k3", "mimo-v2.5", "mimo-v2.5-pro", "llama-4-maverick", "llama4-maverick"]),
    (2_000_000.0, &["grok-4-fast", "grok-4.1-fast"]),
    (2_097_152.0, &["gemini-1.5-pro"]),
];
/// The prompt of these models may take everything but the reserve for the output.
const RESERVING: &[(f64, &[&str])] = &[
    (400_000.0, &["gpt-5", "gpt-5.4-mini", "gpt-5.4-nano"]),
    (1_050_000.0, &["gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6"]),
];

/// `name`: in any gateway's spelling (`openai/gpt-5`, `us.anthropic.claude-opus-4-6-v1:0`); `None` for an unknown model.
pub fn window_of(name: &str) -> Option<ContextWindow> {
    let name = name.to_ascii_lowercase();
    if name.contains("claude") {
        let tokens = claude_window(&name);
        return Some(ContextWindow { tokens, prompt_tokens: tokens });
    }
    // Gateways' and clouds' prefixes end in one of these; the text after a dot in a version matches no name.
    let name_starts = name.match_indices(['/', ':', '.']).map(|(at, _)| at + 1);
    std::iter::once(0).chain(name_starts).find_map(|start| listed_window(name.get(start..)?))
}

fn listed_window(name: &str) -> Option<ContextWindow> {
    let unreserved = WINDOWS.iter().map(|row| (row, 0.0));
    let rows = unreserved.chain(RESERVING.iter().map(|row| (row, RESERVED)));
    let matches = rows.filter_map(|(&(tokens, prefixes), reserve)| {
        let longest = prefixes.iter().filter(|prefix| name.starts_with(**prefix)).map(|prefix| prefix.len()).max()?;
        Some((longest, ContextWindow { tokens, prompt_tokens: tokens - reserve }))
    });
    matches.max_by_key(|&(prefix_length, _)| prefix_length).map(|(_, window)| window)
}

/// A million tokens for Opus and Sonnet from 4.6, for generation 5 and later, and if an agent's model name requests them.
fn claude_window(name: &str) -> f64 {
    let has_million = |(major, minor): (u32, u32)| {
        major >= 5 || ((major, minor) >= (4, 6) && (name.contains("opus") || name.contains("sonnet")))
    };
    let version = super::family::claude_version(name);
    let is_later = name.contains("fable") || name.contains("mythos");
    if name.contains("[1m]") || version.map_or(is_later, has_million) {
        return M1;
    }
    match version {
        _ if name.contains("instant") || version == Some((2, 0)) => 100_000.0,
        _ => K200,
    }
}

#[cfg(test)]
mod tests;
