/**
 * Long conversations: {@link AutoCompressionManager} summarises history before the context window is full, and cuts it if that is not enough;
 * {@link expandHistory} restores the originals. docs/compression.md describes the decisions and their numbers.
 */

import type {
  AgentMessage,
  DialectOption,
  FieldsFirstLogger,
  HostAbortSignal,
  Logger,
  LogOptions,
} from '../../../index.js';
import type { ArchiveBatch } from './archive.js';

// ---- Configuration

/** The settings by flat name. They are read at each call; an invalid value logs a warning and its default applies. */
export interface AutoCompressionSettings {
  /** False turns everything off, including truncation. Default true. */
  autoCompressionEnabled?: boolean | null | undefined;
  /** The share of the context window above which history is summarised, above 0, at most 1. Default 0.8. */
  autoCompressionThreshold?: number | null | undefined;
  /** How many of the newest messages stay; more if that would separate a tool call from its results. Default 10. */
  autoCompressionKeepRecentCount?: number | null | undefined;
  /** The maximum length of a summary in tokens. Default 1,000. */
  autoCompressionSummaryMaxTokens?: number | null | undefined;
  /** The model that writes summaries. No default: without it history is not summarised, only cut at the hard limit. */
  autoCompressionSummaryModel?: string | null | undefined;
  /** Timeout of one call of the summary model, ms. Default 30,000. */
  autoCompressionSummaryTimeoutMs?: number | null | undefined;
  /**
   * Timeout of all calls for one compression together, ms; a history summarised in parts takes several. After it, nothing is applied. Default
   * 120,000.
   */
  autoCompressionTotalTimeoutMs?: number | null | undefined;
  /**
   * The summary model's own context window; longer histories are summarised in parts. Default: as its provider publishes, else `maxContextTokens`.
   */
  autoCompressionSummaryContextTokens?: number | null | undefined;
  /** The context window of the conversation's model. Default: as its provider publishes; 128,000 for an unknown model. */
  maxContextTokens?: number | null | undefined;
  /** The share of the context window above which history is cut, above 0, at most 1. Default 0.95. */
  hardLimitThreshold?: number | null | undefined;
}

/** The settings by their names in the section `conversation.autoCompression`. A flat name wins. */
export interface NestedAutoCompressionSettings {
  /** `autoCompressionEnabled`. Default true. */
  enabled?: boolean | null | undefined;
  /** `autoCompressionThreshold`. Default 0.8. */
  threshold?: number | null | undefined;
  /** `autoCompressionKeepRecentCount`. Default 10. */
  keepRecentCount?: number | null | undefined;
  /** `autoCompressionSummaryMaxTokens`. Default 1,000. */
  summaryMaxTokens?: number | null | undefined;
  /** `autoCompressionSummaryModel`. No default. */
  summaryModel?: string | null | undefined;
  /** `autoCompressionSummaryTimeoutMs`. Default 30,000. */
  summaryTimeout?: number | null | undefined;
  /** `autoCompressionTotalTimeoutMs`. Default 120,000. */
  totalTimeout?: number | null | undefined;
  /** `autoCompressionSummaryContextTokens`. Default: `contextLimit.maxTokens`. */
  summaryContextTokens?: number | null | undefined;
  contextLimit?: ContextLimitSettings | null | undefined;
}

/** The context window of the conversation's model, inside a section or next to it. */
export interface ContextLimitSettings {
  /** `maxContextTokens`. Default: the model's window. */
  maxTokens?: number | null | undefined;
  /** `hardLimitThreshold`. Default 0.95. */
  hardLimitThreshold?: number | null | undefined;
}

/** A section of settings; `false` turns everything off. */
type Section = NestedAutoCompressionSettings | boolean | null | undefined;

/**
 * An object with the settings: flat names, or a section by itself or in `conversation`. The context limit may be inside the section or next to it.
 */
export interface AutoCompressionConfig extends AutoCompressionSettings {
  conversation?:
    | { autoCompression?: Section; contextLimit?: ContextLimitSettings | null | undefined }
    | null
    | undefined;
  'conversation.autoCompression'?: Section;
  autoCompression?: Section;
  contextLimit?: ContextLimitSettings | null | undefined;
}

