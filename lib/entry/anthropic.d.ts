/** Anthropic's client: what goes to the model is kept inside its window, what the application keeps stays as it is. */
import type { AgentMessage, ContextView, ContextViews, HostAbortSignal, NowOption } from '../../index.js';
import type { AdapterEvent, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

/** Options of {@link middleware}: those of every adapter. */
export interface AnthropicOptions extends AdapterOptions, CacheControlOption {}

/** Options of {@link prepareParams}. */
export interface PrepareParamsOptions extends CacheControlOption, NowOption {
  /** Of this conversation, or of all. Default: one `ContextViews` of this process. Tell it `message.usage` by `observe`. */
  view?: ContextView | ContextViews | undefined;
  /** Names the conversation among `ContextViews`. */
  conversationId?: string | undefined;
  /** Whether the request stands beside the conversation, such as one for a title. */
  side?: boolean | undefined;
  signal?: HostAbortSignal | null | undefined;
  /** Is told what compression did, and why not; of errors the view is told by `noteOverflow`. */
  onEvent?: ((event: AdapterEvent) => void) | null | undefined;
}

/**
 * What the client takes as a middleware. Said without the SDK's own types, since those of its two builds, for `import` and for
 * `require`, don't fit each other.
 */
export type AnthropicMiddleware = <R extends { url: string }>(
  request: R,
  next: (request: R) => Promise<Response>,
  context: { readonly options?: object | undefined; parse(response: Response): Promise<unknown> },
) => Promise<Response>;

/**
 * For the client's `middleware`: requests for messages are sent as the view of their conversation projects them, in one
 * piece or as a stream. `system`, `tools` and all else go as they are, and what is sent again after a failure is what was sent
 * before. The provider's usage is read back. One serves many conversations at once.
 *
 * Requests with a `thread` are left alone, since the server keeps their messages; the tool runner sends those unless it has
 * `thread: false`. So are batches and counts of tokens.
 * @throws TypeError, RangeError for a wrong option.
 */
export function middleware(options?: AnthropicOptions): AnthropicMiddleware & WithLedger;

/**
 * The same for a single call: new parameters with the messages as they are to be sent. Nothing that was passed is written to.
 * @throws TypeError, RangeError for wrong arguments, and for a `thread`; what `signal` was aborted with
 */
export function prepareParams<P extends { messages: readonly AgentMessage[] }>(
  params: P,
  options?: PrepareParamsOptions,
): Promise<P>;
