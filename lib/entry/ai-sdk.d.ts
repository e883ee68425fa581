/** Adapter for the AI SDK (`ai` 5 to 7): requests stay inside the model's context window; the application's messages stay unchanged. */
import type { LanguageModelMiddleware, PrepareStepFunction } from 'ai';
import type { AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

/** Options of {@link middleware} and {@link prepareStep}. */
export interface AiSdkOptions extends AdapterOptions, CacheControlOption {}

/**
 * Creates a middleware for `wrapLanguageModel`: each request is projected, and compressed if configured; the messages of the run stay unchanged.
 * One serves many conversations at once.
 *
 * Calls without a result must be repaired before it runs, because the SDK throws before any middleware. `prepareStep` does that.
 * @throws TypeError, RangeError for an invalid option.
 */
export function middleware(options?: AiSdkOptions): LanguageModelMiddleware & WithLedger;

/**
 * Creates a `prepareStep` for `generateText`, `streamText` and agents: answers interrupted calls, and projects each step's messages as
 * {@link middleware} does. Use it instead of the middleware; with both, each message is still decided only once.
 * @throws TypeError, RangeError for an invalid option.
 */
export function prepareStep(options?: AiSdkOptions): PrepareStepFunction<any> & WithLedger;
