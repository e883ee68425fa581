/**
 * The archive of compressed messages: a file that keeps the messages that compression and truncation remove, so that the application can restore
 * and search them and the agent can look them up.
 */

import type { HostAbortSignal } from '../../../index.js';
import type { ArchiveStore, StoreCallOptions } from './archive-store.js';
import type { FactStore } from './fact-store.js';

declare global {
  // Declared as in Node's own types, because compilers without `esnext.disposable` don't have it.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Location of an archive, and how it is opened. */
export interface SessionArchiveOptions {
  /** Path of the file; relative to the working directory at construction. Its folder must exist. */
  path: string;
  /** How long a call waits for a write of another process or thread. Default 5 000 ms. */
  busyTimeoutMs?: number | null | undefined;
  /** Timeout of a search, after which it fails with `ARCHIVE_TIMEOUT`. 1 or more; default 2 000 ms. */
  searchTimeoutMs?: number | null | undefined;
  /**
   * Accepts a file that another user owns, that others may read or write, or that is a link. Default false: such a file fails with
   * `ARCHIVE_NOT_PRIVATE`. Not checked on Windows.
   */
  allowSharedFile?: boolean | null | undefined;
}

/** The messages that one compression or truncation removes from a conversation. */
export interface ArchiveBatch {
  /** Unique within its session: the id that the summary or notice refers to. */
  id: string;
  kind: 'summary' | 'truncation';
  /** Number of compression levels nested in it: 0 or more. */
  level: number;
  /** When the messages were removed, ms since the epoch. */
  at: number;
  /** Stored as `JSON.stringify` writes each message, and returned as `JSON.parse` reads it. */
  messages: readonly unknown[];
  /** The text that replaces the messages. */
  summary?: string | null | undefined;
}

/** A batch as returned by {@link ArchiveStore.getMany} and {@link SessionArchive.restore}. */
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

/** Totals of one session. Times are those of its batches, ms since the epoch. */
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
  /** Searches only this session. Default: all. */
  sessionId?: string | null | undefined;
  /** Maximum number of hits, 0 to 1 000. Default 20. */
  limit?: number | null | undefined;
  /** Number of hits to skip. Default 0. */
  offset?: number | null | undefined;
  /** Number of characters on each side of the match in a snippet. Default 60. */
  context?: number | null | undefined;
  signal?: HostAbortSignal | null | undefined;
}

/** A message that matches a search. */
export interface ArchiveHit<T = unknown> {
  sessionId: string;
  batchId: string;
  /** The message's index in the batch. */
  index: number;
  /** The message's, or its speaker's (`tool` for a `function_call_output`); empty if it has neither. */
  role: string;
  /** When its batch was removed from the conversation, ms since the epoch. */
  at: number;
  /** The first match with at most `context` characters on each side; `…` marks omitted text. */
  snippet: string;
  message: T;
}

/** Size of an archive. */
export interface ArchiveStats {
  sessions: number;
  batches: number;
  messages: number;
  /** Bytes of the messages as JSON. */
  originalBytes: number;
  /** Bytes on disk, including the write-ahead log. */
  fileBytes: number;
}

/** Options of {@link lookupTool}. */
export interface LookupToolOptions {
  /** The only session to read. Required unless `allSessions` is set. */
  sessionId?: string | null | undefined;
  /**
   * Lets the model read every session of the file, instead of `sessionId`. Use it only if everyone who talks to the model may read all of them.
   * Search results then name each message's session. Default `false`.
   */
  allSessions?: boolean | null | undefined;
  /** Default `'lookup_compressed_history'`. */
  name?: string | null | undefined;
  /** Language of the texts for the model. `'auto'` (default): the user's language in `messages`; English without messages. */
  language?: 'auto' | 'zh' | 'en' | null | undefined;
  /** The conversation, to detect its language. */
  messages?: readonly unknown[] | null | undefined;
  /** Maximum number of messages per tool result, 1 to 100. Default 5. */
  maxResults?: number | null | undefined;
  /** Maximum length of a tool result in `o200k_base` tokens, 100 or more. Default 2 000. */
  maxTokens?: number | null | undefined;
}

/** The parameters of a tool, as JSON Schema. */
export interface ToolParameters {
  type: 'object';
  properties: Record<string, { type: string; description: string; minimum?: number; maximum?: number }>;
  additionalProperties: false;
}

/** A tool with which a model looks up compressed messages. */
export interface LookupTool {
  name: string;
  /** In OpenAI's format. */
  definition: {
    type: 'function';
    function: { name: string; description: string; parameters: ToolParameters };
  };
  /** In Anthropic's format. */
  anthropicDefinition: { name: string; description: string; input_schema: ToolParameters };
  /**
   * Handles a call. Takes the model's arguments as an object or as JSON text. Never rejects: invalid arguments and an unreadable archive return a
   * sentence for the model.
   */
  handler(args: unknown): Promise<string>;
}

