//! Lists the names of token figures at providers, SDKs, gateways and agents, with a dot before a nested name and `*`
//! for each element of a list. `__test__/fixtures/usage.json` has a report of each form.

type Names = &'static [&'static str];

/// Fields in which applications keep a message's usage report, in the order tried.
pub const REPORT_FIELDS: [&str; 4] = ["usage", "usageMetadata", "usage_metadata", "_usage"];
/// The names that make up the prompt, in the order tried: the first identifies the form, the others may be missing.
pub(super) const PROMPTS: [Names; 10] = [
    &["prompt_tokens"], // OpenAI chat, DeepSeek, LiteLLM, OpenHands, applications with Anthropic names
    &["input_tokens"],  // Anthropic, OpenAI responses, LangChain, Codex
    &["promptTokenCount", "toolUsePromptTokenCount"], // Gemini, which counts tokens added by tools separately
    &["prompt_cache_miss_tokens", "prompt_cache_hit_tokens"], // DeepSeek, if an application keeps only billed figures
    &["promptTokens"],  // The AI SDK up to version 4, applications that store it on messages
    &["inputTokens"],   // The AI SDK from version 5 on, the OpenAI Agents SDK, Bedrock, Copilot, Cline
    &["inputTokens.total"], // Providers of the AI SDK from version 6 on
    &["inputOther"],    // Kimi CLI
    &["tokensIn"],      // Cline, for its screen
    &["input", "tool"], // pi, opencode, Gemini CLI, which counts tokens added by tools separately
];
/// Tokens read from a cache, included in the prompt. Gateways that sum Anthropic's figures report these in addition to Anthropic's names.
#[rustfmt::skip] // Long names would have a line each.
pub(super) const READ_WITHIN: Names = &[
    "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens", "prompt_cache_hit_tokens",
    "cachedContentTokenCount", "cachedInputTokens", "inputTokenDetails.cacheReadTokens",
    "inputTokens.cacheRead", "input_token_details.cache_read", "inputTokensDetails.cached_tokens",
    "inputTokensDetails.*.cached_tokens", "promptTokensDetails.cachedTokens", "cached_input_tokens",
    "cached_tokens", "cachedTokens", "cache_read_tokens", "cacheReadTokens", "cached",
];
/// Tokens read from a cache, not included in the prompt: Anthropic, Bedrock, pi, opencode, Kimi CLI and Cline's screen.
pub(super) const READ_ADDITIONAL: Names =
    &["cache_read_input_tokens", "cacheReadInputTokens", "cacheRead", "cache.read", "inputCacheRead", "cacheReads"];
/// Tokens written to a cache, not included in the prompt: the same.
pub(super) const WRITE_ADDITIONAL: Names = &[
    "cache_creation_input_tokens", "cacheCreationInputTokens", "cacheWriteInputTokens", "cacheWrite", "cache.write",
    "inputCacheCreation", "cacheWrites",
];
/// Tokens written to a cache, included in the prompt.
#[rustfmt::skip] // Long names would have a line each.
pub(super) const WRITE_WITHIN: Names = &[
    "prompt_tokens_details.cache_write_tokens", "prompt_tokens_details.cache_creation_tokens",
    "input_tokens_details.cache_write_tokens", "input_token_details.cache_creation",
    "inputTokenDetails.cacheWriteTokens", "inputTokens.cacheWrite", "cache_write_tokens", "cacheWriteTokens",
];
/// Tokens written to a cache for five minutes, and for an hour.
pub(super) const LIFETIMES: [&str; 2] =
    ["cache_creation.ephemeral_5m_input_tokens", "cache_creation.ephemeral_1h_input_tokens"];
pub(super) const OUTPUT: Names = &[
    "completion_tokens", "output_tokens", "candidatesTokenCount", "completionTokens", "outputTokens",
    "outputTokens.total", "tokensOut", "output",
];
/// Reasoning included in the output.
#[rustfmt::skip] // Long names would have a line each.
pub(super) const REASONING_WITHIN: Names = &[
    "completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens",
    "output_token_details.reasoning", "completionTokensDetails.reasoningTokens",
    "outputTokenDetails.reasoningTokens", "outputTokensDetails.reasoning_tokens",
    "outputTokensDetails.*.reasoning_tokens", "outputTokens.reasoning", "reasoningTokens", "reasoning_tokens",
    "reasoning_output_tokens",
];
/// Reasoning not included in the output: Gemini, Gemini CLI, opencode.
pub(super) const REASONING_ADDITIONAL: Names = &["thoughtsTokenCount", "thoughts", "reasoning"];
pub(super) const SUM: Names = &["total_tokens", "totalTokens", "totalTokenCount", "total"];

/// Every name that is looked up in a report.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    let lists = [
        READ_WITHIN, READ_ADDITIONAL, WRITE_ADDITIONAL, WRITE_WITHIN, OUTPUT, REASONING_WITHIN, REASONING_ADDITIONAL,
        SUM,
    ];
    let prompts = PROMPTS.into_iter().flatten();
    prompts.chain(&LIFETIMES).chain(lists.into_iter().flatten()).copied()
}