/**
 * Where the settings come from: a function of the key, a function that ignores the key and returns all settings, an object with `get(key)`, an
 * object with the settings, or the section itself. Queried keys: the flat names, `conversation.autoCompression`, `autoCompression`, `conversation`
 * and `contextLimit`. For one setting the flat name wins, then `conversation.autoCompression`, then `autoCompression`; for the window
 * `conversation.contextLimit`, then `contextLimit`. If a query throws or returns a promise, one `setting_unreadable` event is emitted and the
 * default applies.
 */
export type ConfigService =
  | ((key: string) => unknown)
  | { get(key: string): unknown }
  | AutoCompressionConfig
  | NestedAutoCompressionSettings;

// ---- The model that summarises

/**
 * A request to the summary model. `model`, `messages`, the limit and the temperature have the names of OpenAI's chat API, so a client may pass the
 * object on. All other properties are readable but not enumerable, because a strict provider would reject them.
 */
export interface SummaryRequest {
  /**
   * The model to use. The record names it as the summary's author only if the client reads this property. Absent if the manager has no
   * configuration and no model was set: the client uses its own.
   */
  model: string;
  messages: { role: 'system' | 'user'; content: string }[];
  /** Undefined after the endpoint has rejected any limit. */
  maxTokens: number;
  /** Equal to `maxTokens`. Not enumerable for models that only accept `max_completion_tokens`. */
  max_tokens: number;
  /** Equal to `maxTokens`; present only for models that accept `max_completion_tokens` alone. */
  max_completion_tokens?: number;
  /** 0. Undefined for models without a temperature, and after the endpoint has rejected it. */
  temperature: number;
  /** Aborted when the application aborts, and on timeout. */
  signal: HostAbortSignal;
  /** Equal to `signal`, under the name that other clients use. */
  abortSignal: HostAbortSignal;
}

/** The message of a response: OpenAI's, or Anthropic's content blocks. */
export interface SummaryAnswerMessage {
  content?: string | readonly unknown[] | null | undefined;
  /** A response with tool calls is not accepted as a summary. */
  tool_calls?: readonly unknown[] | null | undefined;
  /** A refusal is not accepted as a summary. */
  refusal?: string | null | undefined;
}

/** A response that is the message itself: Anthropic's, or that of `HttpLlmClient`. */
export interface SummaryAnswerObject extends SummaryAnswerMessage {
  content: string | readonly unknown[] | null | undefined;
  finishReason?: string | null | undefined;
  finish_reason?: string | null | undefined;
  stop_reason?: string | null | undefined;
  usage?: object | null | undefined;
  /** The model that wrote it; stored in the record. */
  model?: string | null | undefined;
}

/** An OpenAI completion; only the first choice is read. */
export interface SummaryCompletion {
  choices: readonly { message?: SummaryAnswerMessage | null | undefined; finish_reason?: string | null | undefined }[];
  usage?: object | null | undefined;
  /** The model that wrote it; stored in the record. */
  model?: string | null | undefined;
}

/** The responses that a client may return. */
export type SummaryAnswer = string | SummaryAnswerObject | SummaryCompletion;

/**
 * The client that calls the summary model: your own, an `HttpLlmClient`, or an unmodified client of the OpenAI or Anthropic SDK. A rejection, a
 * throw or an unusable response leaves the history unchanged. If an object has both methods, `chat` is called.
 */
export type LlmClient =
  | { chat: { completions: { create(body: any, options?: any): PromiseLike<unknown> } } }
  | { messages: { create(body: any, options?: any): PromiseLike<unknown> } }
  | SummaryFunction
  | { chat(request: SummaryRequest): SummaryAnswer | PromiseLike<SummaryAnswer> }
  // Every function has a `call` method.
  | { call(request: SummaryRequest): SummaryAnswer | PromiseLike<SummaryAnswer>; apply?: never };

/** A client that is a function. */
export interface SummaryFunction {
  (request: SummaryRequest): SummaryAnswer | PromiseLike<SummaryAnswer>;
  /** Inherited by every function. With its usual signature, the parameter of a client's `call` could not be inferred. */
  readonly call: object;
}

/** A section that a summary must have. */
export interface SummarySection {
  /** The name in events and in the repair prompt. */
  name: string;
  /** Beginnings of headings that open this section, case-insensitive; one match is enough. */
  headings: string[];
}

