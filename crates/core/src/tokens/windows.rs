//! Lists the context windows of known models, for token counters, compression and pictures.
//!
//! An unlisted model has no window here; callers that need one guess, and say so. Last compared with the providers'
//! publications in 2026-11.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextWindow {
    /// Tokens of prompt and output together, as published.
    pub tokens: f64,
    /// Tokens of the prompt alone, if the provider reserves room for the output.
    pub prompt_tokens: f64,
}

const K128: f64 = 128_000.0;
const K131: f64 = 131_072.0;
const K200: f64 = 200_000.0;
const K262: f64 = 262_144.0;
const M1: f64 = 1_000_000.0;
/// `OpenAI` reserves this for the output of its reasoning models and rejects a longer prompt.
const RESERVED: f64 = 128_000.0;

/// Name prefixes and tokens; the longest matching prefix counts. Claude's windows depend on its version.
const WINDOWS: &[(&str, f64)] = &[
    ("gpt-3.5-turbo", 16_385.0),
    ("gpt-4", 8_192.0),
    ("gpt-4-32k", 32_768.0),
    ("gpt-4-0125", K128),
    ("gpt-4-1106", K128),
    ("gpt-4-turbo", K128),
    ("gpt-4o", K128),
    ("chatgpt-4o", K128),
    ("gpt-4.1", 1_047_576.0),
    ("gpt-4.5", K128),
    ("gpt-oss", K131),
    ("o1", K200),
    ("o1-mini", K128),
    ("o1-preview", K128),
    ("o3", K200),
    ("o4-mini", K200),
    ("codex-mini", K200),
    ("gpt-5-chat", K128),
    ("gpt-5.1-chat", K128),
    ("gpt-5.2-chat", K128),
    ("gpt-5.3-chat", K128),
    ("gpt-5.3-codex-spark", K128),
    ("gemini", 1_048_576.0),
    ("gemini-1.0", 32_760.0),
    ("gemini-1.5-pro", 2_097_152.0),
    ("gemma-3", K131),
    ("deepseek-chat", K131),
    ("deepseek-reasoner", K131),
    ("deepseek-v3", K131),
    ("deepseek-r1", K131),
    ("deepseek-v4", M1),
    ("qwen2.5", K131),
    ("qwq", K131),
    ("qwen3", K131),
    ("qwen3-max", K262),
    ("qwen3-coder", K262),
    ("qwen3-coder-plus", M1),
    ("qwen3-coder-flash", M1),
    ("qwen3.5", K262),
    ("qwen3.5-plus", M1),
    ("kimi-k2", K262),
    ("kimi-k2-0711", K131),
    ("kimi-k3", 1_048_576.0),
    ("kimi-k3-256k", K262),
    ("moonshot-v1-8k", 8_192.0),
    ("moonshot-v1-32k", 32_768.0),
    ("moonshot-v1-128k", K131),
    ("glm-4.5", K131),
    ("glm-4.6", K200),
    ("glm-4.7", K200),
    ("glm-5", K200),
    ("glm-5.2", M1),
    ("glm-5.3", M1),
    ("minimax-m1", M1),
    ("minimax-m2", 204_800.0),
    ("minimax-m3", M1),
    ("mimo-v2.5", 1_048_576.0),
    ("mimo-v2.5-pro", 1_048_576.0),
    ("llama-3", 8_192.0),
    ("llama3", 8_192.0),
    ("llama-3.1", K131),
    ("llama3-1", K131),
    ("llama-3.2", K131),
    ("llama3-2", K131),
    ("llama-3.3", K131),
    ("llama3-3", K131),
    ("llama-4-maverick", 1_048_576.0),
    ("llama4-maverick", 1_048_576.0),
    ("mistral-large", K131),
    ("mistral-medium", K131),
    ("mistral-small", K131),
    ("magistral", K131),
    ("ministral", K131),
    ("devstral", K131),
    ("mixtral-8x7b", 32_768.0),
    ("mixtral-8x22b", 65_536.0),
    ("grok-3", K131),
    ("grok-4", 256_000.0),
    ("grok-4-fast", 2_000_000.0),
    ("grok-4.1-fast", 2_000_000.0),
    ("grok-code-fast", 256_000.0),
    ("command-r", K128),
    ("command-a", 256_000.0),
    ("nova-micro", K128),
    ("nova-lite", 300_000.0),
    ("nova-pro", 300_000.0),
    ("nova-premier", M1),
];

/// The prompt of these models may take everything but the reserve for the output.
const RESERVING: &[(&str, f64)] = &[
    ("gpt-5", 400_000.0),
    ("gpt-5.4", 1_050_000.0),
    ("gpt-5.4-mini", 400_000.0),
    ("gpt-5.4-nano", 400_000.0),
    ("gpt-5.5", 1_050_000.0),
    ("gpt-5.6", 1_050_000.0),
    ("gpt-6", 1_050_000.0),
];

