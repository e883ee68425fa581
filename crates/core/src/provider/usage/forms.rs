//! The names that providers, SDKs, gateways and agents give to their figures, a dot before a nested one, `*` for every element
//! of a list. `__test__/fixtures/usage.json` has a report of each of them.

type Names = &'static [&'static str];

/// Where hosts keep a provider's report on the message that it came with, in the order of trial.
pub const REPORT_FIELDS: [&str; 4] = ["usage", "usageMetadata", "usage_metadata", "_usage"];

/// The names that make up the prompt, by form: the first is that of the form, the others may be missing. In the order of trial.
pub(super) const PROMPTS: [Names; 10] = [
    // OpenAI chat, DeepSeek, LiteLLM, OpenHands, and hosts that fill it from Anthropic's `input_tokens`.
    &["prompt_tokens"],
    // Anthropic, OpenAI responses, LangChain, Codex.
    &["input_tokens"],
    // Gemini, which counts what tools added beside the prompt.
    &["promptTokenCount", "toolUsePromptTokenCount"],
    // DeepSeek, where a host keeps only what it is billed by.
    &["prompt_cache_miss_tokens", "prompt_cache_hit_tokens"],
    // The AI SDK up to version 4, and hosts that note the figure on their messages.
    &["promptTokens"],
    // The AI SDK from version 5 on, the OpenAI Agents SDK, Bedrock, Copilot, Cline.
    &["inputTokens"],
    // Providers of the AI SDK from version 6 on.
    &["inputTokens.total"],
    // Kimi CLI.
    &["inputOther"],
    // What Cline notes for its screen.
    &["tokensIn"],
    // pi, opencode, and Gemini CLI, which counts what tools added beside the prompt.
    &["input", "tool"],
];

/// Tokens read from a cache that are a part of the prompt. Gateways that add Anthropic's up give them beside Anthropic's names.
pub(super) const READ_WITHIN: Names = &[
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_cache_hit_tokens",
    "cachedContentTokenCount",
    "cachedInputTokens",
    "inputTokenDetails.cacheReadTokens",
    "inputTokens.cacheRead",
    "input_token_details.cache_read",
    "inputTokensDetails.cached_tokens",
    "inputTokensDetails.*.cached_tokens",
    "promptTokensDetails.cachedTokens",
    "cached_input_tokens",
    "cached_tokens",
    "cachedTokens",
    "cache_read_tokens",
    "cacheReadTokens",
    "cached",
];

/// Tokens read from a cache that Anthropic, Bedrock, pi, opencode, Kimi CLI and Cline's screen count beside the prompt.
pub(super) const READ_BESIDE: Names = &[
    "cache_read_input_tokens",
    "cacheReadInputTokens",
    "cacheRead",
    "cache.read",
    "inputCacheRead",
    "cacheReads",
];

/// Tokens written to a cache that the same count beside the prompt.
pub(super) const WRITE_BESIDE: Names = &[
    "cache_creation_input_tokens",
    "cacheCreationInputTokens",
    "cacheWriteInputTokens",
    "cacheWrite",
    "cache.write",
    "inputCacheCreation",
    "cacheWrites",
];

/// Tokens written to a cache that are a part of the prompt.
pub(super) const WRITE_WITHIN: Names = &[
    "prompt_tokens_details.cache_write_tokens",
    "prompt_tokens_details.cache_creation_tokens",
    "input_tokens_details.cache_write_tokens",
    "input_token_details.cache_creation",
    "inputTokenDetails.cacheWriteTokens",
    "inputTokens.cacheWrite",
    "cache_write_tokens",
    "cacheWriteTokens",
];

/// Tokens written to a cache for five minutes, and for an hour.
pub(super) const LIFETIMES: [&str; 2] =
    ["cache_creation.ephemeral_5m_input_tokens", "cache_creation.ephemeral_1h_input_tokens"];

pub(super) const OUTPUT: Names = &[
    "completion_tokens",
    "output_tokens",
    "candidatesTokenCount",
    "completionTokens",
    "outputTokens",
    "outputTokens.total",
    "tokensOut",
    "output",
];

/// Reasoning that is a part of the output.
pub(super) const REASONING_WITHIN: Names = &[
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "output_token_details.reasoning",
    "completionTokensDetails.reasoningTokens",
    "outputTokenDetails.reasoningTokens",
    "outputTokensDetails.reasoning_tokens",
    "outputTokensDetails.*.reasoning_tokens",
    "outputTokens.reasoning",
    "reasoningTokens",
    "reasoning_tokens",
    "reasoning_output_tokens",
];

/// Reasoning that is counted beside the output: Gemini's, Gemini CLI's, opencode's.
pub(super) const REASONING_BESIDE: Names = &["thoughtsTokenCount", "thoughts", "reasoning"];

pub(super) const SUM: Names = &["total_tokens", "totalTokens", "totalTokenCount", "total"];

/// Every name that is looked up in a report.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    let lists = [
        READ_WITHIN,
        READ_BESIDE,
        WRITE_BESIDE,
        WRITE_WITHIN,
        OUTPUT,
        REASONING_WITHIN,
        REASONING_BESIDE,
        SUM,
    ];
    let prompts = PROMPTS.into_iter().flatten();
    prompts.chain(&LIFETIMES).chain(lists.into_iter().flatten()).copied()
}
