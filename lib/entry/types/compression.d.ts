/**
 * Long conversations: {@link AutoCompressionManager} summarises history in time and cuts it when that was not enough;
 * {@link expandHistory} gives all of it back. What it decides, and by which numbers, is in docs/compression.md.
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

/**
 * The settings, each by its flat name. Read anew at each call; a value that can't be used logs a warning and its
 * default holds.
 */
export interface AutoCompressionSettings {
  /** When false nothing is done at all, truncation included. Default true. */
  autoCompressionEnabled?: boolean | null | undefined;
  /** The share of the window from which on history is summarised, above 0, at most 1. Default 0.8. */
  autoCompressionThreshold?: number | null | undefined;
  /** How many of the newest messages stay; more where a call would be parted from its results. Default 10. */
  autoCompressionKeepRecentCount?: number | null | undefined;
  /** The most tokens that the model may write. Default 1,000. */
  autoCompressionSummaryMaxTokens?: number | null | undefined;
  /** The model that summarises. No default: without it nothing is summarised, and history is cut at the hard limit. */
  autoCompressionSummaryModel?: string | null | undefined;
  /** How long one call of that model may take. Default 30,000. */
  autoCompressionSummaryTimeoutMs?: number | null | undefined;
  /**
   * How long all calls for one compression may take together; a history that is summarised in parts takes several.
   * After that nothing is applied. Default 120,000.
   */
  autoCompressionTotalTimeoutMs?: number | null | undefined;
  /** That model's own window; longer histories are summarised in parts. Default: what its provider publishes, else `maxContextTokens`. */
  autoCompressionSummaryContextTokens?: number | null | undefined;
  /** The window of the conversation's model. Default: what its provider publishes; 128,000 where the model isn't known. */
  maxContextTokens?: number | null | undefined;
  /** The share of the window above which history is cut, above 0, at most 1. Default 0.95. */
  hardLimitThreshold?: number | null | undefined;
}

/** The settings by their names below `conversation.autoCompression`. A flat name that is given wins. */
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

/** The window of the conversation's model, as it lies in a section or beside it. */
export interface ContextLimitSettings {
  /** `maxContextTokens`. Default: that of the model. */
  maxTokens?: number | null | undefined;
  /** `hardLimitThreshold`. Default 0.95. */
  hardLimitThreshold?: number | null | undefined;
}

/** A section; `false` in its place turns everything off. */
type Section = NestedAutoCompressionSettings | boolean | null | undefined;

/**
 * An object with the settings: flat names, or a section below `conversation` or by itself, with the window in it or
 * beside it.
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
 * Where the settings come from: a function of the key, or one that gives all of them whatever it is asked for; an
 * object with `get(key)`; an object with the settings, or the section itself. Asked for the flat names,
 * `conversation.autoCompression`, `autoCompression`, `conversation` and `contextLimit`. For one setting the flat name
 * wins, then `conversation.autoCompression`, `autoCompression`, and for the window `conversation.contextLimit` and
 * `contextLimit`. What throws or gives a promise is told once, as a `setting_unreadable` event, and its default holds.
 */
export type ConfigService =
  | ((key: string) => unknown)
  | { get(key: string): unknown }
  | AutoCompressionConfig
  | NestedAutoCompressionSettings;

// ---- The model that summarises

/**
 * What the model is asked. `model`, `messages`, the limit and the temperature are as OpenAI's chat API has them, so a client may
 * pass the object on; everything else can be read, but isn't enumerable: a strict provider would refuse it.
 */
export interface SummaryRequest {
  /**
   * The model to use. A client that never reads it isn't recorded as having used it. Absent where a manager was made without a
   * configuration and nobody has named a model: the client uses its own.
   */
  model: string;
  messages: { role: 'system' | 'user'; content: string }[];
  /** Undefined where the endpoint has refused any limit. */
  maxTokens: number;
  /** Equal to `maxTokens`. Not enumerable for models that know `max_completion_tokens` only. */
  max_tokens: number;
  /** Equal to `maxTokens`, for those models only. */
  max_completion_tokens?: number;
  /** 0. Undefined for models that take none, and after their endpoint has refused it. */
  temperature: number;
  /** Aborted when the host gives up, and when the call has taken too long. */
  signal: HostAbortSignal;
  /** Equal to `signal`, by the name that other clients know. */
  abortSignal: HostAbortSignal;
}

