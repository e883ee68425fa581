/** Types shared by the adapters for SDKs. */
import type { ContextLengthExceededError } from '../../../index.js';
import type { CompressionOutcome } from './compression.js';
import type { ContextView, ContextViews, ContextViewsOptions, Costs, StoreEvent } from './view.js';

/** Options of every adapter: those of `ContextViews`, including `compression`. */
export interface AdapterOptions extends Omit<ContextViewsOptions, 'onEvent'> {
  /**
   * The conversation's name, if the application knows it, or a function of the SDK's request. Default, also if the function returns undefined: the
   * messages identify it. An empty name is an error, of the request if a function returns it.
   */
  conversationId?: string | ((request: any) => string | null | undefined) | undefined;
  /** True for a side request, such as one for a title; or a function of the SDK's request. */
  side?: boolean | ((request: any) => boolean | null | undefined) | undefined;
  /** Receives events about requests. Errors that it throws are ignored. */
  onEvent?: ((event: AdapterEvent) => void) | null | undefined;
}

/** Option of an adapter that can set Anthropic's cache breakpoints. */
export interface CacheControlOption {
  /**
   * Sets Anthropic's `cache_control` at the view's breakpoints: `true` or `'5m'`, or `'1h'` for a one-hour cache; `price` changes accordingly. At
   * most four breakpoints per request, including the application's own, which stay unchanged. Default false.
   */
  cacheControl?: boolean | '5m' | '1h' | undefined;
}

/** The events that an adapter passes to `onEvent`. */
export type AdapterEvent =
  /** At each request with `compression` configured: what it did, or why it did nothing. */
  | ({ type: 'compression'; view: ContextView } & CompressionOutcome)
  /**
   * The prompt exceeded the model's context window. `windowTokens` applies from then on; null if the error doesn't report it, or without
   * compression.
   */
  | { type: 'overflow'; view: ContextView; error: ContextLengthExceededError; windowTokens: number | null }
  /** Emitted once: requests bypass this adapter and are sent unchanged. */
  | { type: 'unseen'; message: string }
  | StoreEvent;

/** The costs of all requests of an adapter, in tokens at the base price of input. */
export interface AdapterLedger extends Costs {}

/** Members of every adapter. */
export interface WithLedger {
  /** Costs of all conversations so far, including dropped ones. Corrected by provider reports. */
  ledger(): AdapterLedger;
  /** The conversations: `plan()`, `ledger()` and `contextPicture` of each. */
  readonly views: ContextViews;
}
