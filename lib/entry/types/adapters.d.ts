/** What the adapters for SDKs have in common. */
import type { ContextLengthExceededError } from '../../../index.js';
import type { CompressionOutcome } from './compression.js';
import type { ContextView, ContextViews, ContextViewsOptions, Costs, StoreEvent } from './view.js';

/** Options of every adapter: those of a `ContextViews`, `compression` included. */
export interface AdapterOptions extends Omit<ContextViewsOptions, 'onEvent'> {
  /** Names the conversation of a request, where the host knows better than its messages: a name, or a function of the SDK's request. */
  conversationId?: string | ((request: any) => string | null | undefined) | undefined;
  /** Whether a request stands beside its conversation, such as one for a title; also as a function of the SDK's request. */
  side?: boolean | ((request: any) => boolean | null | undefined) | undefined;
  /** Is told what became of requests. What it throws is ignored. */
  onEvent?: ((event: AdapterEvent) => void) | null | undefined;
}

/** Of an adapter that can set marks for Anthropic's cache. */
export interface CacheControlOption {
  /**
   * Sets Anthropic's `cache_control` where the view's breakpoints are: `true` or `'5m'`, or `'1h'` for a cache of an hour;
   * `price` follows. At most four marks a request, those of the host's own counted; these stay as they are. Default false.
   */
  cacheControl?: boolean | '5m' | '1h' | undefined;
}

/** What an adapter tells `onEvent`. */
export type AdapterEvent =
  /** At each request, where `compression` is configured: what it did, and why not. */
  | ({ type: 'compression'; view: ContextView } & CompressionOutcome)
  /** The prompt was too long for the model. `windowTokens` counts from then on; null where the error doesn't say it, or nothing is compressed. */
  | { type: 'overflow'; view: ContextView; error: ContextLengthExceededError; windowTokens: number | null }
  /** Once: requests go past this adapter, and are sent as they are. */
  | { type: 'unseen'; message: string }
  | StoreEvent;

/** What all requests of an adapter have cost. Costs are in tokens at the base price of input. */
export interface AdapterLedger extends Costs {}

/** What every adapter has. */
export interface WithLedger {
  /** Over all its conversations so far, those that it has forgotten included. Corrected by what providers report. */
  ledger(): AdapterLedger;
  /** Its conversations: `plan()`, `ledger()` and `contextPicture` of each. */
  readonly views: ContextViews;
}
