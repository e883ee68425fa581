import type { HostAbortSignal } from '../../index.js';
import type { AdapterLedger, AdapterOptions, CacheControlOption } from './types/adapters.js';
import type { ContextViews } from './types/view.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, CacheControlOption, WithLedger } from './types/adapters.js';

/** Options of {@link ContextProcessor}. */
export interface ContextProcessorOptions extends AdapterOptions, CacheControlOption {}

/** The part of Mastra's argument of `processLLMRequest` that is read. */
export interface MastraRequest<TPrompt> {
  prompt: TPrompt;
  steps: readonly { usage?: object }[];
  state: object;
  abortSignal?: HostAbortSignal | undefined;
  model?: unknown;
}

/** The part of Mastra's argument of `processAPIError` that is read. */
export interface MastraError {
  error: unknown;
  state: object;
}

/** The part of Mastra's argument of `processOutputResult` that is read. */
export interface MastraResult<TMessageList> {
  result: { steps: readonly { usage?: object }[] };
  state: object;
  messageList: TMessageList;
}

/**
 * A processor for Mastra's agents that sends each conversation as its own `ContextView` projects it. With the option `compression` it also compresses
 * conversations that need it. Messages and memory keep everything.
 *
 * One object serves any number of agents, threads and runs at once: the first messages of a request, including the instructions, identify its
 * conversation. The provider's usage of a step is read at the next step.
 *
 * Put it last in `inputProcessors`. Put it in `outputProcessors`, too, to read the usage of a run's last step; this matters if the application runs
 * the tools and each run has only one step.
 */
export class ContextProcessor {
  /** @throws TypeError, RangeError for invalid options */
  constructor(options?: ContextProcessorOptions);
  readonly id: 'palimpsest';
  readonly name: string;
  /** The costs of all requests, including those of dropped conversations. */
  ledger(): AdapterLedger;
  /** The conversations: `plan()`, `ledger()` and `contextPicture` of each. */
  readonly views: ContextViews;
  processLLMRequest<TPrompt>(request: MastraRequest<TPrompt>): Promise<{ prompt: TPrompt }>;
  /** Reads the context window's size from an error. Never requests a retry. */
  processAPIError(failed: MastraError): void;
  processOutputResult<TMessageList>(run: MastraResult<TMessageList>): TMessageList;
}
