/**
 * The archive of compressed messages: a file that keeps what compression and truncation took out of conversations,
 * to be restored, searched, and looked up by the agent itself.
 */

import type { HostAbortSignal } from '../../../index.js';
import type { ArchiveStore, StoreCallOptions } from './archive-store.js';
import type { FactStore } from './fact-store.js';

declare global {
  // As Node's own types do: compilers without `esnext.disposable` don't know it.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Where an archive lies, and how it is opened. */
export interface SessionArchiveOptions {
  /** Its file; relative to the working directory at construction. Its folder must exist. */
  path: string;
  /** How long a call waits for another process's or thread's write. Default 5 000 ms. */
  busyTimeoutMs?: number | null | undefined;
  /** How long a search may take: then it is `ARCHIVE_TIMEOUT`. 1 or more; default 2 000 ms. */
  searchTimeoutMs?: number | null | undefined;
  /**
   * Takes a file that another user owns, that others may read or write, or that is a link. Default false: such a file
   * is `ARCHIVE_NOT_PRIVATE`. On Windows neither is looked at.
   */
  allowSharedFile?: boolean | null | undefined;
}

/** What one compression or truncation takes out of a conversation. */
export interface ArchiveBatch {
  /** Unique within its session: the id that a summary or a notice names. */
  id: string;
  kind: 'summary' | 'truncation';
  /** How many compressions lie within it: 0 or more. */
  level: number;
  /** When, ms since the epoch. */
  at: number;
  /** Stored as `JSON.stringify` writes each, and given back as `JSON.parse` reads that. */
  messages: readonly unknown[];
  /** What stands in the place of the messages. */
  summary?: string | null | undefined;
}

/** A batch as {@link ArchiveStore.getMany} and {@link SessionArchive.restore} give it back. */
export interface RestoredBatch<T = unknown> {
  id: string;
  kind: 'summary' | 'truncation';
  level: number;
  at: number;
  summary?: string | undefined;
  /** `messages.length`. */
  count: number;
  messages: T[];
}

/** What is kept of one session. Times are ms since the epoch, of batches. */
export interface ArchivedSession {
  sessionId: string;
  batches: number;
  messages: number;
  /** Bytes of the messages as JSON. */
  bytes: number;
  firstAt: number;
  lastAt: number;
}

/** Options of {@link ArchiveStore.search}. */
export interface ArchiveSearchOptions {
  /** Only in this session. Default: in all. */
  sessionId?: string | null | undefined;
  /** At most so many hits, 0 to 1 000. Default 20. */
  limit?: number | null | undefined;
  /** Without so many of the first. Default 0. */
  offset?: number | null | undefined;
  /** How many characters of a snippet stand on either side of the match. Default 60. */
  context?: number | null | undefined;
  signal?: HostAbortSignal | null | undefined;
}

/** A message that was found. */
export interface ArchiveHit<T = unknown> {
  sessionId: string;
  batchId: string;
  /** Its place in the batch. */
  index: number;
  /** Empty when it has none. */
  role: string;
  /** When its batch was taken out, ms since the epoch. */
  at: number;
  /** The first match, with at most `context` characters on either side; `…` where text was left out. */
  snippet: string;
  message: T;
}

/** How much an archive holds. */
export interface ArchiveStats {
  sessions: number;
  batches: number;
  messages: number;
  /** Bytes of the messages as JSON. */
  originalBytes: number;
  /** Bytes on the disk, the write-ahead log included. */
  fileBytes: number;
}

/** Options of {@link lookupTool}. */
export interface LookupToolOptions {
  /** The only session to look into. Needed, unless `allSessions` is set. */
  sessionId?: string | null | undefined;
  /**
   * Lets the model look into every session of the file, in place of `sessionId`: only where whoever talks to it may
   * read them all. Search results then name the session of each message. Default `false`.
   */
  allSessions?: boolean | null | undefined;
  /** Default `'lookup_compressed_history'`. */
  name?: string | null | undefined;
  /** Of what the model reads. `'auto'` (default): the language in which the user speaks in `messages`; English without them. */
  language?: 'auto' | 'zh' | 'en' | null | undefined;
  /** The conversation, for its language. */
  messages?: readonly unknown[] | null | undefined;
  /** The most messages in an answer, 1 to 100. Default 5. */
  maxResults?: number | null | undefined;
  /** The longest answer in `o200k_base` tokens, 100 or more. Default 2 000. */
  maxTokens?: number | null | undefined;
}

/** The parameters of a tool, as JSON Schema. */
export interface ToolParameters {
  type: 'object';
  properties: Record<string, { type: string; description: string; minimum?: number; maximum?: number }>;
  additionalProperties: false;
}

/** A tool with which a model looks up what was compressed. */
export interface LookupTool {
  name: string;
  /** In OpenAI's form. */
  definition: {
    type: 'function';
    function: { name: string; description: string; parameters: ToolParameters };
  };
  /** In Anthropic's form. */
  anthropicDefinition: { name: string; description: string; input_schema: ToolParameters };
  /**
   * Answers a call. Takes the model's arguments, as an object or as the JSON text that it wrote. Never rejects: wrong
   * arguments and an archive that can't be read are answered with a sentence for the model.
   */
  handler(args: unknown): Promise<string>;
}

/** An {@link ArchiveError}'s stable name. */
export type ArchiveErrorCode =
  /** The file is damaged, or a row of it isn't as it was stored. It is left as it is. */
  | 'ARCHIVE_CORRUPT'
  /** The file is something else than a database. It is left as it is. */
  | 'ARCHIVE_NOT_A_DATABASE'
  /** The file is another application's database. It is left as it is. */
  | 'ARCHIVE_FOREIGN'
  /** The file holds other tables, triggers or views than an archive's. It is left as it is, and nothing of it is run. */
  | 'ARCHIVE_SCHEMA'
  /** The file is a link, or another user's, or others may read it. See `allowSharedFile`. */
  | 'ARCHIVE_NOT_PRIVATE'
  /** A newer version of this package has written the file. */
  | 'ARCHIVE_NEWER_VERSION'
  /** Another process or thread kept the file locked for longer than `busyTimeoutMs`. */
  | 'ARCHIVE_BUSY'
  /** The disk is full; nothing was written. */
  | 'ARCHIVE_FULL'
  /** The file or its folder can't be written to. It can still be read. */
  | 'ARCHIVE_READ_ONLY'
  /** Anything else between the archive and the disk, such as a missing folder. */
  | 'ARCHIVE_IO'
  /** A search took longer than `searchTimeoutMs`. */
  | 'ARCHIVE_TIMEOUT'
  /** Other content is stored under that id; nothing was written. */
  | 'ARCHIVE_CONFLICT'
  /** Nothing is stored under that id. */
  | 'ARCHIVE_NOT_FOUND'
  /** The archive was closed. */
  | 'ARCHIVE_CLOSED';

/** Why an archive did not do what was asked. Says what was expected and what came; never what is archived. */
export class ArchiveError extends Error {
  constructor(code: ArchiveErrorCode, message: string, options: { path: string; cause?: unknown });
  readonly code: ArchiveErrorCode;
  /** The archive's file; of another store its name, such as `postgres:palimpsest`. */
  readonly path: string;
}

/**
 * Keeps the original messages of compressed conversations in one SQLite file. Constructing it does nothing; the first
 * call opens the file, creating it (readable for its owner only) where there is none or an empty one.
 *
 * Files are read and written on other threads; messages become JSON, and come back from it, on yours: about 10 ms per megabyte. Writes of an archive follow one another, and a read sees what was written before it;
 * no write waits for a read. A file that can't be written to is read. Several archives, in several threads and
 * processes, may share a file. What a resolved promise stands for survives a crash of the process and of the machine.
 * A message that JSON can't carry (`undefined`, a function, a cycle, a BigInt) is a TypeError, before anything is written.
 * Every method rejects with `TypeError` or `RangeError` for a wrong argument, else with {@link ArchiveError}.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a declaration, whose class has the methods
export class SessionArchive {
  /** @throws TypeError, RangeError for a wrong argument. */
  constructor(place: string | SessionArchiveOptions);
  /** Absolute. */
  readonly path: string;
  /** All batches of a session, every level, in the order of their appending; none for an unknown session. */
  restore<T = unknown>(sessionId: string): Promise<{ sessionId: string; batches: RestoredBatch<T>[] }>;
  /**
   * The messages that hold every word of `query`, best first, the newest of equals first. A phrase in double quotes is
   * one word; nothing else in a query has a meaning of its own. Case doesn't matter; words of one character are found
   * too. At most 1 000 characters and 32 words (RangeError), and `searchTimeoutMs`. A query without words finds nothing.
   * Of more than 5 000 matches, or 32 MB of them, the newest are put in order and come before the rest.
   */
  search<T = unknown>(query: string, options?: ArchiveSearchOptions | null): Promise<ArchiveHit<T>[]>;
  /** How much there is. */
  stats(): Promise<ArchiveStats>;
  /**
   * Deletes all that is kept of a session, the facts of the conversation with its name included. The file keeps its size; its space is used again. `erased`: whether nothing
   * of it is left in the file and its write-ahead log. Not while someone reads from it; delete again later then.
   */
  delete(
    sessionId: string,
    options?: StoreCallOptions | null,
  ): Promise<{ batches: number; messages: number; erased: boolean }>;
  /** Closes the file after the calls before it. Later calls are `ARCHIVE_CLOSED`; closing twice does no harm. */
  close(): Promise<void>;
  /** As {@link close}, for `await using`. There from Node.js 20.4 on. */
  [Symbol.asyncDispose](): Promise<void>;
  /** A tool for the agent's model: its definition, and the handler that answers its calls. */
  lookupTool(options: LookupToolOptions): LookupTool;
}
export interface SessionArchive extends ArchiveStore, FactStore {}