/**
 * The texts that request a summary. Slots: `{history}`, `{previous}`, `{instructions}`, `{length}` (the target, 70 % of the limit) and
 * `{max_length}` in words and tokens, `{max_tokens}`, `{boundary}`; in `repair` also `{summary}` and `{missing}`. Inserted text is quoted and taken
 * literally.
 */
export interface SummaryPrompt {
  /** The system message. */
  system: string;
  /** The user message. */
  user: string;
  /** The user message that requests missing sections, once. */
  repair: string;
  sections: SummarySection[];
}

/** The built-in prompt. @throws RangeError for another language. */
export function defaultSummaryPrompt(language: 'zh' | 'en'): SummaryPrompt;

// ---- The manager

/** The part of an {@link ArchiveStore} that a manager needs. */
export interface OriginalsSink {
  append(sessionId: string, batch: ArchiveBatch): PromiseLike<unknown>;
}

/** The part of an {@link ArchiveStore} that {@link expandHistory} needs. */
export interface OriginalsSource {
  get(sessionId: string, id: string): PromiseLike<readonly unknown[]>;
  /** Optional: reads up to 32 batches per call. Unknown ids are omitted. */
  getMany?(
    sessionId: string,
    ids: readonly string[],
  ): PromiseLike<readonly { id: string; messages: readonly unknown[] }[]>;
}

/** Options of {@link AutoCompressionManager}. */
export interface AutoCompressionOptions extends DialectOption {
  /**
   * The conversation's own model, for token counts and the context window. Default: `o200k_base`, and the window of the model that the newest
   * assistant message names.
   */
  model?: string | null | undefined;
  /** Tool definitions of every request, which take part of the window; or a function that returns them. */
  tools?: readonly unknown[] | (() => readonly unknown[] | null | undefined) | null | undefined;
  /** Language of prompt, digest and notices. Default: the language of the user's messages. */
  language?: 'zh' | 'en' | null | undefined;
  /** Replaces the built-in texts. With your own `system` or `user` text but no `sections`, no section is checked. */
  prompt?:
    | ({
        [text in 'system' | 'user' | 'repair']?: string | null | undefined;
      } & {
        sections?: readonly { name: string; headings?: readonly string[] | null | undefined }[] | null | undefined;
      })
    | null
    | undefined;
  /** Selects messages to repeat verbatim before a summary, such as rules and todos. Default: none. */
  pin?: ((message: any) => boolean) | null | undefined;
  /** Stores the originals. Needs `sessionId`. Default: they stay in the message array. */
  archive?: OriginalsSink | null | undefined;
  /**
   * The conversation's name in the archive, the same after every restart; no message can name another. Required with `archive` (TypeError without
   * it); a manager with an archive serves one conversation.
   */
  sessionId?: string | null | undefined;
  /** The first listener; see {@link AutoCompressionManager.onEvent}. */
  onEvent?: ((event: CompressionEvent) => void) | null | undefined;
  /** Added to every log entry and event, such as `{ agentId }`. */
  logFields?: Readonly<Record<string, unknown>> | null | undefined;
  /** The order of the logger's arguments. Default: detected from the logger. */
  logStyle?: LogOptions['logStyle'] | undefined;
}

/** Options of {@link AutoCompressionManager.process}. */
export interface ProcessOptions {
  /** Aborts; the history stays unchanged. */
  signal?: HostAbortSignal | null | undefined;
  /** Ms since the epoch. Default `Date.now()`. */
  now?: number | null | undefined;
  /** The context window of the next request's model, at least 100 tokens. Wins over the configured value. */
  maxContextTokens?: number | null | undefined;
  /** The next request's model, for its context window. Default: `options.model` of the manager. */
  model?: string | null | undefined;
}

/** Options of {@link AutoCompressionManager.compress}. */
export interface CompressOptions extends Omit<ProcessOptions, 'maxContextTokens' | 'model'> {
  /** A summary that the agent wrote itself: no model is called. */
  summary?: string | null | undefined;
  /** Extra instructions for the summary model, such as what it must not omit. */
  instructions?: string | null | undefined;
}

/** The usage of one call of the summary model. */
export interface SummaryUsage {
  /** The model named in the response, else the requested one; empty if neither is known. */
  model: string;
  /** Tokens of the whole prompt, including those read from a cache. */
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** True if a figure is our own count, because the provider reported none or did not respond in time. */
  isEstimated: boolean;
}