/** The stable code of an {@link ArchiveError}. */
export type ArchiveErrorCode =
  /** The file is damaged, or a row differs from what was stored. The file is not changed. */
  | 'ARCHIVE_CORRUPT'
  /** The file is not a database. It is not changed. */
  | 'ARCHIVE_NOT_A_DATABASE'
  /** The file is another application's database. It is not changed. */
  | 'ARCHIVE_FOREIGN'
  /** The file has tables, triggers or views that an archive has not. It is not changed, and none of them is executed. */
  | 'ARCHIVE_SCHEMA'
  /** The file is a link, belongs to another user, or is readable by others. See `allowSharedFile`. */
  | 'ARCHIVE_NOT_PRIVATE'
  /** The file was written by a newer version of this package. */
  | 'ARCHIVE_NEWER_VERSION'
  /** Another process or thread locked the file for longer than `busyTimeoutMs`. */
  | 'ARCHIVE_BUSY'
  /** The disk is full; nothing was written. */
  | 'ARCHIVE_FULL'
  /** The file or its folder is not writable. It can still be read. */
  | 'ARCHIVE_READ_ONLY'
  /** Any other I/O error, such as a missing folder. */
  | 'ARCHIVE_IO'
  /** A search took longer than `searchTimeoutMs`. */
  | 'ARCHIVE_TIMEOUT'
  /** Different content is stored under that id; nothing was written. */
  | 'ARCHIVE_CONFLICT'
  /** Nothing is stored under that id. */
  | 'ARCHIVE_NOT_FOUND'
  /** The archive was closed. */
  | 'ARCHIVE_CLOSED';

/** An archive operation failed. The message states what was expected and what was found; it never contains archived content. */
export class ArchiveError extends Error {
  constructor(code: ArchiveErrorCode, message: string, options: { path: string; cause?: unknown });
  readonly code: ArchiveErrorCode;
  /** The archive's file; for another store its name, such as `postgres:palimpsest`. */
  readonly path: string;
}

/**
 * Keeps the original messages of compressed conversations in one SQLite file. The constructor does no I/O; the first call opens the file, or
 * creates it (readable only by its owner) if it is missing or empty.
 *
 * File I/O runs on other threads. Conversion to and from JSON runs on the calling thread: about 10 ms per megabyte. The writes of an archive are
 * sequential; a read sees all earlier writes, and no write waits for a read. A read-only file can be read. Several archives, in several threads and
 * processes, may share a file. Once a promise resolves, its write survives a crash of the process and of the machine. A message that JSON can't
 * represent (`undefined`, a function, a cycle, a BigInt) is a TypeError before anything is written.
 *
 * Every method rejects with `TypeError` or `RangeError` for an invalid argument, otherwise with {@link ArchiveError}.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a declaration, whose class has the methods
export class SessionArchive {
  /** @throws TypeError, RangeError for an invalid argument. */
  constructor(place: string | SessionArchiveOptions);
  /** Absolute path of the file. */
  readonly path: string;
  /** All batches of a session, of every level, in the order in which they were appended; none for an unknown session. */
  restore<T = unknown>(sessionId: string): Promise<{ sessionId: string; batches: RestoredBatch<T>[] }>;
  /**
   * Finds the messages that contain every word of `query`, best match first, the newest first among equals. A phrase in double quotes counts as one
   * word; there is no other query syntax. Case-insensitive; words of one character are found too. Limits: 1 000 characters and 32 words
   * (RangeError), and `searchTimeoutMs`. A query without words finds nothing. With more than 5 000 matches, or 32 MB of them, only the newest are
   * ranked, and come before the rest.
   */
  search<T = unknown>(query: string, options?: ArchiveSearchOptions | null): Promise<ArchiveHit<T>[]>;
  /** The size of the archive. */
  stats(): Promise<ArchiveStats>;
  /**
   * Deletes everything kept of a session, including the facts of the conversation with its name. The file keeps its size; the space is reused.
   * `erased` is true if no trace is left in the file and its write-ahead log. It is false while another reader is active; delete again later.
   */
  delete(
    sessionId: string,
    options?: StoreCallOptions | null,
  ): Promise<{ batches: number; messages: number; erased: boolean }>;
  /** Closes the file after all earlier calls. Later calls fail with `ARCHIVE_CLOSED`; closing again has no effect. */
  close(): Promise<void>;
  /** As {@link close}, for `await using`. Exists from Node.js 20.4 on. */
  [Symbol.asyncDispose](): Promise<void>;
  /** A tool for the agent's model: its definition, and the handler that answers its calls. */
  lookupTool(options: LookupToolOptions): LookupTool;
}
export interface SessionArchive extends ArchiveStore, FactStore {}
