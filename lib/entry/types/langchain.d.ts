/** What `palimpsest/langchain` is, whichever of LangChain's two sets of types it meets. */
import type { AdapterOptions, CacheControlOption, WithLedger } from './adapters.js';

/** Options of `contextMiddleware`. */
export interface ContextMiddlewareOptions extends AdapterOptions, CacheControlOption {}

/** The type of `contextMiddleware`. */
export type MakeContextMiddleware<Middleware> =
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
  (options?: ContextMiddlewareOptions) => Middleware & WithLedger;