/** The source of the context window's size. Later ones in this list take precedence. */
export type WindowSource = 'guess' | 'model' | 'configured' | 'provider';

/** The outcome of one call for a conversation. */
export interface CompressionOutcome {
  /** `cut` also if a summary was made and was not enough; `reason` is null then. */
  did: 'nothing' | 'summarised' | 'cut';
  /**
   * Why there is no summary; null if there is one. `below_threshold`, `disabled`, `not_configured` (a view without `compression`), `side_request`,
   * `aborted`, `discarded`, a reason of {@link SkippedEvent}, a {@link SummaryRefusal}, `summary_failed`, or `failed`.
   */
  reason: string | null;
  /** With `summary_failed` and `failed`: the error's code, status or name. */
  code: string | null;
  /** With `summary_failed`: the provider's error type, such as `invalid_request_error`. */
  errorClass: string | null;
  /** With `summary_failed`: the HTTP status, if the error has one. */
  status: number | null;
  /** With `failed`: the mistake in an argument. */
  problem: string | null;
  /** Tokens in the window before and after; also with `disabled`. 0 if the conversation was not examined. */
  tokensBefore: number;
  tokensAfter: number;
  /** True if the remaining history exceeds the hard limit. */
  isOverLimit: boolean;
  /** Null if the conversation was not examined. */
  windowTokens: number | null;
  windowSource: WindowSource | null;
  /** One entry for each call of the summary model that may have been billed. */
  summaryUsage: SummaryUsage[];
}

/** The result of {@link AutoCompressionManager.compress}. */
export interface CompressionResult {
  compressed: boolean;
  /**
   * Why history was not compressed; null if it was. `no_summary_model`, `nothing_between`, `only_earlier_summary`, `all_pinned`, `aborted`,
   * `discarded`, a {@link SummaryRefusal}, `timeout`, `too_long`, or the code of the client's error.
   */
  reason: string | null;
  beforeCount: number;
  afterCount: number;
  tokensBefore: number;
  tokensAfter: number;
}

/** Why a response is not accepted as a summary. */
export type SummaryRefusal =
  | 'empty'
  | 'blank'
  | 'not_text'
  | 'tool_call'
  | 'refusal'
  | 'error_text'
  | 'cut_off'
  | 'not_smaller'
  | 'reasoning_only'
  | 'too_little';

/** Counters of a manager since it was made; times in ms. Reasons and codes that occurred have their own counters. */
export interface CompressionStats {
  /** Conversations examined. */
  processed: number;
  /** Conversations above the threshold or the hard limit. */
  triggered: number;
  compressed: number;
  truncated: number;
  /** Messages shortened at the hard limit. */
  shortened: number;
  aborted: number;
  /** Summaries discarded because the history had changed in the meantime. */
  discarded: number;
  /** Summaries with missing sections that were requested again. */
  repaired: number;
  breakerOpened: number;
  llmCalls: number;
  llmMs: number;
  llmPromptTokens: number;
  llmCompletionTokens: number;
  tokensSaved: number;
  messagesCompressed: number;
  messagesDropped: number;
  refused: number;
  skipped: number;
  failed: number;
  [reason: `${'refused' | 'skipped' | 'failed'}.${string}`]: number;
}

/**
 * Keeps a conversation inside the model's context window: summarises history before the window is full, and cuts it if that is not enough. One
 * instance per application or per conversation; a manager retains no messages.
 */