/** One message of an answer: OpenAI's, or Anthropic's content blocks. */
export interface SummaryAnswerMessage {
  content?: string | readonly unknown[] | null | undefined;
  /** An answer that calls tools is no summary. */
  tool_calls?: readonly unknown[] | null | undefined;
  /** Nor is a refusal. */
  refusal?: string | null | undefined;
}

/** An answer that is the message itself: Anthropic's, or what `HttpLlmClient` gives. */
export interface SummaryAnswerObject extends SummaryAnswerMessage {
  content: string | readonly unknown[] | null | undefined;
  finishReason?: string | null | undefined;
  finish_reason?: string | null | undefined;
  stop_reason?: string | null | undefined;
  usage?: object | null | undefined;
  /** Which model wrote it; the record names that. */
  model?: string | null | undefined;
}

/** An OpenAI completion; the first choice counts. */
export interface SummaryCompletion {
  choices: readonly { message?: SummaryAnswerMessage | null | undefined; finish_reason?: string | null | undefined }[];
  usage?: object | null | undefined;
  /** Which model wrote it; the record names that. */
  model?: string | null | undefined;
}

/** What a client may answer. */
export type SummaryAnswer = string | SummaryAnswerObject | SummaryCompletion;

/**
 * The host's own client, an `HttpLlmClient`, or a client of the OpenAI or Anthropic SDK as it is. A rejection, a throw and an
 * unusable answer all leave history as it was. Of an object with both methods, `chat` is called.
 */
export type LlmClient =
  | { chat: { completions: { create(body: any, options?: any): PromiseLike<unknown> } } }
  | { messages: { create(body: any, options?: any): PromiseLike<unknown> } }
  | SummaryFunction
  | { chat(request: SummaryRequest): SummaryAnswer | PromiseLike<SummaryAnswer> }
  // Every function has a `call` of its own.
  | { call(request: SummaryRequest): SummaryAnswer | PromiseLike<SummaryAnswer>; apply?: never };

/** A client that is a function. */
export interface SummaryFunction {
  (request: SummaryRequest): SummaryAnswer | PromiseLike<SummaryAnswer>;
  /** Every function's own. With the signature that it has there, the parameter of a client's `call` could not be inferred. */
  readonly call: object;
}

/** A section that a summary must have. */
export interface SummarySection {
  /** As events and the repair prompt name it. */
  name: string;
  /** Beginnings of headings that stand for it, without case; one is enough. */
  headings: string[];
}

/**
 * The texts that ask for a summary. Slots: `{history}`, `{previous}`, `{instructions}`, `{length}` (what to aim at, 70 %
 * of the limit) and `{max_length}` in words and tokens, `{max_tokens}`, `{boundary}`; in `repair` also `{summary}` and
 * `{missing}`. What is filled in is quoted and taken literally.
 */
export interface SummaryPrompt {
  /** The system message. */
  system: string;
  /** The user message. */
  user: string;
  /** The user message that asks, once, for sections that were missing. */
  repair: string;
  sections: SummarySection[];
}

/** The built-in prompt. @throws RangeError for another language. */
export function defaultSummaryPrompt(language: 'zh' | 'en'): SummaryPrompt;

// ---- The manager

/** What a manager needs of an {@link ArchiveStore}. */
export interface OriginalsSink {
  append(sessionId: string, batch: ArchiveBatch): PromiseLike<unknown>;
}

/** What {@link expandHistory} needs of an {@link ArchiveStore}. */
export interface OriginalsSource {
  get(sessionId: string, id: string): PromiseLike<readonly unknown[]>;
  /** Where there is one, a history costs a call for each 32 of its batches; those that are unknown are left out. */
  getMany?(
    sessionId: string,
    ids: readonly string[],
  ): PromiseLike<readonly { id: string; messages: readonly unknown[] }[]>;
}

