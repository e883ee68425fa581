/** The AI SDK (`ai` 5 to 7): what goes to the model is kept inside its window, what the application keeps stays as it is. */
import type { LanguageModelMiddleware, PrepareStepFunction } from 'ai';
import type { AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

/** Options of {@link middleware} and {@link prepareStep}. */
export interface AiSdkOptions extends AdapterOptions, CacheControlOption {}

/**
 * Middleware for `wrapLanguageModel`: each request is projected, and compressed where that is configured; the messages of the
 * run stay as they are. One serves many conversations at once.
 *
 * Calls without a result have to be repaired before: the SDK throws before any middleware runs. `prepareStep` does.
 * @throws TypeError, RangeError for a wrong option.
 */
export function middleware(options?: AiSdkOptions): LanguageModelMiddleware & WithLedger;

/**
 * The `prepareStep` of `generateText`, `streamText` and agents: answers interrupted calls, and projects each step's messages
 * as {@link middleware} does. To be used instead of it; with both, each message is still sent as decided once.
 * @throws TypeError, RangeError for a wrong option.
 */
export function prepareStep(options?: AiSdkOptions): PrepareStepFunction<any> & WithLedger;
