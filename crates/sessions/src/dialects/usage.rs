//! A provider's own account of a request, in whichever words: which classes there are, and which include which.

use crate::json::Json;
use crate::usage::Usage;

/// Reads any provider's usage; `None` when `value` is none, or counts nothing at all.
pub(crate) fn usage(value: &Json<'_>) -> Option<Usage> {
    let read = if value.has("cache_read_input_tokens") && value.has("prompt_tokens") {
        chat(value)
    } else if value.has("cache_read_input_tokens") || value.has("cache_creation_input_tokens") {
        anthropic(value)
    } else if value.has("input_tokens") {
        responses(value)
    } else if value.has("prompt_tokens") {
        chat(value)
    } else if value.has("promptTokenCount") {
        gemini(value)
    } else if value.has("inputTokens") {
        ai_sdk(value)
    } else {
        return None;
    };
    Some(read).filter(|usage| !usage.is_empty())
}

/// No class includes another, and writes are told apart by lifetime.
fn anthropic(usage: &Json<'_>) -> Usage {
    let by_lifetime = usage.get("cache_creation");
    let five = by_lifetime.count("ephemeral_5m_input_tokens");
    let hour = by_lifetime.count("ephemeral_1h_input_tokens");
    let told = five.saturating_add(hour);
    Usage {
        input: usage.count("input_tokens"),
        cache_read: usage.count("cache_read_input_tokens"),
        cache_write_5m: five,
        cache_write_1h: hour,
        cache_write: usage.count("cache_creation_input_tokens").saturating_sub(told),
        output: usage.count("output_tokens"),
        reasoning: 0,
    }
}

/// OpenAI's Responses, and LangChain's words for everybody's.
fn responses(usage: &Json<'_>) -> Usage {
    let details = usage.get("input_tokens_details");
    let langchain = usage.get("input_token_details");
    let read = details.count("cached_tokens").max(langchain.count("cache_read"));
    let written = details.count("cache_write_tokens").max(langchain.count("cache_creation"));
    let reasoning = usage.at(&["output_tokens_details", "reasoning_tokens"]).as_count();
    let reasoning = reasoning.or(usage.at(&["output_token_details", "reasoning"]).as_count()).unwrap_or(0);
    Usage::of_inclusive(usage.count("input_tokens"), read, written, usage.count("output_tokens"), reasoning)
}

/// Chat Completions, with what DeepSeek and LiteLLM add to it.
fn chat(usage: &Json<'_>) -> Usage {
    let details = usage.get("prompt_tokens_details");
    let read = [
        details.count("cached_tokens"),
        usage.count("cache_read_input_tokens"),
        usage.count("cached_tokens"),
    ];
    let read = read.into_iter().max().unwrap_or(0).max(usage.count("prompt_cache_hit_tokens"));
    let written = usage.count("cache_creation_input_tokens").max(details.count("cache_write_tokens"));
    let output = usage.count("completion_tokens");
    let reasoning = usage.at(&["completion_tokens_details", "reasoning_tokens"]).as_count().unwrap_or(0);
    let prompt = usage.count("prompt_tokens");
    // Some versions of LiteLLM leave what was written out of the prompt.
    let apart = read.saturating_add(written) > prompt;
    let prompt = if apart { prompt.saturating_add(written) } else { prompt };
    Usage::of_inclusive(prompt, read, written, output, reasoning)
}

/// Thoughts are counted beside the answer, and what tools added beside the prompt.
fn gemini(usage: &Json<'_>) -> Usage {
    let thoughts = usage.count("thoughtsTokenCount");
    let prompt = usage.count("promptTokenCount").saturating_add(usage.count("toolUsePromptTokenCount"));
    let output = usage.count("candidatesTokenCount").saturating_add(thoughts);
    Usage::of_inclusive(prompt, usage.count("cachedContentTokenCount"), 0, output, thoughts)
}

/// The AI SDK's, and the OpenAI Agents SDK's, which keeps details by request.
fn ai_sdk(usage: &Json<'_>) -> Usage {
    let details = usage.get("inputTokenDetails");
    let by_request = |key: &str, field: &str| {
        usage.get(key).list().iter().fold(0_u64, |sum, details| sum.saturating_add(details.count(field)))
    };
    let read = by_request("inputTokensDetails", "cached_tokens");
    let read = read.max(details.count("cacheReadTokens")).max(usage.count("cachedInputTokens"));
    let read = read.max(usage.count("cacheReadTokens"));
    let written = details.count("cacheWriteTokens").max(usage.count("cacheWriteTokens"));
    let reasoning = usage.count("reasoningTokens").max(by_request("outputTokensDetails", "reasoning_tokens"));
    Usage::of_inclusive(usage.count("inputTokens"), read, written, usage.count("outputTokens"), reasoning)
}
