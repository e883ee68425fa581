use super::*;
use crate::text::utf16::units;

fn parse(message: &str) -> Option<ContextOverflow> {
    parse_context_overflow(&units(message))
}

/// What each provider answers, word for word, and what is to be read from it.
const OVERFLOWS: &[(&str, &str, Option<u64>, Option<u64>)] = &[
    (
        "deepseek",
        r#"DeepSeek API error: 400 - {"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 5472941 tokens (5468845 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.""#,
        Some(5_472_941),
        Some(131_072),
    ),
    (
        "openai",
        r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        Some(204_308),
        Some(128_000),
    ),
    (
        "openai",
        "This model's maximum context length is 4097 tokens, however you requested 4116 tokens (1044 in your prompt; 3072 for the completion). Please reduce your prompt; or completion length.",
        Some(4116),
        Some(4097),
    ),
    (
        "openai",
        r#"{"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again.","param":"input"}}"#,
        None,
        None,
    ),
    (
        "openai",
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. Please reduce the length of the messages.",
        Some(300_123),
        Some(272_000),
    ),
    (
        "anthropic",
        r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"},"request_id":"req_1"}"#,
        Some(208_310),
        Some(200_000),
    ),
    (
        "anthropic",
        "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again",
        Some(207_951),
        Some(200_000),
    ),
    ("anthropic", "ValidationException: Input is too long for requested model.", None, None),
    (
        "gemini",
        r#"{"error":{"code":400,"message":"The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
        Some(1_200_293),
        Some(1_048_576),
    ),
    (
        "gemini",
        "The input token count exceeds the maximum number of tokens allowed 1048576.",
        None,
        Some(1_048_576),
    ),
    (
        "gemini",
        "Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.",
        Some(1_200_000),
        Some(1_048_576),
    ),
    (
        "qwen",
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
        None,
        Some(129_024),
    ),
    (
        "moonshot",
        "Error code: 400 - {'error': {'message': 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)', 'type': 'invalid_request_error'}}",
        Some(269_030),
        Some(262_144),
    ),
    ("moonshot", "Invalid request: Your request exceeded model token limit: 8192", None, Some(8192)),
    ("glm", "Error code: 400 {'code': '1261', 'message': 'Prompt exceeds max length'}", None, None),
    (
        "glm",
        r#"{"type":"error","error":{"message":"API 调用参数有误，请检查文档。Request 282387 input tokens exceeds the model's maximum context length 202750","code":"1210"}}"#,
        Some(282_387),
        Some(202_750),
    ),
    (
        "mistral",
        r#"{"object":"error","message":"Prompt contains 40961 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}"#,
        Some(40_961),
        Some(32_768),
    ),
    (
        "mistral",
        "Prompt contains 300000 tokens, too large for model with 131072 maximum context length",
        Some(300_000),
        Some(131_072),
    ),
    (
        "openrouter",
        "400 This endpoint's maximum context length is 131072 tokens. However, you requested about 132463 tokens (1463 of text input, 131000 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.",
        Some(132_463),
        Some(131_072),
    ),
    (
        "openrouter",
        r#"{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 262144 tokens. However, your messages resulted in 262897 tokens. Please reduce the length of the messages.\"}}","provider_name":"Nvidia"},"providerId":"openrouter"}"#,
        Some(262_897),
        Some(262_144),
    ),
    (
        "vllm",
        "This model's maximum context length is 196608 tokens. However, your request has 264175 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=264175)",
        Some(264_175),
        Some(196_608),
    ),
    (
        "vllm",
        "You passed 98305 input tokens and requested 32768 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 98304 tokens. Please reduce the length of the input prompt.",
        Some(131_073),
        Some(131_072),
    ),
    (
        "vllm",
        "The decoder prompt (length 163840) is longer than the maximum model length of 131072. Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
        Some(163_840),
        Some(131_072),
    ),
    (
        "vllm",
        "The prompt (total length 25938) is too long to fit into the model (context length 4096).",
        Some(25_938),
        Some(4096),
    ),
    (
        "llama.cpp",
        r#"{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}"#,
        Some(14_429),
        Some(8192),
    ),
    (
        "llama.cpp",
        "400 request (7921 tokens) exceeds the available context size (4096 tokens), try increasing it",
        Some(7921),
        Some(4096),
    ),
    ("llama.cpp", "400 the request exceeds the available context size, try increasing it", None, None),
    ("llama.cpp", "ValueError: Requested tokens (516) exceed context window of 512", Some(516), Some(512)),
    (
        "ollama",
        r#"Ollama API error 400: {"error":"prompt too long; exceeded max context length by 4 tokens"}"#,
        None,
        None,
    ),
    ("ollama", r#"{"error":"the input length exceeds the context length"}"#, None, None),
    (
        "xai",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        Some(537_812),
        Some(131_072),
    ),
    (
        "lmstudio",
        "The number of tokens to keep from the initial prompt (9800) is greater than the context length (8192).",
        Some(9800),
        Some(8192),
    ),
    (
        "openai",
        "The input (233864 tokens) is longer than the model's context length (202752 tokens).",
        Some(233_864),
        Some(202_752),
    ),
    ("openai", r#"{"error":{"code":"context_length_exceeded"}}"#, None, None),
];

/// What looks like an overflow and is none: compressing the conversation would not help.
const NEAR_MISSES: &[&str] = &[
    "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 30601. The input or output tokens must be reduced in order to run successfully.",
    "Rate limit reached for gpt-4.1 in organization org-x on tokens per min (TPM): Limit 30000, Used 18928, Requested 11159. Please try again in 174ms.",
    "429 {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"This request would exceed your organization's rate limit of 40,000 input tokens per minute\"}}",
    "429 Request too large for model `moonshotai/kimi-k2-instruct` on tokens per minute (TPM): Limit 10000, Requested 15088, please reduce your message size and try again.",
    "max_tokens is too large: 5000. This model supports at most 4096 completion tokens, whereas you provided 5000.",
    "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1210 input tokens (8192 > 8192 - 1210).",
    "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    "Range of max_tokens should be [1, 8192]",
    "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.",
    "max_tokens=140000 cannot be greater than max_model_len=max_total_tokens=131072.",
    "413 Request Entity Too Large",
    "{\"type\":\"error\",\"error\":{\"type\":\"request_too_large\",\"message\":\"Request exceeds the maximum size\"}}",
    "413 Payload Too Large",
    "Your account org-x is not active, organization exceeded current quota, please check your plan and billing details",
    "ThrottlingException: Too many tokens, please wait before trying again.",
    "您的账户已达到速率限制，请您控制请求频率",
    "Error code: 400 - Exceeding the limiting length: [max_tokens should be less or equal to 131072]",
    "Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760",
    "invalid temperature: only 1 is allowed for this model",
    "Model context window too small (minimum is 128k tokens)",
    "fetch failed",
    "",
];

#[test]
fn each_providers_own_words_are_understood_r5_7() {
    for &(provider, message, requested, max) in OVERFLOWS {
        assert_eq!(parse(message), Some(ContextOverflow { requested, max, provider }), "{message}");
    }
}

#[test]
fn near_misses_are_no_overflow_r5_7() {
    for message in NEAR_MISSES {
        assert_eq!(parse(message), None, "{message}");
    }
}

#[test]
fn wrapping_case_and_thousands_do_not_matter_r5_7() {
    let overflow = parse("PROMPT IS TOO LONG:\n  213,462 tokens >\t200,000 maximum").unwrap();
    assert_eq!((overflow.requested, overflow.max), (Some(213_462), Some(200_000)));
}

#[test]
fn the_message_with_the_most_figures_counts_r5_7() {
    let texts = [
        "request failed",
        "context_length_exceeded",
        "prompt is too long: 3 tokens > 2 maximum",
        "prompt is too long",
    ];
    let texts: Vec<Vec<u16>> = texts.iter().map(|text| units(text)).collect();
    let best = parse_best(texts.iter().map(Vec::as_slice)).unwrap();
    assert_eq!((best.provider, best.requested, best.max), ("anthropic", Some(3), Some(2)));
}

#[test]
fn odd_texts_are_no_error_r0_3() {
    assert_eq!(parse_context_overflow(&[0xD800; 10]), None);
    assert_eq!(parse(&"maximum context length is ".repeat(5000)), None);
    assert_eq!(
        parse(&format!("prompt is too long: {} tokens > 1 maximum", "9".repeat(60))).unwrap().requested,
        None
    );
}

#[test]
fn users_read_a_sentence_and_a_way_out_in_both_languages_r5_7() {
    assert_eq!(
        user_texts(Language::Chinese),
        ("对话内容过长，已超出模型上下文限制。", "建议新开一个会话继续对话。")
    );
    assert!(user_texts(Language::English).0.contains("too long"));
}
