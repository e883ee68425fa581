/** Options of a client. All but `baseUrl` are optional; `null` means the default. */
export interface HttpLlmClientOptions {
  /** `https://host`, `https://host/v1`, `…/v1/` or the whole endpoint. A query string is kept. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer` or, in Anthropic's style, as `x-api-key`. */
  apiKey?: string | null | undefined;
  /** Default: `anthropic` for `api.anthropic.com` and paths that end in `/v1/messages`, else `openai`. */
  style?: 'openai' | 'anthropic' | null | undefined;
  /** The model for calls that name none. */
  model?: string | null | undefined;
  /** Extra headers; they override the client's own. `null` and `undefined` values are omitted. */
  headers?: Readonly<Record<string, string | null | undefined>> | null | undefined;
  /**
   * An HTTP or SOCKS proxy for all requests, or `false` for none. Default: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` of this thread's
   * environment, read at construction.
   */
  proxy?: string | false | null | undefined;
  /** Time to connect, including TLS. Default 10,000. */
  connectTimeoutMs?: number | null | undefined;
  /** Maximum time without receiving a byte. Default 60,000. */
  readTimeoutMs?: number | null | undefined;
  /** For the whole call, including retries and the waits before them. Default: none. */
  totalTimeoutMs?: number | null | undefined;
  /** Maximum number of retries, made after a failed or broken connection and after status 408, 409, 429, 500, 502, 503, 504 and 529. 0 to 20; default 2. */
  maxRetries?: number | null | undefined;
  /** Maximum wait before a retry. A provider that demands a longer wait is not retried: see `retryAfterMs`. Default 20,000. */
  maxRetryDelayMs?: number | null | undefined;
  /** Maximum response size after decompression. Default 8 MiB. */
  maxResponseBytes?: number | null | undefined;
  /** PEM; trusted in addition to the system's certificates. */
  caCertificates?: string | readonly string[] | null | undefined;
  /** Default `2023-06-01`. */
  anthropicVersion?: string | null | undefined;
  /** Extra fields of every request body. They override the call's own. */
  body?: Readonly<Record<string, unknown>> | null | undefined;
  /** For calls that set none; `false`: never sent, even if a call sets it. Default: none. */
  temperature?: number | false | null | undefined;
  /** Language of a context overflow's message. Default `zh`. */
  language?: 'zh' | 'en' | null | undefined;
}

/** One chat request. */
export interface HttpLlmRequest {
  /** Default: the client's. */
  model?: string | null | undefined;
  /** Sent unchanged; in Anthropic's style, system messages are moved to `system`. */
  messages: readonly object[];
  /** Maximum number of output tokens. Default: the provider's; 4096 in Anthropic's style, which requires one. */
  maxTokens?: number | null | undefined;
  /** Other names of `maxTokens`; the first one set wins. */
  max_tokens?: number | null | undefined;
  max_completion_tokens?: number | null | undefined;
  temperature?: number | null | undefined;
  /** Aborts the request at any stage and closes its connection. */
  signal?: AbortSignalLike | null | undefined;
  /** Another name of `signal`, which wins. */
  abortSignal?: AbortSignalLike | null | undefined;
  /** Extra fields of this request's body; they override the client's. */
  body?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The part of `AbortSignal` that is used, so that these types need no other library. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: any;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A model's response. */
export interface HttpLlmAnswer {
  /** The text without thinking; empty if the model wrote none or only called tools. */
  content: string;
  /** `stop`, `length`, `tool_calls`, `refusal`, `content_filter`, or the provider's own value; null if it sent none. */
  finishReason: string | null;
  /** The refusal's explanation, if the provider sends it apart from the text. */
  refusal: string | null;
  /** The model's name as the provider reports it. */
  model: string | null;
  /**
   * Tokens; null if none were reported. `promptTokens` includes cache reads and writes; `cachedTokens` is the cache reads, null if the provider
   * doesn't report them.
   */
  usage: { promptTokens: number; cachedTokens: number | null; completionTokens: number } | null;
  /** The provider's request id, for its support. */
  requestId: string | null;
}

/**
 * A client for OpenAI- or Anthropic-style models over HTTP, for {@link AutoCompressionManager} or on its own. Connects at the first call and keeps
 * connections, so use one per endpoint; an idle client doesn't keep the process alive.
 *
 * The API key, header values, URL queries and prompts never appear in errors, logs or its printed form.
 */
export class HttpLlmClient {
  /** @throws TypeError, RangeError that names the option but never shows its value. */
  constructor(options: HttpLlmClientOptions);
  /**
   * @throws {LlmHttpError} if there is no usable response.
   * @throws {ContextLengthExceededError} if the request exceeds the model's context window.
   * @throws an `AbortError` (`code` `ABORT_ERR`, `cause` the reason) if the signal fires.
   */
  chat(request: HttpLlmRequest): Promise<HttpLlmAnswer>;
  /** The same as `chat`. */
  call(request: HttpLlmRequest): Promise<HttpLlmAnswer>;
}

/** Error codes that a caller can act on. */
export type LlmHttpErrorCode =
  | 'LLM_HTTP_STATUS'
  | 'LLM_RATE_LIMITED'
  | 'LLM_TIMEOUT'
  | 'LLM_CONNECT'
  | 'LLM_TLS'
  | 'LLM_RESPONSE_TOO_LARGE'
  | 'LLM_BAD_RESPONSE'
  | 'LLM_REDIRECT'
  | 'LLM_UNAUTHORIZED';

/** A request failed without a usable response. `message` states what was expected and what was received; it contains no content. */
export class LlmHttpError extends Error {
  constructor(
    message: string,
    code: LlmHttpErrorCode,
    more?: {
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      requestId?: string | undefined;
      providerType?: string | undefined;
      providerMessage?: string | undefined;
      cause?: unknown;
    },
  );
  readonly name: 'LlmHttpError';
  readonly code: LlmHttpErrorCode;
  readonly status?: number;
  /** The wait that the provider demanded. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** The provider's error type, such as `invalid_request_error`. */
  readonly providerType?: string;
  /** The provider's own message, keys masked. It may quote the prompt, so it isn't enumerable: loggers skip it. */
  readonly providerMessage: string | undefined;
}
