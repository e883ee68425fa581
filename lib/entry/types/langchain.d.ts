/** Types of `palimpsest/langchain`, generic over LangChain's two sets of types. */
import type { AdapterOptions, CacheControlOption, WithLedger } from './adapters.js';

/** Options of `contextMiddleware`. */
export interface ContextMiddlewareOptions extends AdapterOptions, CacheControlOption {}

/** The type of `contextMiddleware`. */
export type MakeContextMiddleware<Middleware> =
  /**
   * Creates a middleware for LangChain's `createAgent` that sends each conversation as its own `ContextView` projects it, and compresses it if due
   * when `compression` is set. The agent's state, and so what a checkpointer stores, keeps every message unchanged.
   *
   * One object serves any number of agents, threads and sub-graphs at once: the first messages of a request, including the system prompt, identify
   * its conversation. The provider's usage is read from the response.
   *
   * Put it last, so that it sees the changes of other middleware.
   * @throws TypeError, RangeError for an invalid option, synchronously
   */
  (options?: ContextMiddlewareOptions) => Middleware & WithLedger;
