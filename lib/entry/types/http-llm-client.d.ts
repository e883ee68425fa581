/** What a client is told once. Everything but `baseUrl` may be left out; `null` means the default. */
export interface HttpLlmClientOptions {
  /** `https://host`, `https://host/v1`, `…/v1/` or the whole endpoint. Its query stays. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer` or, in Anthropic's style, as `x-api-key`. */
  apiKey?: string | null | undefined;
  /** Default: `anthropic` for `api.anthropic.com` and paths that end in `/v1/messages`, else `openai`. */
  style?: 'openai' | 'anthropic' | null | undefined;
  /** For calls that name none. */
  model?: string | null | undefined;
  /** Win over the client's own. A missing value is left out. */
  headers?: Readonly<Record<string, string | null | undefined>> | null | undefined;
  /**
   * An HTTP or SOCKS proxy for everything, or `false` for none. Default: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
   * `NO_PROXY` of this thread's environment, read when the client is made.
   */
  proxy?: string | false | null | undefined;
  /** Default 10,000, TLS included. */
  connectTimeoutMs?: number | null | undefined;
  /** Without a byte. Default 60,000. */
  readTimeoutMs?: number | null | undefined;
  /** For everything: further attempts and the waits before them too. Default: none. */
  totalTimeoutMs?: number | null | undefined;
  /** Further attempts where one may help: no connection, a cut one, status 408, 409, 429, 5xx. 0 to 20; default 2. */
  maxRetries?: number | null | undefined;
  /** Default 20,000. A provider that asks for a longer wait is not asked again: see `retryAfterMs`. */
  maxRetryDelayMs?: number | null | undefined;
  /** Default 8 MiB, after decompression. */
  maxResponseBytes?: number | null | undefined;
  /** PEM; trusted beside the system's. */
  caCertificates?: string | readonly string[] | null | undefined;
  /** Default `2023-06-01`. */
  anthropicVersion?: string | null | undefined;
  /** Fields for every request's body. They win over what the call says. */
  body?: Readonly<Record<string, unknown>> | null | undefined;
  /** For calls that name none; `false`: never sent, whatever a call says. Default: none. */
  temperature?: number | false | null | undefined;
  /** Of an overflow's message. Default `zh`. */
  language?: 'zh' | 'en' | null | undefined;
}

/** One question. */
export interface HttpLlmRequest {
  /** Default: the client's. */
  model?: string | null | undefined;
  /** Sent as they are; in Anthropic's style system messages go to `system`. */
  messages: readonly object[];
  /** Tokens. Default: the provider's; 4096 in Anthropic's style, which demands one. */
  maxTokens?: number | null | undefined;
  /** The same by other names; the first that is given wins. */
  max_tokens?: number | null | undefined;
  max_completion_tokens?: number | null | undefined;
  temperature?: number | null | undefined;
  /** Ends the request wherever it is and closes its connection. */
  signal?: AbortSignalLike | null | undefined;
  /** The same by another name; `signal` wins. */
  abortSignal?: AbortSignalLike | null | undefined;
  /** Fields for this request's body; they win over the client's. */
  body?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The part of an `AbortSignal` that is used: this package's types need no library of their own. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: any;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What a model answered. */
export interface HttpLlmAnswer {
  /** Its text without its thinking; empty where it said nothing or only called tools. */
  content: string;
  /** `stop`, `length`, `tool_calls`, `refusal`, `content_filter`, or the provider's own word; null when it gave none. */
  finishReason: string | null;
  /** Why it refused, where it says so apart from its text. */
  refusal: string | null;
  /** As the provider names it. */
  model: string | null;
  /**
   * Tokens; `promptTokens` includes what was read from or written to a cache, `cachedTokens` is what was read, null when the
   * provider doesn't tell. Null when none were told.
   */
  usage: { promptTokens: number; cachedTokens: number | null; completionTokens: number } | null;
  /** For the provider's support. */
  requestId: string | null;
}

/**
 * A model over HTTP, OpenAI- or Anthropic-style, for {@link AutoCompressionManager} or on its own.
 * Connects with the first call; an idle client keeps no process alive. One per endpoint: it keeps connections.
 *
 * The key, header values, URL queries and prompts are in no error, log or printed form of it.
 */
export class HttpLlmClient {
  /** @throws TypeError, RangeError naming the option, never showing it. */
  constructor(options: HttpLlmClientOptions);
  /**
   * @throws {LlmHttpError} when there is no answer.
   * @throws {ContextLengthExceededError} when the request is too long for the model.
   * @throws an `AbortError` (`code` `ABORT_ERR`, `cause` the reason) when the signal fires.
   */
  chat(request: HttpLlmRequest): Promise<HttpLlmAnswer>;
  /** The same. */
  call(request: HttpLlmRequest): Promise<HttpLlmAnswer>;
}

/** What a caller can act on. */
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

/** A request that brought no answer. `message` says what was expected and what came; it holds no content. */
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
  /** What the provider asked for. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** What kind of error the provider calls it, such as `invalid_request_error`. */
  readonly providerType?: string;
  /** The provider's own sentence, keys masked. It may quote the prompt, so it isn't enumerable: loggers skip it. */
  readonly providerMessage: string | undefined;
}