export class AutoCompressionManager {
  /**
   * @param logger receives this manager's events. Default: the logger of `setLogger`.
   * @throws TypeError, RangeError for an invalid argument.
   */
  constructor(
    configService: ConfigService,
    llmClient: LlmClient,
    logger: FieldsFirstLogger,
    options: AutoCompressionOptions & { logStyle: 'fields-first' },
  );
  constructor(
    configService: ConfigService,
    llmClient: LlmClient,
    logger?: Logger | null,
    options?: AutoCompressionOptions | null,
  );
  /**
   * For clients that know their own model: it writes the summaries unless `options.config` names another. The window is the one passed to
   * `process`.
   */
  constructor(
    llmClient: LlmClient,
    logger?: Logger | null,
    options?: (AutoCompressionOptions & { config?: ConfigService | null | undefined }) | null,
  );
  /**
   * Call it before each request and save the array afterwards. If the window is too full, it replaces slots of `messages` in one step, with
   * {@link CompressedMessage}s and copies; message objects are never written to. Never rejects; after any failure the array is unchanged.
   * @param conversation the array, or an object that has it as `messages`
   * @param options or the context window of the next request's model
   */
  process<T extends AgentMessage>(
    conversation: T[] | { messages: T[] },
    options?: ProcessOptions | number | null,
  ): Promise<void>;
  /** The outcome of the conversation's last compression, automatic or manual; null if there was none. */
  outcomeOf(conversation: readonly unknown[] | { messages: readonly unknown[] }): CompressionOutcome | null;
  /**
   * Reads an error of the conversation's own model. If it reports the context window's size, that size applies from then on, overriding the
   * configuration, and is returned; otherwise null.
   */
  noteOverflow(error: unknown, options?: { model?: string | null | undefined } | null): number | null;
  /**
   * Summarises now, however full the window is: for an application's own command or tool. Rejects with TypeError or RangeError for an invalid
   * argument; every other failure is a `reason`.
   */
  compress<T extends AgentMessage>(
    conversation: T[] | { messages: T[] },
    options?: CompressOptions | null,
  ): Promise<CompressionResult>;
  /** The counters since the manager was made. */
  stats(): CompressionStats;
  /** Calls `listener` with every event. Returns a function that unsubscribes. Errors that a listener throws are ignored. */
  onEvent(listener: (event: CompressionEvent) => void): () => void;
}

// ---- Records in the history

/** Facts extracted from the messages themselves, so that no model can omit them. */
export interface CompressionDigest {
  /** Paths, from the arguments of tool calls. */
  files: { read: string[]; written: string[]; deleted: string[] };
  /** Commands that failed and did not succeed since. */
  failing: { command: string; error: string }[];
  /** The user's own words. */
  requests: { first: string | null; newest: string[] };
  /** Todos that are still open. */
  todos: { id: string; text: string; inProgress: boolean }[];
  /** Todos that are done or abandoned and have an id by which they can be reopened. Absent in records of earlier versions. */
  closedTodos?: { id: string; text: string; inProgress: boolean }[];
  /** How many entries each list has dropped, oldest first. Absent in records of earlier versions. */
  forgotten?: {
    read: number;
    written: number;
    deleted: number;
    failing: number;
    requests: number;
    todos: number;
  };
}

/** Describes the messages that a summary or truncation notice replaces. Plain JSON: save it with the message. */
export interface CompressionRecord<T = unknown> {
  id: string;
  /** 1, or one more than the highest level within it. */
  level: number;
  kind: 'summary' | 'truncation';
  /** Number of messages in the array before and after. */
  beforeCount: number;
  afterCount: number;
  /** Tokens in the window before and after. */
  tokensBefore: number;
  tokensAfter: number;
  /** The maximum prompt size at the time, and the share of it in use. Absent in records of earlier versions. */
  windowTokens?: number;
  usageBefore?: number;
  usageAfter?: number;
  /**
   * The model that wrote the summary: the one named in the response, else the requested one if the client read its name. Null if unknown, for a
   * notice, and for a manual summary.
   */
  model: string | null;
  durationMs: number;
  /** How many messages it replaces. */
  messageCount: number;
  /**
   * The replaced messages. Absent if they are in an archive, and in a nested record. Earlier summaries and notices among them keep their figures;
   * their originals are in {@link earlier}.
   */
  originalMessages?: T[];
  /** The original messages of all nested compressions, of every level, oldest first. */
  earlier?: T[][];
  /**
   * For a nested record: how many lists before the list that holds its message its own originals are. The lists are those of `earlier`, then
   * `originalMessages`.
   */
  originalsBack?: number;
  /** Where the originals are, if they are in an archive. */
  archive?: { sessionId: string; id: string };
  /** The task, from the user's first message. */
  firstRequest?: string;
  /**
   * The files, requests, failures and todos of the replaced messages, including earlier compressions. Absent in a nested record, because the outer
   * digest includes it.
   */
  digest?: CompressionDigest;
  /** For a notice: the total that was dropped. */
  droppedCount?: number;
  droppedTokens?: number;
}