/** Options of {@link AutoCompressionManager}. */
export interface AutoCompressionOptions extends DialectOption {
  /**
   * The conversation's own model, for counting tokens and for its window. Default: `o200k_base`, and the window of the model that
   * the newest answer names.
   */
  model?: string | null | undefined;
  /** Tool definitions of every request, which take their share of the window; or a function that gives them. */
  tools?: readonly unknown[] | (() => readonly unknown[] | null | undefined) | null | undefined;
  /** Of prompt, digest and notices. Default: that of the user's own words. */
  language?: 'zh' | 'en' | null | undefined;
  /** In place of the built-in texts. Own `system` or `user` texts without `sections`: none is checked. */
  prompt?:
    | ({
        [text in 'system' | 'user' | 'repair']?: string | null | undefined;
      } & {
        sections?: readonly { name: string; headings?: readonly string[] | null | undefined }[] | null | undefined;
      })
    | null
    | undefined;
  /** Messages to repeat word for word in front of a summary, such as rules and todos. Default: none. */
  pin?: ((message: any) => boolean) | null | undefined;
  /** Stores the originals. Default: they stay in the message array. Needs `sessionId`. */
  archive?: OriginalsSink | null | undefined;
  /**
   * The conversation's name in the archive, the same after every restart; no message can name another. Needed with `archive`
   * (TypeError without it); a manager with an archive is for one conversation.
   */
  sessionId?: string | null | undefined;
  /** The first listener; see {@link AutoCompressionManager.onEvent}. */
  onEvent?: ((event: CompressionEvent) => void) | null | undefined;
  /** Go into every log entry and event, such as `{ agentId }`. */
  logFields?: Readonly<Record<string, unknown>> | null | undefined;
  /** What the manager's `logger` takes first. Default: told from the logger. */
  logStyle?: LogOptions['logStyle'] | undefined;
}

/** Options of {@link AutoCompressionManager.process}. */
export interface ProcessOptions {
  /** Gives up; the history stays as it is. */
  signal?: HostAbortSignal | null | undefined;
  /** Ms since the epoch. Default `Date.now()`. */
  now?: number | null | undefined;
  /** The window of the model that the next request goes to, at least 100. Wins over the configured one. */
  maxContextTokens?: number | null | undefined;
  /** That model's name, for its window. Default: `options.model` of the manager. */
  model?: string | null | undefined;
}

/** Options of {@link AutoCompressionManager.compress}. */
export interface CompressOptions extends Omit<ProcessOptions, 'maxContextTokens' | 'model'> {
  /** A summary that the agent wrote itself: no model is called. */
  summary?: string | null | undefined;
  /** What the model that summarises is to heed, such as what must not be left out. */
  instructions?: string | null | undefined;
}

/** What one call of the summary model took. */
export interface SummaryUsage {
  /** Which answered, else which was asked; empty where nobody can say. */
  model: string;
  /** The whole prompt, what a cache held included. */
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** A figure was counted here since the provider reported none, or nothing came in time. */
  isEstimated: boolean;
}

/** How the size of the window is known: a later one wins. */
export type WindowSource = 'guess' | 'model' | 'configured' | 'provider';

/** The outcome of one call for a conversation. */
export interface CompressionOutcome {
  /** `cut` also where a summary was made and did not suffice: `reason` is null then. */
  did: 'nothing' | 'summarised' | 'cut';
  /**
   * Why there is no summary; null when there is. `below_threshold`, `disabled`, `not_configured` (a view without `compression`),
   * `side_request` (a request beside the conversation),
   * `aborted`, `discarded`, a reason of {@link SkippedEvent}, a {@link SummaryRefusal}, `summary_failed`, or `failed`.
   */
  reason: string | null;
  /** With `summary_failed` and `failed`: the error's code, status or name. */
  code: string | null;
  /** With `summary_failed`: what kind of error the provider calls it, such as `invalid_request_error`. */
  errorClass: string | null;
  /** With `summary_failed`: the HTTP status, where the error has one. */
  status: number | null;
  /** With `failed`: the mistake in an argument. */
  problem: string | null;
  /** Tokens in the window before and after; also with `disabled`. 0 where nothing was looked at. */
  tokensBefore: number;
  tokensAfter: number;
  /** Whether what is left is above the hard limit. */
  isOverLimit: boolean;
  /** Null where nothing was looked at. */
  windowTokens: number | null;
  windowSource: WindowSource | null;
  /** One for each call of the summary model that may have been billed. */
  summaryUsage: SummaryUsage[];
}

