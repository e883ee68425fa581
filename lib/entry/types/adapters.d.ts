/** What the adapters for SDKs have in common. */
import type { ContextViews, ContextViewsOptions, Costs } from './view.js';

/** Options of every adapter: those of a `ContextViews`, `compression` included. */
export interface AdapterOptions extends ContextViewsOptions {
  /** Names the conversation of a request, where the host knows better than its messages: a name, or a function of the SDK's request. */
  conversationId?: string | ((request: any) => string | null | undefined) | undefined;
  /** Whether a request stands beside its conversation, such as one for a title; also as a function of the SDK's request. */
  side?: boolean | ((request: any) => boolean | null | undefined) | undefined;
}

/** What all requests of an adapter have cost. Costs are in tokens at the base price of input. */
export interface AdapterLedger extends Costs {}

/** What every adapter has. */
export interface WithLedger {
  /** Over all its conversations so far, those that it has forgotten included. Corrected by what providers report. */
  ledger(): AdapterLedger;
  /** Its conversations: `plan()`, `ledger()` and `contextPicture` of each. */
  readonly views: ContextViews;
}
