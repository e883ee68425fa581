/** What the adapters for SDKs have in common. */
import type { ContextViewsOptions } from './view.js';

/** Options of every adapter: those of a `ContextViews`, `compression` included. */
export interface AdapterOptions extends ContextViewsOptions {}