/** What {@link AutoCompressionManager.compress} did. */
export interface CompressionResult {
  compressed: boolean;
  /**
   * Why not; null when it was. `no_summary_model`, `nothing_between`, `only_earlier_summary`, `all_pinned`, `aborted`,
   * `discarded`, a {@link SummaryRefusal}, `timeout`, `too_long`, or the code of the error that the client gave.
   */
  reason: string | null;
  beforeCount: number;
  afterCount: number;
  tokensBefore: number;
  tokensAfter: number;
}

/** Why an answer is no summary. */
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

/** What a manager has done so far; times in ms. Reasons and codes that occurred have figures of their own. */
export interface CompressionStats {
  /** Conversations looked at. */
  processed: number;
  /** ... and found above the threshold or the hard limit. */
  triggered: number;
  compressed: number;
  truncated: number;
  /** Messages cut short at the hard limit. */
  shortened: number;
  aborted: number;
  /** Summaries that came for a history that had changed meanwhile. */
  discarded: number;
  /** Summaries that lacked sections and were asked for again. */
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
 * Keeps a conversation inside the model's context window: summarises history in time, and cuts it when that was not
 * enough. One per host or per conversation; a manager holds nothing of what it has seen.
 */
export class AutoCompressionManager {
  /**
   * @param logger gets this manager's events. Default: the one of `setLogger`.
   * @throws TypeError, RangeError for a wrong argument.
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
   * For hosts whose client knows its own model: that one summarises where `options.config` names no other. What `process` is
   * given is the window.
   */
  constructor(
    llmClient: LlmClient,
    logger?: Logger | null,
    options?: (AutoCompressionOptions & { config?: ConfigService | null | undefined }) | null,
  );
  /**
   * Call it before each request, and save the array as it is afterwards. Changes slots of `messages` only when the
   * window is too full, in one go, and never a message in them: what is put in are {@link CompressedMessage}s and copies.
   * Never rejects; on any failure the array is as it was.
   * @param conversation the array, or an object that has it as `messages`
   * @param options or the window of the model that the next request goes to
   */
  process<T extends AgentMessage>(
    conversation: T[] | { messages: T[] },
    options?: ProcessOptions | number | null,
  ): Promise<void>;
  /** The outcome of the conversation's last compression, by itself or by hand; null where there was none. */
  outcomeOf(conversation: readonly unknown[] | { messages: readonly unknown[] }): CompressionOutcome | null;
  /**
   * Takes in an error of the conversation's own model. Where it says how large the window is, that counts from then on, whatever
   * is configured; else null.
   */
  noteOverflow(error: unknown, options?: { model?: string | null | undefined } | null): number | null;
  /**
   * Summarises now, however full the window is: for a host's own command or tool.
   * Rejects with TypeError or RangeError for a wrong argument; every other failure is a `reason`.
   */
  compress<T extends AgentMessage>(
    conversation: T[] | { messages: T[] },
    options?: CompressOptions | null,
  ): Promise<CompressionResult>;
  /** What was done since the manager was made. */
  stats(): CompressionStats;
  /** Tells of all that happens, as objects. Gives the function that ends it. What a listener throws is ignored. */
  onEvent(listener: (event: CompressionEvent) => void): () => void;
}

// ---- What is left in the history

/** What the core took from the messages themselves, so that no model can leave it out. */
export interface CompressionDigest {
  /** Paths, from the arguments of tool calls. */
  files: { read: string[]; written: string[]; deleted: string[] };
  /** Commands that failed and did not succeed since. */
  failing: { command: string; error: string }[];
  /** The user's own words. */
  requests: { first: string | null; newest: string[] };
  /** Still open. */
  todos: { id: string; text: string; inProgress: boolean }[];
  /** Done or given up, and named by an id by which they can be opened again. Absent in records of earlier versions. */
  closedTodos?: { id: string; text: string; inProgress: boolean }[];
  /** How many entries each list has lost, the oldest first. Absent in records of earlier versions. */
  forgotten?: {
    read: number;
    written: number;
    deleted: number;
    failing: number;
    requests: number;
    todos: number;
  };
}

/** What a summary or a truncation notice stands for. Plain JSON: save it with the message. */
export interface CompressionRecord<T = unknown> {
  id: string;
  /** 1, or one more than the highest within it. */
  level: number;
  kind: 'summary' | 'truncation';
  /** Messages in the array before and after. */
  beforeCount: number;
  afterCount: number;
  /** Tokens in the window before and after. */
  tokensBefore: number;
  tokensAfter: number;
  /** The most tokens that a prompt could have then, and which share of them was in use. Absent in records of earlier versions. */
  windowTokens?: number;
  usageBefore?: number;
  usageAfter?: number;
  /**
   * Which wrote the summary: the one that the answer names, else the one that was asked for if the client read its
   * name. Null where nobody can say, for a notice, and for a summary by hand.
   */
  model: string | null;
  durationMs: number;
  /** How many messages it stands for. */
  messageCount: number;
  /**
   * Those messages. Absent when they lie in an archive, and in a record that lies within another one. Earlier summaries
   * and notices among them have their figures, and their originals in {@link earlier}.
   */
  originalMessages?: T[];
  /** The original messages of the compressions within this one, of every level, oldest first. */
  earlier?: T[][];
  /**
   * In a record that lies within another one: so many lists before the one in which its message stands lie its own
   * originals. `originalMessages` counts as the list behind the last of `earlier`.
   */
  originalsBack?: number;
  /** Where they lie then. */
  archive?: { sessionId: string; id: string };
  /** The task, from the user's first message. */
  firstRequest?: string;
  /**
   * The files, requests, failures and todos of the messages that the record stands for, earlier compressions included. Absent in
   * a record within another one, whose digest includes it.
   */
  digest?: CompressionDigest;
  /** Of a notice: what was dropped, in all. */
  droppedCount?: number;
  droppedTokens?: number;
}

/**
 * A message that a manager puts into a chat: a summary or a truncation notice. In other dialects it is a text of the user's in
 * that dialect, with {@link CompressionFields}; LangChain's messages have those in `additional_kwargs`.
 */
export interface CompressedMessage<T = unknown> {
  role: 'user';
  /** `[压缩摘要]\n…` for a summary, in whatever language it is. */
  content: string;
  isCompressed: true;
  /** Ms since the epoch. */
  compressedAt: number;
  compression: CompressionRecord<T>;
}

/** The fields that a manager may leave on messages of an array: `type Stored = ChatMessage & CompressionFields`. */
export interface CompressionFields<T = unknown> {
  isCompressed?: true;
  compressedAt?: number;
  compression?: CompressionRecord<T>;
  /** On a copy of a message that stayed: the fields as they were before. */
  beforeCompression?: {
    /** Fields that were changed or cleared, as they were. */
    fields?: Record<string, unknown>;
    /** The compression in which the original lies. */
    pinnedBy?: string;
  };
}

/** Options of {@link expandHistory}. */
export interface ExpandOptions extends DialectOption {
  archive?: OriginalsSource | null | undefined;
  /** Which session of the archive, or which several, may be read. Needed with `archive`. */
  sessionId?: string | readonly string[] | null | undefined;
  /** The most messages that may be gone through, those of every level together. Default 1 000 000. */
  maxMessages?: number | null | undefined;
}

/**
 * The whole original history, after any number of compressions and truncations: deep-equal to what went in, also from
 * an array that was saved as JSON. A new array; a history that was never compressed comes back as it is. With an
 * archive, a promise of it. A list of originals that several records share is given back once. O(messages).
 * @throws {DamagedHistoryError} when it can't be given back whole; with an archive the promise rejects with it.
 * @throws TypeError, RangeError at once for a wrong argument, such as an archive without `sessionId`.
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
  /** With a terminal's colours. Default `false`. */
  color?: boolean | null | undefined;
  /** Cells of the terminal, 20 to 1000; a Chinese character takes two. Default 80. */
  width?: number | null | undefined;
  /** Default `'en'`. */
  language?: 'zh' | 'en' | null | undefined;
  /** Whether the messages behind each compression are shown below it. Default `true`. */
  originals?: boolean | null | undefined;
  /** The most UTF-16 units that are shown of a text; how many more there are is said. `Infinity` for all. Default 2000. */
  maxCharacters?: number | null | undefined;
}