/// `name`: in any gateway's spelling (`openai/gpt-5`, `us.anthropic.claude-opus-4-6-v1:0`); `None` for an unknown model.
pub fn window_of(name: &str) -> Option<ContextWindow> {
    let name = name.to_ascii_lowercase();
    if name.contains("claude") {
        return Some(whole(claude(&name)));
    }
    // Gateways' and clouds' prefixes end in one of these; the text after a dot in a version matches no name.
    let starts = name.match_indices(['/', ':', '.']).map(|(at, _)| at + 1);
    std::iter::once(0).chain(starts).find_map(|start| listed(name.get(start..)?))
}

fn listed(name: &str) -> Option<ContextWindow> {
    let longest = |table: &'static [(&'static str, f64)]| {
        let fitting = table.iter().filter(|(start, _)| name.starts_with(start));
        fitting.max_by_key(|(start, _)| start.len())
    };
    let length = |found: Option<&(&str, f64)>| found.map_or(0, |(start, _)| start.len());
    let (plain, reserving) = (longest(WINDOWS), longest(RESERVING));
    if length(reserving) > length(plain) {
        return reserving.map(|&(_, tokens)| ContextWindow { tokens, prompt_tokens: tokens - RESERVED });
    }
    plain.map(|&(_, tokens)| whole(tokens))
}

const fn whole(tokens: f64) -> ContextWindow {
    ContextWindow { tokens, prompt_tokens: tokens }
}

/// A million tokens for Opus and Sonnet from 4.6, for generation 5 and later, and if an agent's model name requests them.
fn claude(name: &str) -> f64 {
    let has_version = |(major, minor): (u32, u32)| {
        major >= 5 || ((major, minor) >= (4, 6) && (name.contains("opus") || name.contains("sonnet")))
    };
    let version = super::family::claude_version(name);
    let is_later = name.contains("fable") || name.contains("mythos");
    if name.contains("[1m]") || version.map_or(is_later, has_version) {
        return M1;
    }
    match version {
        Some((2, 0)) | None if name.contains("claude-2") || name.contains("instant") => 100_000.0,
        _ => K200,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b8_a_model_has_the_window_that_its_provider_publishes_in_any_spelling() {
        for (name, tokens, prompt_tokens) in [
            ("gpt-4o-mini-2024-07-18", 128_000.0, 128_000.0),
            ("gpt-4", 8_192.0, 8_192.0),
            ("openai/gpt-4.1-mini", 1_047_576.0, 1_047_576.0),
            ("gpt-5", 400_000.0, 272_000.0),
            ("azure/gpt-5.1-codex-max", 400_000.0, 272_000.0),
            ("gpt-5-chat-latest", 128_000.0, 128_000.0),
            ("gpt-5.4-2026-03-05", 1_050_000.0, 922_000.0),
            ("gpt-5.4-mini", 400_000.0, 272_000.0),
            ("o3-mini", 200_000.0, 200_000.0),
            ("claude-sonnet-4-5-20250929", 200_000.0, 200_000.0),
            ("claude-sonnet-4-5[1m]", 1_000_000.0, 1_000_000.0),
            ("us.anthropic.claude-opus-4-6-v1:0", 1_000_000.0, 1_000_000.0),
            ("anthropic/claude-sonnet-4.6", 1_000_000.0, 1_000_000.0),
            ("claude-haiku-4-5", 200_000.0, 200_000.0),
            ("claude-3-5-sonnet-20241022", 200_000.0, 200_000.0),
            ("claude-haiku-5-5", 1_000_000.0, 1_000_000.0),
            ("claude-2.0", 100_000.0, 100_000.0),
            ("models/gemini-2.5-pro", 1_048_576.0, 1_048_576.0),
            ("deepseek/deepseek-v3.2:free", 131_072.0, 131_072.0),
            ("Qwen/Qwen3-Coder-480B", 262_144.0, 262_144.0),
            ("meta.llama3-1-70b-instruct-v1:0", 131_072.0, 131_072.0),
            ("z-ai/glm-4.6", 200_000.0, 200_000.0),
            ("glm-5", 200_000.0, 200_000.0),
            ("zai-org/GLM-5.2", 1_000_000.0, 1_000_000.0),
            ("glm-5.3-flash", 1_000_000.0, 1_000_000.0),
            ("moonshotai/kimi-k3", 1_048_576.0, 1_048_576.0),
            ("kimi-k3-256k", 262_144.0, 262_144.0),
            ("MiniMax-M3", 1_000_000.0, 1_000_000.0),
            ("xiaomi/mimo-v2.5-pro", 1_048_576.0, 1_048_576.0),
        ] {
            assert_eq!(window_of(name), Some(ContextWindow { tokens, prompt_tokens }), "{name}");
        }
    }

    #[test]
    fn b8_a_model_that_is_not_listed_has_no_window_here() {
        for name in ["", "agent-large", "my.own/model:7b", "summary-small", "🦙"] {
            assert_eq!(window_of(name), None, "{name}");
        }
    }
}
