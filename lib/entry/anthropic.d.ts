/** Adapter for Anthropic's client: requests stay inside the model's context window; the application's messages stay unchanged. */
import type { AgentMessage, ContextView, ContextViews, HostAbortSignal, NowOption } from '../../index.js';
import type { AdapterEvent, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

/** Options of {@link middleware}: those of every adapter. */
export interface AnthropicOptions extends AdapterOptions, CacheControlOption {}

/** Options of {@link prepareParams}. */
export interface PrepareParamsOptions extends CacheControlOption, NowOption {
  /** The view of this conversation, or of all. Default: one `ContextViews` per process. Pass `message.usage` to its `observe`. */
  view?: ContextView | ContextViews | undefined;
  /** The conversation's name in `ContextViews`. */
  conversationId?: string | undefined;
  /** True for a side request, such as one for a title. */
  side?: boolean | undefined;
  signal?: HostAbortSignal | null | undefined;
  /** Receives what compression did, or why it did nothing. Errors are not detected here: pass them to the view's `noteOverflow`. */
  onEvent?: ((event: AdapterEvent) => void) | null | undefined;
}

/** The client's middleware type, declared without the SDK's own types, because those of its `import` and `require` builds are incompatible. */
export type AnthropicMiddleware = <R extends { url: string }>(
  request: R,
  next: (request: R) => Promise<Response>,
  context: { readonly options?: object | undefined; parse(response: Response): Promise<unknown> },
) => Promise<Response>;

/**
 * Creates a middleware for the client: requests for messages, streamed or not, are sent as the view of their conversation projects them. `system`,
 * `tools` and all else stay unchanged; a retry sends the same bytes. The provider's usage is read from the response. One serves many conversations
 * at once.
 *
 * Not changed are requests with a `thread`, because the server keeps their messages (the tool runner sends those unless it has `thread: false`),
 * batches, and token counts.
 * @throws TypeError, RangeError for an invalid option.
 */
export function middleware(options?: AnthropicOptions): AnthropicMiddleware & WithLedger;

/**
 * Returns new parameters for a single call, with the messages to send. The input is not written to.
 * @throws TypeError, RangeError for invalid arguments, and for a `thread`; the abort reason of `signal`
 */
export function prepareParams<P extends { messages: readonly AgentMessage[] }>(
  params: P,
  options?: PrepareParamsOptions,
): Promise<P>;
