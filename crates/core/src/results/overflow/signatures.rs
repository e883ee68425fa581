//! How each provider words an overflow, in lower case. The literal messages are in the tests beside this.

pub(super) struct Signature {
    /// Empty where several providers share the wording.
    pub(super) provider: &'static str,
    pub(super) sentence: &'static str,
}

const fn signature(provider: &'static str, sentence: &'static str) -> Signature {
    Signature { provider, sentence }
}

/// The first that matches tells the numbers, so the sentences with more numbers come first.
pub(super) const SIGNATURES: &[Signature] = &[
    // Anthropic; the last is Bedrock's, for its models
    signature("anthropic", "prompt is too long: {requested} tokens > {max} maximum"),
    signature("anthropic", "exceed context limit: {input} + {output} > {max}"),
    signature("anthropic", "prompt is too long"),
    signature("anthropic", "request size exceeds model context window"),
    signature("anthropic", "input is too long for requested model"),
    // Gemini, Vertex AI
    signature(
        "gemini",
        "input token count ({requested}) exceeds the maximum number of tokens allowed ({max})",
    ),
    signature("gemini", "input token count exceeds the maximum number of tokens allowed ({max})"),
    signature("gemini", "input token count exceeds the maximum number of tokens allowed {max}"),
    signature("gemini", "input token count is {requested} but model only supports up to {max}"),
    // OpenRouter
    signature(
        "openrouter",
        "this endpoint*s maximum context length is {max} tokens. however, you requested about {requested} tokens",
    ),
    signature("openrouter", "this endpoint*s maximum context length is {max} tokens"),
    // vLLM's own wordings, before those that it shares with OpenAI
    signature(
        "vllm",
        "you passed {input} input tokens and requested {output} output tokens. however, the model*s context length is only {max} tokens",
    ),
    signature(
        "vllm",
        "maximum context length is {max} tokens. however, you requested {output} output tokens and your prompt contains at least {input} input tokens",
    ),
    signature(
        "vllm",
        "maximum context length is {max} tokens. however, your request has {requested} input tokens",
    ),
    signature("vllm", "decoder prompt (length {requested}) is longer than the maximum model length of {max}"),
    signature(
        "vllm",
        "prompt (total length {requested}) is too long to fit into the model (context length {max})",
    ),
    signature("vllm", "input prompt ({requested} tokens) is too long and exceeds limit of {max}"),
    // OpenAI and those who imitate it, DeepSeek among them
    signature("", "maximum context length is {max} tokens. however, you requested {requested} tokens"),
    signature("", "maximum context length is {max} tokens, however you requested {requested} tokens"),
    signature(
        "",
        "maximum context length is {max} tokens. however, your messages resulted in {requested} tokens",
    ),
    signature(
        "openai",
        "input tokens exceed the configured limit of {max} tokens. your messages resulted in {requested} tokens",
    ),
    signature("openai", "input exceeds the context window of this model"),
    // Qwen (DashScope)
    signature("qwen", "range of input length should be [1, {max}]"),
    signature("qwen", "total message token length exceed model limit ({max} tokens)"),
    signature("qwen", "total message token length exceed model limit"),
    // Moonshot (Kimi)
    signature("moonshot", "exceeded model token limit: {max} (requested: {requested})"),
    signature("moonshot", "exceeded model token limit: {max}"),
    signature("moonshot", "exceeded model token limit"),
    signature("moonshot", "input token length too long"),
    // GLM (Zhipu, Z.ai)
    signature("glm", "request {requested} input tokens exceeds the model*s maximum context length {max}"),
    signature("glm", "prompt exceeds max length"),
    signature("glm", "prompt 超长"),
    // Mistral
    signature(
        "mistral",
        "prompt contains {requested} tokens*too large for model with {max} maximum context length",
    ),
    signature("mistral", "too large for model with {max} maximum context length"),
    // llama.cpp and its Python binding
    signature("llama.cpp", "request ({requested} tokens) exceeds the available context size ({max} tokens)"),
    signature(
        "llama.cpp",
        "exceeds the available context size*n_prompt_tokens\":{requested},\"n_ctx\":{max}",
    ),
    signature(
        "llama.cpp",
        "exceeds the available context size*n_prompt_tokens\": {requested}, \"n_ctx\": {max}",
    ),
    signature("llama.cpp", "exceeds the available context size"),
    signature("llama.cpp", "requested tokens ({requested}) exceed context window of {max}"),
    signature("llama.cpp", "exceed_context_size_error"),
    // Ollama
    signature("ollama", "prompt too long; exceeded max context length by {over} tokens"),
    signature("ollama", "prompt too long; exceeded"),
    signature("ollama", "input length exceeds the context length"),
    signature("ollama", "input exceeds maximum context length"),
    // Others that speak OpenAI's protocol
    signature("xai", "maximum prompt length is {max} but the request contains {requested} tokens"),
    signature("groq", "please reduce the length of the messages or completion"),
    signature("minimax", "context window exceeds limit"),
    signature(
        "lmstudio",
        "tokens to keep from the initial prompt ({requested}) is greater than the context length ({max})",
    ),
    signature("lmstudio", "tokens to keep from the initial prompt is greater than the context length"),
    signature(
        "lmstudio",
        "trying to keep the first {requested} tokens when context the overflows. however, the model is loaded with context length of only {max} tokens",
    ),
    signature("copilot", "prompt token count of {requested} exceeds the limit of {max}"),
    signature("", "input ({requested} tokens) is longer than the model*s context length ({max} tokens)"),
    signature("", "input length {requested} exceeds the maximum allowed input length of {max} tokens"),
    signature("", "input length ({requested}) exceeds model*s maximum context length ({max})"),
    signature("", "input length {requested} exceeds the maximum length {max}"),
    signature("", "requested token count exceeds the model*s maximum context length of {max} tokens"),
    signature("", "prompt exceeds maximum context length"),
    // Codes, where the sentence was lost on the way
    signature("", "maximum context length is {max} tokens"),
    signature("", "model_context_window_exceeded"),
    signature("", "context_length_exceeded"),
    signature("", "context length exceeded"),
];

/// Errors that hold these would not be cured by a shorter conversation: rates, quotas, sizes in bytes, output limits.
pub(super) const NOT_AN_OVERFLOW: &[&str] = &[
    "rate limit",
    "rate_limit",
    "ratelimit",
    "too many requests",
    "tokens per min",
    "tokens per day",
    "(tpm)",
    "(tpd)",
    "quota",
    "throttl",
    "insufficient_balance",
    "payload too large",
    "entity too large",
    "request_too_large",
    "max_tokens is too large",
    "max_tokens' is too large",
    "max_completion_tokens' is too large",
    "max_completion_tokens is too large",
    "max_output_tokens is too large",
    "max_tokens should be",
    "max_tokens must be",
    "invalid max_tokens",
    "maximum allowed number of output tokens",
    "model output limit",
    "max_model_len=max_total_tokens",
];

pub(super) const PROVIDER_NAMES: &[(&str, &str)] = &[
    ("deepseek", "deepseek"),
    ("openrouter", "openrouter"),
    ("dashscope", "qwen"),
    ("qwen", "qwen"),
    ("moonshot", "moonshot"),
    ("kimi", "moonshot"),
    ("zhipu", "glm"),
    ("bigmodel", "glm"),
    ("z.ai", "glm"),
    ("mistral", "mistral"),
    ("vllm", "vllm"),
    ("together", "together"),
    ("llama.cpp", "llama.cpp"),
    ("ollama", "ollama"),
];
