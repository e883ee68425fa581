//! Lists the message fields that a provider accepts, and those that a compression makes wrong.

/// The fields of a message that some provider's request format knows (R7.8). An allow-list, since several providers
/// reject unknown fields. All are sent to every provider: thinking and signatures must return unchanged (EDGE 24 to 26).
#[rustfmt::skip] // Each format has lines of its own.
pub const REQUEST_FIELDS: [&str; 31] = [
    "role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio", // OpenAI chat
    "toolCalls", "toolCallId", "toolName", "functionCall", "isError", "reasoningContent", // as applications store them
    "reasoning_content", "prefix", // DeepSeek
    "reasoning", "reasoning_details", // OpenRouter
    "thinking", "thinking_blocks", "redacted_thinking", "signature", "cache_control", // Anthropic's, as gateways add
    "parts", "thoughtSignature", "thought_signature", "extra_content", // Gemini
    "images", "tool_name", // Ollama
    "partial", // Qwen, Moonshot
    "providerOptions", // The AI SDK, whose text messages look like chat's
];

/// Where applications store the usage of a request. A compression clears these fields on copies of the messages that
/// stay, since they count a history that no longer exists (R7.7, EDGE 5).
pub const USAGE_FIELDS: [&str; 14] = [
    "usage", "usageMetadata", "usage_metadata", "_usage", "tokenUsage", "token_usage", "promptTokens", "prompt_tokens",
    "completionTokens", "completion_tokens", "totalTokens", "total_tokens", "tokens", "tokenCount",
];

#[cfg(test)]
#[path = "api_fields_tests.rs"]
mod tests;
