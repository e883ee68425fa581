use super::super::models::Model;
use super::*;

#[test]
fn r6_3_model_names_are_recognised_in_the_spellings_of_gateways() {
    for (name, family) in [
        ("gpt-4o-2024-08-06", Family::OpenAi),
        ("openai/gpt-5-mini", Family::OpenAi),
        ("o3", Family::OpenAi),
        ("gpt-4-turbo", Family::OpenAiOld),
        ("gpt-3.5-turbo-0125", Family::OpenAiOld),
        ("claude-3-5-sonnet-20241022", Family::Claude),
        ("claude-opus-4-6", Family::Claude),
        ("anthropic/claude-opus-4.7", Family::ClaudeNew),
        ("us.anthropic.claude-opus-4-7-v1:0", Family::ClaudeNew),
        ("claude-sonnet-4-5-20250929", Family::Claude),
        ("claude-sonnet-5", Family::ClaudeNew),
        ("models/gemini-2.5-pro", Family::Gemini),
        ("deepseek-chat", Family::DeepSeek),
        ("deepseek/deepseek-v3.2:free", Family::DeepSeek),
        ("Qwen/Qwen3-Coder-480B", Family::Qwen),
        ("qwen3.5-plus", Family::Qwen35),
        ("moonshotai/kimi-k2", Family::Kimi),
        ("z-ai/glm-4.6", Family::Glm),
        ("MiniMax-M2", Family::MiniMax),
        ("something-else", Family::Unknown),
        ("", Family::Unknown),
    ] {
        assert_eq!(Model::named(name).family, family, "{name}");
    }
}
