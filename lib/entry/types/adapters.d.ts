/** What the adapters for SDKs have in common. */
import type { ContextViewsOptions } from './view.js';

/** Options of every adapter: those of a `ContextViews`, `compression` included. */
export interface AdapterOptions extends ContextViewsOptions {}

/** What all requests of an adapter have cost. Costs are in tokens at the base price of input. */
export interface AdapterLedger {
  requests: number;
  cost: number;
  /** What the same requests would have cost with every history left alone. */
  costLeftAlone: number;
}

/** What every adapter has. */
export interface WithLedger {
  /** Over all its conversations so far, those that it has forgotten included. Corrected by what providers report. */
  ledger(): AdapterLedger;
}