/**
 * A message that a manager inserts into a chat: a summary or a truncation notice. In other dialects it is a user text in that dialect with
 * {@link CompressionFields}; LangChain's messages have these in `additional_kwargs`.
 */
export interface CompressedMessage<T = unknown> {
  role: 'user';
  /** `[压缩摘要]\n…` for a summary in any language. */
  content: string;
  isCompressed: true;
  /** Ms since the epoch. */
  compressedAt: number;
  compression: CompressionRecord<T>;
}

/** The fields that a manager may add to messages of an array: `type Stored = ChatMessage & CompressionFields`. */
export interface CompressionFields<T = unknown> {
  isCompressed?: true;
  compressedAt?: number;
  compression?: CompressionRecord<T>;
  /** On a copy of a message that stayed: the previous field values. */
  beforeCompression?: {
    /** The original values of fields that were changed or cleared. */
    fields?: Record<string, unknown>;
    /** The id of the compression that holds the original. */
    pinnedBy?: string;
  };
}

/** Options of {@link expandHistory}. */
export interface ExpandOptions extends DialectOption {
  archive?: OriginalsSource | null | undefined;
  /** The session, or sessions, of the archive that may be read. Required with `archive`. */
  sessionId?: string | readonly string[] | null | undefined;
  /** The maximum number of messages to visit, all levels together. Default 1 000 000. */
  maxMessages?: number | null | undefined;
}

/**
 * Restores the whole original history after any number of compressions and truncations: deep-equal to the input, also from an array that was saved
 * as JSON. Returns a new array, or with an archive a promise of it; a history without compressions is returned unchanged. Originals that several
 * records share are returned once. O(messages).
 * @throws {DamagedHistoryError} if it can't be restored completely; with an archive the promise rejects with it.
 * @throws TypeError, RangeError synchronously for an invalid argument, such as an archive without `sessionId`.
 */
export function expandHistory<T>(
  messages: readonly T[],
  options?: (ExpandOptions & { archive?: null | undefined }) | null,
): T[];
export function expandHistory<T>(
  messages: readonly T[],
  options: ExpandOptions & { archive: OriginalsSource; sessionId: string | readonly string[] },
): Promise<T[]>;
export function expandHistory<T>(messages: readonly T[], options?: ExpandOptions | null): T[] | Promise<T[]>;

/** Options of {@link renderCompressionHistory}. */
export interface RenderHistoryOptions {
  /** Uses terminal colours. Default `false`. */
  color?: boolean | null | undefined;
  /** Width of the terminal in cells, 20 to 1000; a Chinese character takes two. Default 80. */
  width?: number | null | undefined;
  /** Default `'en'`. */
  language?: 'zh' | 'en' | null | undefined;
  /** Shows the original messages below each compression. Default `true`. */
  originals?: boolean | null | undefined;
  /** The maximum length of a shown text in UTF-16 units; the length of the rest is stated. `Infinity` for no limit. Default 2000. */
  maxCharacters?: number | null | undefined;
}

/**
 * Renders a compressed conversation for a terminal, as `<compression-history>` does on a web page: each compression and cut with its figures, its
 * summary and, nested one inside another, the original messages. Escape sequences in content are removed and control characters are written by name, so
 * content cannot control the terminal. Lines end in `\n`. Times are local.
 * @throws TypeError, RangeError for an invalid argument; invalid messages are shown as far as they can be read.
 */
export function renderCompressionHistory(messages: readonly unknown[], options?: RenderHistoryOptions | null): string;

/** The stable code of a {@link DamagedHistoryError}. */
export type DamagedHistoryCode =
  /** A record lost messages or contains itself, or its batch can't be read from the archive (see `cause`). */
  | 'ERR_DAMAGED_HISTORY'
  /** The history is intact, but originals are in an archive and none was passed. */
  | 'ERR_ARCHIVE_NEEDED'
  /** A record names another session than `sessionId`. Nothing of that session was read. */
  | 'ERR_FOREIGN_SESSION'
  /** There are more messages than `maxMessages`. */
  | 'ERR_HISTORY_TOO_LONG';

/** A compressed history can't be restored completely. */
export class DamagedHistoryError extends Error {
  constructor(code: DamagedHistoryCode, reason: string, messages: unknown[], cause?: unknown);
  readonly code: DamagedHistoryCode;
  /** The readable part of the history: a damaged part stays as its summary. */
  readonly messages: any[];
}