/**
 * A compressed conversation for a terminal, as `<compression-history>` shows it on a page: each compression and cut with its
 * figures, its summary and, level within level, the messages that it stands for. Escape sequences in content are left out, and
 * control characters named, so that nothing in it reaches the terminal. Lines end in `\n`. Times are local.
 * @throws TypeError, RangeError for a wrong argument; odd messages are shown as far as they can be read.
 */
export function renderCompressionHistory(messages: readonly unknown[], options?: RenderHistoryOptions | null): string;

/** A {@link DamagedHistoryError}'s stable name. */
export type DamagedHistoryCode =
  /** A record lost messages, holds itself, or its batch can't be read from the archive (see `cause`). */
  | 'ERR_DAMAGED_HISTORY'
  /** All is well, but originals lie in an archive and none was given. */
  | 'ERR_ARCHIVE_NEEDED'
  /** A record names another session than `sessionId`. Nothing of that one was read. */
  | 'ERR_FOREIGN_SESSION'
  /** There are more messages than `maxMessages`. */
  | 'ERR_HISTORY_TOO_LONG';

/** A compressed history can't be given back whole. */
export class DamagedHistoryError extends Error {
  constructor(code: DamagedHistoryCode, reason: string, messages: unknown[], cause?: unknown);
  readonly code: DamagedHistoryCode;
  /** As much of the history as can be seen: a damaged part stays as its summary. */
  readonly messages: any[];
}

