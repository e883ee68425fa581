use super::*;

#[test]
fn r7_3_a_listed_model_has_the_window_of_its_provider_in_any_spelling() {
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
        ("claude-2.1", 200_000.0, 200_000.0),
        ("anthropic.claude-v2", 100_000.0, 100_000.0),
        ("claude-instant-1.2", 100_000.0, 100_000.0),
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
fn r7_3_an_unlisted_model_has_no_window() {
    for name in ["", "agent-large", "my.own/model:7b", "summary-small", "🦙"] {
        assert_eq!(window_of(name), None, "{name}");
    }
}
