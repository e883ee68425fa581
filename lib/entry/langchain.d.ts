import type { contextEditingMiddleware } from 'langchain';
import type { MakeContextMiddleware } from './types/langchain.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';
export type { ContextMiddlewareOptions } from './types/langchain.js';

/** A middleware without a state, a context or tools of its own, as LangChain types its own. */
export type ContextMiddleware = ReturnType<typeof contextEditingMiddleware>;

export const contextMiddleware: MakeContextMiddleware<ContextMiddleware>;