/** Options of {@link stripForApi}. */
export interface StripOptions extends DialectOption {
  /** Further fields that your provider takes. Default: none. */
  keep?: readonly string[] | null | undefined;
}

/**
 * The messages without the fields that no provider's request format knows, ours and the host's own (`timestamp`, `id`
 * …) alike: some providers refuse a request for them. A new array; a message that has none comes through as it is,
 * others as copies that lack those fields whatever `T` says. Each dialect has its own fields; messages of forms that are not
 * read, LangChain's and pi's lose ours only. Gemini's contents that a compression has put beside another of the same role are one,
 * as its API wants them. Messages in camelCase (`toolCalls`, `toolCallId`) keep theirs; on one in
 * OpenAI's own spelling such a field is the host's note and goes.
 */
export function stripForApi<T>(messages: readonly T[], options?: StripOptions | null): T[];

// ---- Events

/** What all events have; the manager's `logFields` come along. */
interface EventOf<Type extends string, Level extends string> {
  type: Type;
  level: Level;
  /** For people; may be reworded. */
  message: string;
}

/** The window is too full. */
export interface TriggeredEvent extends EventOf<'triggered', 'info'> {
  used_tokens: number;
  window_tokens: number;
  /** How that is known: 128,000 is a guess where neither the window nor the model is. */
  window_source: WindowSource;
  /** The share in use. */
  ratio: number;
  threshold: number;
  /** The provider's report, the host's counts, or the tokenizer. */
  source: 'reported' | 'counted' | 'estimated';
  message_count: number;
}

/** Nothing was tried. */
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

/** The model is asked. */
export interface SummaryRequestedEvent extends EventOf<'summary_requested', 'debug'> {
  purpose: 'summary' | 'repair';
  /** Which of so many parts, from 1. */
  part: number;
  parts: number;
  model: string;
  /** Counted. */
  prompt_tokens: number;
  /** Messages that are summarised in all. */
  message_count: number;
}

/** It answered. */
export interface SummaryAnsweredEvent extends EventOf<'summary_answered', 'debug'> {
  model: string;
  duration_ms: number;
  prompt_tokens: number;
  /** 0 where its provider doesn't say. */
  completion_tokens: number;
}

/** The model's answer is no summary. */
export interface SummaryRefusedEvent extends EventOf<'summary_refused', 'warn'> {
  reason: SummaryRefusal;
}

/** It did not answer. */
export interface SummaryFailedEvent extends EventOf<'summary_failed', 'warn'> {
  /** `timeout`, `too_long`, or the error's code, status or name; never its message. */
  code: string;
  /** What kind of error the provider calls it, such as `invalid_request_error`; the code where nobody does. */
  error_class: string;
  /** Of HTTP, where the error has one. */
  status?: number;
  duration_ms: number;
}