/** Options of {@link stripForApi}. */
export interface StripOptions extends DialectOption {
  /** Further fields that your provider accepts. Default: none. */
  keep?: readonly string[] | null | undefined;
}

/**
 * Removes the fields that no provider's request format has, both ours and the application's own (`timestamp`, `id` …): some providers reject a
 * request with them. Returns a new array; a message without such fields is the same object, others are copies without them, whatever `T` says.
 *
 * Each dialect has its own list of fields. Unrecognised messages, LangChain's and pi's lose only our fields. Adjacent Gemini contents of the same
 * role, which a compression can create, are merged, because the API requires it. Camel case messages (`toolCalls`, `toolCallId`) keep those fields;
 * on a message in OpenAI's own spelling they are the application's and are removed.
 */
export function stripForApi<T>(messages: readonly T[], options?: StripOptions | null): T[];

// ---- Events

/** The fields that all events share; the manager's `logFields` are added. */
interface EventOf<Type extends string, Level extends string> {
  type: Type;
  level: Level;
  /** For people; the wording may change. */
  message: string;
}

/** The context window is too full. */
export interface TriggeredEvent extends EventOf<'triggered', 'info'> {
  used_tokens: number;
  window_tokens: number;
  /** The source of `window_tokens`; `guess` means 128,000, if neither the window nor the model is known. */
  window_source: WindowSource;
  /** The share of the window in use. */
  ratio: number;
  threshold: number;
  /** The provider's report, the application's counts, or the tokenizer. */
  source: 'reported' | 'counted' | 'estimated';
  message_count: number;
}

/** Compression was not attempted. */
export interface SkippedEvent extends EventOf<'skipped', 'debug'> {
  reason:
    | 'no_summary_model'
    | 'nothing_between'
    | 'only_earlier_summary'
    | 'all_pinned'
    | 'no_gain_last_time'
    | 'too_little_to_gain'
    | 'breaker_open';
}

/** The summary model is called. */
export interface SummaryRequestedEvent extends EventOf<'summary_requested', 'debug'> {
  purpose: 'summary' | 'repair';
  /** The number of the part, from 1, and how many there are. */
  part: number;
  parts: number;
  model: string;
  /** Our own count. */
  prompt_tokens: number;
  /** Number of messages that are summarised, all parts together. */
  message_count: number;
}

/** The summary model responded. */
export interface SummaryAnsweredEvent extends EventOf<'summary_answered', 'debug'> {
  model: string;
  duration_ms: number;
  prompt_tokens: number;
  /** 0 if the provider doesn't report it. */
  completion_tokens: number;
}

/** The model's response is not accepted as a summary. */
export interface SummaryRefusedEvent extends EventOf<'summary_refused', 'warn'> {
  reason: SummaryRefusal;
}

/** The call of the summary model failed. */
export interface SummaryFailedEvent extends EventOf<'summary_failed', 'warn'> {
  /** `timeout`, `too_long`, or the error's code, status or name; never its message. */
  code: string;
  /** The provider's error type, such as `invalid_request_error`; the code if there is none. */
  error_class: string;
  /** The HTTP status, if the error has one. */
  status?: number;
  duration_ms: number;
}

/** The endpoint rejects a parameter: this request is repeated without it, and later requests omit it. */
export interface ParameterRefusedEvent extends EventOf<'parameter_refused', 'info'> {
  /** `max_tokens` also covers the limit's other names. */
  parameter: 'temperature' | 'max_tokens';
  /** As configured; empty if the client uses its own model. */
  model: string;
}

/** History was replaced by its summary. */
export interface CompressedEvent extends EventOf<'compressed', 'info'> {
  compression_level: number;
  before_count: number;
  after_count: number;
  tokens_before: number;
  tokens_after: number;
  /** Shares of the window. */
  usage_before: number;
  usage_after: number;
  model: string;
  duration_ms: number;
}

/** A summary was discarded: the history had changed, or the application had aborted. */
export interface DiscardedEvent extends EventOf<'discarded', 'debug'> {
  reason: 'range_changed' | 'aborted';
}

/** History was cut at the hard limit. */
export interface TruncatedEvent extends EventOf<'truncated', 'warn'> {
  before_count: number;
  after_count: number;
  /** Number of messages removed, and of messages shortened. */
  dropped: number;
  shortened: number;
  tokens_before: number;
  tokens_after: number;
}

