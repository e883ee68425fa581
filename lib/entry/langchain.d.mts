// LangChain declares its types twice, for import and for require, and one set is not assignable to the other: so do we.
import type { contextEditingMiddleware } from 'langchain';
import type { AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

export type { AdapterEvent } from './types/adapters.js';

/** A middleware as LangChain's own are: without a state, a context or tools of its own. */
export type ContextMiddleware = ReturnType<typeof contextEditingMiddleware>;

/** Options of {@link contextMiddleware}. */
export interface ContextMiddlewareOptions extends AdapterOptions, CacheControlOption {}

/**
 * A middleware for LangChain's `createAgent`: the model is sent each conversation as a `ContextView` of its own sends it, and
 * with `compression` compressed where that is due. The agent's state, and with it what a checkpointer stores, keeps every
 * message as it is.
 *
 * One object serves any number of agents, threads and sub-graphs at once: a conversation is found by the messages that it
 * begins with, the system prompt included. What the provider reports on the answer is read back.
 *
 * Put it last, so that it sees what other middleware has made of the request.
 * @throws TypeError, RangeError for a wrong option, at once
 */
export function contextMiddleware(options?: ContextMiddlewareOptions): ContextMiddleware & WithLedger;