/** The endpoint doesn't take a parameter, so the question is asked again without it, and every later one. */
export interface ParameterRefusedEvent extends EventOf<'parameter_refused', 'info'> {
  /** `max_tokens` also for the limit by another name. */
  parameter: 'temperature' | 'max_tokens';
  /** As configured; empty for the client's own. */
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

/** A summary came too late: the history had changed, or the host had given up. */
export interface DiscardedEvent extends EventOf<'discarded', 'debug'> {
  reason: 'range_changed' | 'aborted';
}

/** History was cut at the hard limit. */
export interface TruncatedEvent extends EventOf<'truncated', 'warn'> {
  before_count: number;
  after_count: number;
  /** Messages cut out, and messages cut short. */
  dropped: number;
  shortened: number;
  tokens_before: number;
  tokens_after: number;
}

/** No cut helps: the system prompt, with calls that are still to be answered, is above the hard limit. */
export interface CannotFitEvent extends EventOf<'cannot_fit', 'error'> {
  system_tokens: number;
  /** Calls whose results are still to come: these are never cut out. */
  pending_tokens: number;
  limit_tokens: number;
}

/**
 * A provider's figure for a prompt is too small to be true: below half of what the tokenizer counts it is raised to that
 * half, below a tenth it is passed over. Told once by each manager.
 */
export interface UsageDoubtedEvent extends EventOf<'usage_doubted', 'warn'> {
  reported_tokens: number;
  estimated_tokens: number;
}

/** The model failed so often that it isn't asked for a while. */
export interface BreakerOpenedEvent extends EventOf<'breaker_opened', 'debug'> {
  failures: number;
  pause_ms: number;
}

/** A configured value can't be used; its default holds. Told once per value. */
export interface SettingRefusedEvent extends EventOf<'setting_refused', 'warn'> {
  key: string;
  expected: string;
}

/** The configuration could not be read; defaults hold. Told once for each `came`. */
export interface SettingUnreadableEvent extends EventOf<'setting_unreadable', 'warn'> {
  /** The first key where it happened. */
  key: string;
  /** `promise`, a type where a section should be, or the code or class of what was thrown; never a value. */
  came: string;
}

/** A key of a section, or a flat one, that is no setting but looks like one. Told once for each key. */
export interface SettingUnknownEvent extends EventOf<'setting_unknown', 'warn'> {
  key: string;
  /** The setting that was meant. */
  meant: string;
}

/** Messages have a form that isn't known: they are counted as JSON text, a little high. Said once. */
export interface UnrecognisedEvent extends EventOf<'unrecognised', 'warn'> {
  /** So many of `total`. */
  messages: number;
  total: number;
  /** What they look like, such as `ai-sdk, gemini`. */
  forms: string;
}

/**
 * Records of earlier compressions hold what no record has, such as a count that is none: such a field is as good as
 * missing. Told once for each field by each manager.
 */
export interface RecordOddEvent extends EventOf<'record_odd', 'warn'> {
  /** Names of fields, such as `droppedCount, level`, never values; `compression` when the record can't be read at all. */
  fields: string;
}

/** The originals could not be stored; they stay in the array. */
export interface ArchiveFailedEvent extends EventOf<'archive_failed', 'warn'> {
  code: string;
}

/** Something that nobody foresaw; the history is as it was. */
export interface FailedEvent extends EventOf<'failed', 'error'> {
  code: string;
  /** What is wrong with an argument (`messages: expected an array, got a Promise: is an await missing?`), or empty. */
  problem: string;
}

/** The window that is reckoned with is a guess: neither a setting nor the model is known. Said once by each manager. */
export interface WindowGuessedEvent extends EventOf<'window_guessed', 'warn'> {
  window_tokens: number;
}

/** A provider has said how large its model's window is. */
export interface WindowLearntEvent extends EventOf<'window_learnt', 'info'> {
  window_tokens: number;
  /** Empty for a model that nobody has named. */
  model: string;
  /** What was reckoned with so far where no window is set, and how that was known. */
  before_tokens: number;
  before_source: WindowSource;
}

/** The host gave up while the model was writing. */
export interface AbortedEvent extends EventOf<'aborted', 'debug'> {}

/** What happens in a manager, told apart by `type`. Holds figures and names, never content. */
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
