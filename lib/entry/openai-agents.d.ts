/** OpenAI's Agents SDK: what goes to the model is kept inside its window, what the application keeps stays as it is. */
import type { Agent, AgentInputItem, CallModelInputFilter, Runner, Session } from '@openai/agents';
import type { ArchiveStore, OriginalsSource, ViewCompression } from '../../index.js';
import type { AdapterOptions, WithLedger } from './types/adapters.js';

export type { AdapterEvent, AdapterLedger, AdapterOptions, WithLedger } from './types/adapters.js';

/** What {@link modelInputFilter} gives. */
export interface ModelInputFilter extends CallModelInputFilter<any>, WithLedger {
  preserveInputIdentity: true;
  /**
   * Reads back what the provider says of each request; the SDK tells it to listeners only. Once for each runner, or for an
   * agent that `run()` is called with. Without it the view goes by its own account of the cache.
   * @returns ends it
   */
  observe(source: Runner | Agent<any, any>): () => void;
}

/**
 * For `callModelInputFilter`, of a runner or of one run: each request is sent as the view of its conversation projects it.
 * Instructions, the run's items and what a session stores of them stay as they are. One serves many runs at once.
 *
 * Of the input of a run with a session the SDK stores what a filter has made of it: give a history by the session, not as input.
 *
 * Conversations that the provider keeps (`conversationId`, `previousResponseId`) are left alone: it is sent what is new.
 * @throws TypeError, RangeError for a wrong option.
 */
export function modelInputFilter(options?: AdapterOptions): ModelInputFilter;

/** Options of {@link ArchivingSession}. */
export interface ArchivingSessionOptions {
  /** Of the session in the archive, too. */
  sessionId: string;
  archive: Pick<ArchiveStore, 'append' | 'delete'> & OriginalsSource;
  compression: Omit<ViewCompression, 'archive' | 'sessionId' | 'dialect'>;
  /** What `exportItems()` gave, or any items. */
  initialItems?: readonly AgentInputItem[] | undefined;
}

/**
 * A session that the runner has compressed when a turn is stored: from the threshold on, older items are summarised. They leave
 * only when the archive has them; where it fails, they stay. Its items are in memory, those that were compressed in the archive.
 */
export class ArchivingSession implements Session {
  /** @throws TypeError, RangeError for a wrong option. */
  constructor(options: ArchivingSessionOptions);
  getSessionId(): Promise<string>;
  /** As the model is to see them: a summary in the place of what was compressed. */
  getItems(limit?: number): Promise<AgentInputItem[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  /** The newest item, out of the archive where it was compressed. */
  popItem(): Promise<AgentInputItem | undefined>;
  /** Deletes what is in the archive, too. */
  clearSession(): Promise<void>;
  /** Compresses where that is due; with `force` in any case. Never rejects for a model or an archive that fails. */
  runCompaction(wish?: { force?: boolean }): Promise<null>;
  /** Every item that was ever added and neither popped nor cleared, those in the archive included. */
  getAllItems(): Promise<AgentInputItem[]>;
  /** The items as JSON, to be `initialItems` in another process, with the same archive. */
  exportItems(): Promise<AgentInputItem[]>;
}
