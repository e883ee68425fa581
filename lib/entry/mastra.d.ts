import type { HostAbortSignal } from '../../index.js';
import type { AdapterLedger, AdapterOptions, CacheControlOption } from './types/adapters.js';
import type { ContextViews } from './types/view.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

/** Options of {@link ContextProcessor}. */
export interface ContextProcessorOptions extends AdapterOptions, CacheControlOption {}

/** What Mastra gives to `processLLMRequest`, as far as it is read. */
export interface MastraRequest<TPrompt> {
  prompt: TPrompt;
  steps: readonly { usage?: object }[];
  state: object;
  abortSignal?: HostAbortSignal | undefined;
  model?: unknown;
}

/** What Mastra gives to `processAPIError`, as far as it is read. */
export interface MastraError {
  error: unknown;
  state: object;
}

/** What Mastra gives to `processOutputResult`, as far as it is read. */
export interface MastraResult<TMessageList> {
  result: { steps: readonly { usage?: object }[] };
  state: object;
  messageList: TMessageList;
}

/**
 * A processor for Mastra's agents: the model is sent each conversation as a `ContextView` of its own sends it, and with
 * `compression` compressed where that is due. Messages and memory keep everything.
 *
 * One object serves any number of agents, threads and runs at once: a conversation is found by the messages that it begins
 * with, the instructions included. What the provider reports of a step is read back with the next one.
 *
 * Put it last among the `inputProcessors`. Among the `outputProcessors`, too, it reads back what is reported of the last step
 * of a run, which matters where the host runs the tools and each run has but one.
 */
export class ContextProcessor {
  /** @throws TypeError, RangeError for wrong options */
  constructor(options?: ContextProcessorOptions);
  readonly id: 'palimpsest';
  readonly name: string;
  /** What all requests have cost, those of forgotten conversations included. */
  ledger(): AdapterLedger;
  /** Its conversations: `plan()`, `ledger()` and `contextPicture` of each. */
  readonly views: ContextViews;
  processLLMRequest<TPrompt>(request: MastraRequest<TPrompt>): Promise<{ prompt: TPrompt }>;
  /** Reads an error that says how large the model's window is. Never asks for another try. */
  processAPIError(failed: MastraError): void;
  processOutputResult<TMessageList>(run: MastraResult<TMessageList>): TMessageList;
}
