// LangChain declares its types twice, for import and for require, and one set is not assignable to the other: so do we.
import type { contextEditingMiddleware } from 'langchain';
import type { MakeContextMiddleware } from './types/langchain.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';
export type { ContextMiddlewareOptions } from './types/langchain.js';

/** A middleware as LangChain's own are: without a state, a context or tools of its own. */
export type ContextMiddleware = ReturnType<typeof contextEditingMiddleware>;

export const contextMiddleware: MakeContextMiddleware<ContextMiddleware>;