/** Cutting can't help: the system prompt plus unanswered calls exceeds the hard limit. */
export interface CannotFitEvent extends EventOf<'cannot_fit', 'error'> {
  system_tokens: number;
  /** Calls whose results are still to come; they are never cut. */
  pending_tokens: number;
  limit_tokens: number;
}

/**
 * A provider reported implausibly few prompt tokens. Below half of the tokenizer's count, the figure is raised to that half; below a tenth it is
 * ignored. Emitted once per manager.
 */
export interface UsageDoubtedEvent extends EventOf<'usage_doubted', 'warn'> {
  reported_tokens: number;
  estimated_tokens: number;
}

/** The summary model failed repeatedly and is not called for `pause_ms`. */
export interface BreakerOpenedEvent extends EventOf<'breaker_opened', 'debug'> {
  failures: number;
  pause_ms: number;
}

/** A configured value is invalid; its default applies. Emitted once per value. */
export interface SettingRefusedEvent extends EventOf<'setting_refused', 'warn'> {
  key: string;
  expected: string;
}

/** The configuration could not be read; defaults apply. Emitted once per `came`. */
export interface SettingUnreadableEvent extends EventOf<'setting_unreadable', 'warn'> {
  /** The first key where it happened. */
  key: string;
  /** `promise`, a type found where a section was expected, or the code or class of what was thrown; never a value. */
  came: string;
}

/** A key that resembles a setting but is none, in a section or as a flat name. Emitted once per key. */
export interface SettingUnknownEvent extends EventOf<'setting_unknown', 'warn'> {
  key: string;
  /** The setting that was probably meant. */
  meant: string;
}

/** Messages have an unknown form: they are counted as JSON text, slightly high. Emitted once. */
export interface UnrecognisedEvent extends EventOf<'unrecognised', 'warn'> {
  /** The number of unrecognised messages, out of `total`. */
  messages: number;
  total: number;
  /** Their forms, such as `ai-sdk, gemini`. */
  forms: string;
}

/**
 * Records of earlier compressions hold invalid values, such as a non-numeric count; such a field counts as missing. Emitted once per field and
 * manager.
 */
export interface RecordOddEvent extends EventOf<'record_odd', 'warn'> {
  /** Names of fields, such as `droppedCount, level`, never values; `compression` if the record can't be read at all. */
  fields: string;
}

/** The originals could not be archived; they stay in the array. */
export interface ArchiveFailedEvent extends EventOf<'archive_failed', 'warn'> {
  code: string;
}

/** An unexpected error; the history is unchanged. */
export interface FailedEvent extends EventOf<'failed', 'error'> {
  code: string;
  /** The mistake in an argument (`messages: expected an array, got a Promise: is an await missing?`), or empty. */
  problem: string;
}

/** The context window is a guess: neither a setting nor the model is known. Emitted once per manager. */
export interface WindowGuessedEvent extends EventOf<'window_guessed', 'warn'> {
  window_tokens: number;
}

/** A provider reported the size of its model's context window. */
export interface WindowLearntEvent extends EventOf<'window_learnt', 'info'> {
  window_tokens: number;
  /** Empty if no model was named. */
  model: string;
  /** The previous window size if none is configured, and its source. */
  before_tokens: number;
  before_source: WindowSource;
}

/** The application aborted while the model was writing. */
export interface AbortedEvent extends EventOf<'aborted', 'debug'> {}

/** The events of a manager, distinguished by `type`. They hold figures and names, never content. */
export type CompressionEvent =
  | TriggeredEvent
  | SkippedEvent
  | SummaryRequestedEvent
  | SummaryAnsweredEvent
  | SummaryRefusedEvent
  | SummaryFailedEvent
  | ParameterRefusedEvent
  | CompressedEvent
  | DiscardedEvent
  | TruncatedEvent
  | CannotFitEvent
  | UsageDoubtedEvent
  | BreakerOpenedEvent
  | SettingRefusedEvent
  | SettingUnreadableEvent
  | SettingUnknownEvent
  | UnrecognisedEvent
  | RecordOddEvent
  | ArchiveFailedEvent
  | FailedEvent
  | WindowGuessedEvent
  | WindowLearntEvent
  | AbortedEvent;
