/** Adapter for OpenAI's Agents SDK: requests stay inside the model's context window; the application's items stay unchanged. */
import type { Agent, AgentInputItem, CallModelInputFilter, Runner, Session } from '@openai/agents';
import type { ArchiveStore, OriginalsSource, ViewCompression } from '../../index.js';
import type { AdapterOptions, WithLedger } from './types/adapters.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, WithLedger } from './types/adapters.js';

/** The return type of {@link modelInputFilter}. */
export interface ModelInputFilter extends CallModelInputFilter<any>, WithLedger {
  preserveInputIdentity: true;
  /**
   * Reads the provider's usage of each request, which the SDK passes to listeners only. Call it once per runner, or per agent passed to `run()`.
   * Without it the view relies on its own estimate of the cache.
   * @returns a function that unsubscribes
   */
  observe(source: Runner | Agent<any, any>): () => void;
}

/**
 * Creates a `callModelInputFilter` for a runner or a run: each request is sent as the view of its conversation projects it. Instructions, the run's
 * items and the items that a session stores stay unchanged. One serves many runs at once.
 *
 * If a run has a session, the SDK stores the run's input as the filter changed it: pass earlier history through the session, not as input.
 *
 * Conversations kept by the provider (`conversationId`, `previousResponseId`) are not changed, because their requests contain only new items.
 * @throws TypeError, RangeError for an invalid option.
 */
export function modelInputFilter(options?: AdapterOptions): ModelInputFilter;

/** Options of {@link ArchivingSession}. */
export interface ArchivingSessionOptions {
  /** Also the session's name in the archive. */
  sessionId: string;
  archive: Pick<ArchiveStore, 'append' | 'delete'> & OriginalsSource;
  compression: Omit<ViewCompression, 'archive' | 'sessionId' | 'dialect'>;
  /** The return value of `exportItems()`, or any items. */
  initialItems?: readonly AgentInputItem[] | undefined;
}

/**
 * A session that compresses when the runner stores a turn: above the threshold, older items are summarised. They are removed only after the archive
 * has stored them; if it fails, they stay. Current items are in memory, compressed ones in the archive.
 */
export class ArchivingSession implements Session {
  /** @throws TypeError, RangeError for an invalid option. */
  constructor(options: ArchivingSessionOptions);
  getSessionId(): Promise<string>;
  /** The items for the model: summaries replace compressed items. */
  getItems(limit?: number): Promise<AgentInputItem[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  /** Removes and returns the newest item, from the archive if it was compressed. */
  popItem(): Promise<AgentInputItem | undefined>;
  /** Deletes the items, including those in the archive. */
  clearSession(): Promise<void>;
  /** Compresses if due; with `force` in any case. Never rejects because a model or an archive fails. */
  runCompaction(wish?: { force?: boolean }): Promise<null>;
  /** Every item ever added and neither popped nor cleared, including those in the archive. */
  getAllItems(): Promise<AgentInputItem[]>;
  /** The items as JSON, to pass as `initialItems` in another process with the same archive. */
  exportItems(): Promise<AgentInputItem[]>;
}
