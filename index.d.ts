/**
 * The public types of palimpsest, written by hand.
 *
 * Lengths and limits are in UTF-16 code units unless stated otherwise; an index is a position in the array you passed in. No function writes to a
 * message object: a changed message is a shallow copy.
 */

/**
 * One tool call of an assistant message: in OpenAI's shape (`{id, function: {name, arguments}}`, `{id, custom: {name, input}}`) or flat
 * (`{id, name, arguments}`, `{toolCallId, toolName, args}`, `{id, name, input}`). Arguments are JSON text or the parsed object.
 */
export interface ToolCallLike {
  id?: string | undefined;
  /** The id that results refer to, if the call also has an id of its own. */
  call_id?: string | undefined;
  toolCallId?: string | undefined;
  function?: { name?: string | undefined; arguments?: unknown } | undefined;
  custom?: { name?: string | undefined; input?: unknown } | undefined;
  name?: string | undefined;
  toolName?: string | undefined;
  arguments?: unknown;
  args?: unknown;
  input?: unknown;
}

/** When a message was created: milliseconds since the epoch (seconds are recognised), ISO 8601 text, or a `Date`. */
export type MessageTime = number | string | Date;

/**
 * The minimal shape of a message. Every field may be missing or invalid: a message that a rule cannot read stays unchanged and is never an error.
 * Generic functions return your own message type.
 */
export interface MessageLike {
  role: string;
  content?: unknown;
  tool_calls?: readonly ToolCallLike[] | null | undefined;
  tool_call_id?: string | null | undefined;
  /** SWE-agent's field: an array with one id is read as `tool_call_id`. */
  tool_call_ids?: readonly string[] | null | undefined;
  /** The same as `tool_calls`, which wins if a message has both. */
  toolCalls?: readonly ToolCallLike[] | null | undefined;
  /** The same as `tool_call_id`, which wins if a message has both. */
  toolCallId?: string | null | undefined;
  /** For results without a time, see {@link UnknownAgeOption}. */
  timestamp?: MessageTime | null | undefined;
  /** Read if `timestamp` is undefined or null; so are `created_at` and `ts`. */
  createdAt?: MessageTime | null | undefined;
  messageStatus?: string | undefined;
}

/**
 * A message with a `type` instead of a role: an item of OpenAI's Responses API (`ResponseInputItem`) or Agents SDK (`AgentInputItem`), or a
 * LangChain message (`BaseMessage`).
 */
export interface TypedMessageLike {
  type: string;
  content?: unknown;
  timestamp?: MessageTime | null | undefined;
}

/** An item that may omit its `type`, as `EasyInputMessage` does, or that references another item by id. */
export interface ReferenceLike {
  type?: string | null | undefined;
  id: string;
}

/** Gemini's `Content`. */
export interface ContentLike {
  role?: string | undefined;
  parts?: readonly object[] | undefined;
  content?: never;
  timestamp?: MessageTime | null | undefined;
  tool_calls?: never;
  toolCalls?: never;
  toolCallId?: never;
}

/** Bedrock's Converse `Message`; its SDK allows each field to be undefined. */
export interface ConverseMessageLike {
  role: string | undefined;
  content: readonly object[] | undefined;
  timestamp?: MessageTime | null | undefined;
  tool_calls?: never;
  toolCalls?: never;
  toolCallId?: never;
}

/** A message in any supported form: see docs/messages.md. Generic functions return your own message type. */
export type AgentMessage = MessageLike | TypedMessageLike | ReferenceLike | ContentLike | ConverseMessageLike;

/** The effect of one rule. */
export interface RuleReport {
  /** Number of results replaced; for `orphans`, messages, results and duplicate calls removed plus calls answered. */
  readonly changed: number;
  /** UTF-16 units no longer sent. Negative only for the drop-in functions, which also replace a result shorter than its placeholder. */
  readonly unitsRemoved: number;
  /** Tokens of `o200k_base`: exact for OpenAI's models, an estimate for others. Computed on first read. */
  readonly estimatedTokensSaved: number;
  /** The same figures per normalised path; only for rules grouped by path. A batch read counts for each of its paths. */
  readonly byPath?: Readonly<Record<string, { readonly changed: number; readonly unitsRemoved: number }>>;
}

/** The changes of one call. Frozen; while nothing changes, the same object may be returned again. */
export interface CleanupReport {
  /** Number of results replaced, of messages, results and duplicate calls removed, and of calls answered. */
  readonly changed: number;
  /** Indices of the changed messages in the array that was passed in, ascending, without duplicates. */
  readonly indices: readonly number[];
  readonly unitsRemoved: number;
  readonly estimatedTokensSaved: number;
  /** Keyed by rule name: `orphans`, `binary`, `repeated`, `terminal`, `fileReads`, `textSearch`, or the name you gave. */
  readonly byRule: Readonly<Record<string, RuleReport>>;
  /** Number of messages in an unknown form: sent unchanged, and none of their results counts as outdated. */
  readonly unrecognised: number;
  /** The same messages by form, such as `{'ai-sdk': 12}`. */
  readonly unrecognisedForms: UnrecognisedForms;
  /**
   * The part of `changed` that was removed as a duplicate: a second result of the same call, or a second call with the same id in one message.
   * Providers accept one of each. `byRule.orphans` includes them.
   */
  readonly duplicates: number;
  /**
   * Number of results that no rule can replace and that are sent unchanged: results of the provider's own tools (`mcp_tool_result`,
   * `web_search_tool_result`, `mcp_call`, …) and results that the provider accepts in one form only (`computer_call_output`).
   */
  readonly unchangeable: number;
  /**
   * Number of results sent although their call is not among the messages. If no message declares any call, the messages are taken for an excerpt.
   * Only with `orphans: 'answer'`, as in a `ContextView`; otherwise such results are removed.
   */
  readonly unmatchedResults: number;
  /** Number of calls per tool name, for tools that no rule covers: their results stay. Empty if there are no rules. */
  readonly uncoveredTools: Readonly<Record<string, number>>;
  /** Missing and unusual times of the results that rules judged; zeros if no rule needs times. */
  readonly timestamps: {
    /** Tool results that a rule looked at and that have no time: see {@link UnknownAgeOption}. */
    readonly unknown: number;
    /** Tool results whose time is in seconds since 1970. They are converted and judged by that time. */
    readonly seconds: number;
  };
  /** All figures as a plain object. The report's own are lazy getters, so spreading the report copies none of them. */
  toJSON(): Omit<CleanupReport, 'toJSON'>;
}

/** The form of a message that is not a chat message; `other` if no known form matches. */
export type MessageForm =
  | 'ai-sdk'
  | 'anthropic'
  | 'bedrock'
  | 'gemini'
  | 'langchain'
  | 'openai-agents'
  | 'openai-responses'
  | 'opencode'
  | 'pi'
  | 'other';

/** A dialect in which messages can be read; `openai-chat` includes camelCase chat messages. */
export type MessageDialect =
  | 'openai-chat'
  | 'anthropic'
  | 'ai-sdk'
  | 'bedrock'
  | 'openai-responses'
  | 'openai-agents'
  | 'gemini'
  | 'langchain'
  | 'opencode'
  | 'pi';

/** Sets the dialect of the messages. */
export interface DialectOption {
  /**
   * Reads every message in this dialect. A message that can't be read so counts as unrecognised; plain text is read as chat. Default: each message
   * by its own shape. RangeError for an unknown name.
   */
  dialect?: MessageDialect | null | undefined;
}

/** Number of messages per form. */
export type UnrecognisedForms = Readonly<Partial<Record<MessageForm, number>>>;

/** Decides which tool results are errors; errors always stay. */
export type ErrorDetection =
  /**
   * Starts with `Error:`, is marked as failed by its application, or (terminal results) reports in any known form that its command failed: exit
   * codes, `success: false`, `stderr`, a line such as `Exit code: 1`. The list is in docs/cleanup.md.
   */
  | 'exitCode'
  /** As `exitCode`, but in a result's text only `Error:` and the `stderr` of a text that is one JSON object count. */
  | 'seed'
  /** Starts with `Error:`, or is marked as failed by its application. */
  | 'status';

/** Sets the clock. */
export interface NowOption {
  /**
   * The time by which ages are judged, ms since the epoch. The same input and `now` give the same output. Default `Date.now()`. RangeError for
   * seconds.
   */
  now?: number | undefined;
}

/** The language of a preset's placeholders. */
export interface PlaceholderLanguageOption {
  /**
   * `'zh'` (default): exactly the texts of the functions that the drop-ins replace. `'en'`: English equivalents. Your own `placeholder` wins.
   * Results replaced in one language stay replaced after a switch to the other.
   */
  placeholderLanguage?: 'zh' | 'en' | undefined;
}

/** The language of all presets' placeholders. */
export interface SpokenLanguageOption {
  /**
   * `'auto'` (default): the user's language, detected as for summaries and then kept. {@link prepareMessages}, which keeps no state, detects it
   * from the messages before the first result; a `ContextView`, from those before its first placeholder. `'zh'`, `'en'`: that language. A preset's
   * own `placeholderLanguage` or `placeholder` wins.
   */
  placeholderLanguage?: 'auto' | 'zh' | 'en' | null | undefined;
}

/** Sets the age of tool results that have no time. */
export interface UnknownAgeOption {
  /**
   * `'keep'`: they stay and don't count among the newest. `'old'`: they count as older than every age limit; of two of them, the one later in the
   * array is newer. Default `'keep'`; in {@link prepareMessages} `'old'` if no result of the array has a time. A `ContextView` uses the time when
   * it first saw them.
   */
  unknownAge?: 'keep' | 'old' | undefined;
}

/** Options of {@link simplifyOutdatedTerminalResults}. */
export interface TerminalOptions extends NowOption, UnknownAgeOption, PlaceholderLanguageOption, DialectOption {
  /** How many of the newest successful results of any tool stay. With equal timestamps the later message is newer. Default 5. */
  keepRecent?: number | undefined;
  /** Only results strictly older than this are replaced. Default 900 000 (15 minutes). */
  maxAgeMs?: number | undefined;
  /** Names of terminal tools, compared case-insensitively. Default: `terminal-execute` and the well-known shell tools. */
  terminalTools?: readonly string[] | undefined;
  /** Default `此命令返回内容已过时`, in English `[Outdated command output removed]`. For its slots, see {@link SimplificationRule.placeholder}. */
  placeholder?: string | undefined;
  /** Default `'exitCode'`. */
  errors?: 'exitCode' | 'seed' | undefined;
  /** Errors count towards `keepRecent`, as in the reference function. They stay in any case. Default false. */
  countErrors?: boolean | undefined;
}

/** Options of {@link simplifyHistoricalFileReads}. */
export interface FileReadOptions extends NowOption, UnknownAgeOption, PlaceholderLanguageOption, DialectOption {
  /**
   * How many of the newest successful reads of each path stay. With equal timestamps the later message is newer; a path that one call names several
   * times counts once. Default 5.
   */
  keepRecent?: number | undefined;
  /** Only results strictly older than this are replaced. Default: any age. */
  maxAgeMs?: number | undefined;
  /** Names of file reading tools, compared exactly. Default `['filesystem-read']`. */
  readTools?: readonly string[] | undefined;
  /** Argument keys that contain paths. Default `['filePath']`. */
  pathKeys?: readonly string[] | undefined;
  /** Base folder of relative paths. Default `process.cwd()`. */
  projectRoot?: string | undefined;
  /** Default: true on Windows only. */
  caseInsensitivePaths?: boolean | undefined;
  /**
   * Default `[该文件的历史读取内容已压缩,请参看最新读取结果]`, in English
   * `[Earlier read of this file removed: see its latest read]`.
   */
  placeholder?: string | undefined;
  /** Errors count towards `keepRecent`; they stay in any case. Default false. */
  countErrors?: boolean | undefined;
}

/** Options of {@link simplifyTextSearchResults}. */
export interface TextSearchOptions extends NowOption, UnknownAgeOption, PlaceholderLanguageOption, DialectOption {
  /** How many of the newest successful results of any tool stay, as in {@link TerminalOptions.keepRecent}. Default 5. */
  keepRecent?: number | undefined;
  /** Default 600 000 (10 minutes). */
  maxAgeMs?: number | undefined;
  /** Names of text search tools, compared exactly. Default `['ace-text_search']`. */
  searchTools?: readonly string[] | undefined;
  /** Default `本次搜索结果已过时,故精简为占位符`, in English `[Outdated search results removed]`. */
  placeholder?: string | undefined;
  /** As in {@link TerminalOptions.countErrors}. */
  countErrors?: boolean | undefined;
}

/** A custom rule: which tool results it covers, which of them stay, and what replaces the others. */
export interface SimplificationRule {
  /** The rule's name in `report.byRule`; unique within a call. */
  name: string;
  /** Names of the tools that the rule covers. */
  tools?: readonly string[] | undefined;
  /** Compares `tools` case-insensitively. Default false. */
  ignoreCase?: boolean | undefined;
  /** The rule also covers a result whose call is not declared, if its content contains one of these. */
  contentMarkers?: readonly string[] | undefined;
  /**
   * The group within which the newest results are counted: all covered results, those of one path, or those with the same value of an argument.
   * Default `'none'`.
   */
  groupBy?: 'none' | 'path' | { argument: string } | undefined;
  /** With `groupBy: 'path'`: the argument keys that contain paths. Default `['filePath']`. */
  pathKeys?: readonly string[] | undefined;
  projectRoot?: string | undefined;
  caseInsensitivePaths?: boolean | undefined;
  /** With `groupBy: 'none'`: the results among which the newest are counted. Default `'covered'`. */
  recentAmong?: 'allTools' | 'covered' | undefined;
  /** How many of the newest successful results stay per group. With equal timestamps the later message is newer. Default 5. */
  keepRecent?: number | undefined;
  /** Only results strictly older than this are replaced. Default: any age. */
  maxAgeMs?: number | undefined;
  /** Default `'status'`. */
  errors?: ErrorDetection | undefined;
  /** Errors count towards `keepRecent`. Default false. */
  countErrors?: boolean | undefined;
  /**
   * The text that replaces the content. Slots: `{tool}`, `{path}`, `{chars}` (length of the original) and `{age}` (whole minutes, such as `17 min`;
   * `? min` if unknown). `{age}` changes with the clock and thereby the prefix, so it defeats the prompt cache. A tool name or path longer than
   * 1,024 units is shortened in the middle; slot values beyond 8,192 units in total become `…`.
   */
  placeholder: string;
}

/**
 * Removes, in place, each assistant message with an unanswered tool call, the results of its other calls, and tool results whose call is not
 * declared. The remaining messages keep identity and order.
 *
 * Ids may repeat: a result answers the nearest earlier call with its id, or the first later one if there is none. An unanswered call is removed
 * even if an earlier call with the same id was answered. Messages without ids stay. Linear in the messages.
 * @throws TypeError when `messages` is not an array, or is frozen or sealed.
 */
export function cleanOrphanedToolCalls<T extends AgentMessage>(
  messages: T[],
  options?: DialectOption | null,
): CleanupReport;

/**
 * Replaces, in place, old successful terminal results: a copy with a placeholder takes the message's slot in the array, and the message object
 * itself is never written to. The declared tool decides, whatever the output looks like; plain text is replaced, too.
 *
 * Judges by timestamps alone, like the function it replaces. After a clock was set back, new results are older than earlier ones and may be
 * replaced before the model has seen them. {@link prepareMessages} prevents that.
 * @throws TypeError, RangeError for a wrong argument, before anything has changed.
 */
export function simplifyOutdatedTerminalResults<T extends AgentMessage>(
  messages: T[],
  options?: TerminalOptions,
): CleanupReport;

/**
 * Replaces, in place, file reads that are outdated for every path they cover: a batch read stays while it is among the newest of any of its files.
 * Judges by timestamps alone, see {@link simplifyOutdatedTerminalResults}.
 */
export function simplifyHistoricalFileReads<T extends AgentMessage>(
  messages: T[],
  options?: FileReadOptions,
): CleanupReport;

/** Replaces, in place, old text search results. Judges by timestamps alone, see {@link simplifyOutdatedTerminalResults}. */
export function simplifyTextSearchResults<T extends AgentMessage>(
  messages: T[],
  options?: TextSearchOptions,
): CleanupReport;

/**
 * Applies custom rules in place and in order; the first rule that matches a result sets its placeholder. As in {@link prepareMessages}, a result
 * that is no longer than its placeholder stays. Judges by timestamps alone, see {@link simplifyOutdatedTerminalResults}.
 */
export function simplifyToolResults<T extends AgentMessage>(
  messages: T[],
  rules: readonly SimplificationRule[],
  options?: NowOption & UnknownAgeOption & DialectOption,
): CleanupReport;

/**
 * Options of {@link prepareMessages}: `false` turns a step off. The presets cover the tools of all known agents, as in a {@link ContextView}; lists
 * of your own replace these. Tool names are compared case-insensitively.
 */
export interface PrepareOptions extends NowOption, UnknownAgeOption, SpokenLanguageOption, DialectOption {
  /**
   * Sets how calls without a result are handled. `true` or `'remove'` (default): their message is removed with the results of its other calls.
   * `'answer'`: the call gets an error result, so its message keeps its text and other calls. `false`: they stay. Results without a call are
   * removed unless `false`.
   */
  orphans?: boolean | 'remove' | 'answer' | undefined;
  /**
   * Replaces binary data in the texts of tool results, on copies, as {@link sanitizeToolResult} does; `report.byRule.binary` counts the messages.
   * Images in the provider's own image format stay. Default false.
   */
  binary?: boolean | undefined;
  /**
   * Replaces lines that an earlier result or call already contains with a reference: `[lines 12–96 as in #7 Read src/a.ts]`.
   * `report.byRule.repeated` counts the results. References never point to results that a rule replaces. Default false.
   */
  repeated?: boolean | undefined;
  terminal?: boolean | Omit<TerminalOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  fileReads?: boolean | Omit<FileReadOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Default false. */
  textSearch?: boolean | Omit<TextSearchOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Custom rules, applied after the presets. */
  rules?: readonly SimplificationRule[] | undefined;
}

/** The messages to send, and a report of what changed. */
export interface PreparedMessages<T> {
  messages: T[];
  report: CleanupReport;
}

/**
 * Handles orphans, terminal results, file reads and custom rules in one pass. Returns a new array; the input stays unchanged.
 *
 * A result that is no longer than its placeholder (in UTF-16 units) stays, so nothing grows. The drop-in functions do replace it.
 *
 * A clock that is set back makes no result older: a result's age is judged by the newest time up to it, the newest results are the last in the
 * array, and results that the model has not answered yet stay.
 */
export function prepareMessages<T extends AgentMessage>(
  messages: readonly T[],
  options?: PrepareOptions,
): PreparedMessages<T>;

/**
 * A logger that takes the message first and then the fields: `console`, winston, most loggers that applications write themselves. A missing method
 * drops its level.
 */
export interface MessageFirstLogger {
  debug?(message: string, fields: Record<string, unknown>): void;
  info?(message: string, fields: Record<string, unknown>): void;
  warn?(message: string, fields: Record<string, unknown>): void;
  error?(message: string, fields: Record<string, unknown>): void;
}

/** A logger that takes the fields first and then the message. A missing method drops its level. */
export interface FieldsFirstLogger {
  debug?(fields: Record<string, unknown>, message: string): void;
  info?(fields: Record<string, unknown>, message: string): void;
  warn?(fields: Record<string, unknown>, message: string): void;
  error?(fields: Record<string, unknown>, message: string): void;
}

/** A pino or bunyan logger, recognised by these methods: it gets the fields first by default. */
export type PinoLikeLogger = FieldsFirstLogger & ({ child(...given: any[]): unknown } | { bindings(): unknown });

/**
 * Receives log events. A logger with `bindings`, or with `child` but without winston's `transports`, gets the fields first; any other gets the
 * message first. {@link LogOptions.logStyle} overrides this. The fields convert to JSON text if a logger only joins its arguments.
 */
export type Logger = MessageFirstLogger | PinoLikeLogger;

/** Options of {@link setLogger}. */
export interface LogOptions {
  /** The order of the logger's arguments. Default: detected from the logger, see {@link Logger}. */
  logStyle?: 'message-first' | 'fields-first' | null | undefined;
}

/**
 * Sends this thread's structured events to `logger`; `null` turns them off. Without a logger and without `PALIMPSEST_LOG` (a file that receives
 * them as JSON lines) logging costs nothing. Message content is never logged.
 * @throws TypeError, RangeError for an invalid logger or style.
 */
export function setLogger(logger: FieldsFirstLogger, options: { logStyle: 'fields-first' }): void;
export function setLogger(logger: MessageFirstLogger | null, options?: LogOptions | null): void;
export function setLogger(logger: Logger | null, options?: LogOptions | null): void;

/** Selects the model whose tokens are counted. With neither option: `o200k_base`. */
export interface TokenCounterOptions extends DialectOption {
  /** The model's name in any spelling that gateways use, such as `gpt-4o`, `anthropic/claude-opus-4.7` or `deepseek-chat`. */
  model?: string | null | undefined;
  /** Counts texts in exactly this encoding, whatever the model. */
  encoding?: 'o200k_base' | 'cl100k_base' | null | undefined;
}

/** Options of {@link TokenCounter.countMessages}. */
export interface CountMessagesOptions {
  /** Tool definitions of the request, in the shape of OpenAI, Anthropic or Gemini. */
  tools?: readonly unknown[] | null | undefined;
}

/** Options of {@link TokenCounter.truncate}. */
export interface TruncateTokensOptions {
  /** The part that stays. Default `'head'`. */
  keep?: 'head' | 'tail' | 'both' | undefined;
  /** With `keep: 'both'`, the text that replaces the middle; it counts towards the limit. Default `'\n…\n'`. */
  marker?: string | undefined;
}

/**
 * Counts tokens: exactly for texts of OpenAI's models, estimated for others. Text that spells a special token (`<|endoftext|>`) counts as ordinary
 * text, a lone surrogate as U+FFFD. Linear in the text for every input. The vocabulary is loaded on first use (about 10 ms), once for all threads.
 */
export class TokenCounter {
  /**
   * @throws TypeError, RangeError (`ERR_INVALID_ARG_TYPE`, `ERR_OUT_OF_RANGE`) for an invalid option. An unknown model is not an error: its tokens
   *   are estimated, slightly high.
   */
  constructor(options?: TokenCounterOptions | null);
  /** Loads the vocabularies on another thread; resolves when counting no longer has to wait for them. */
  static preload(): Promise<void>;
  /** True if texts are counted token by token. Chat format, tools and images are always estimates. */
  readonly isExact: boolean;
  /** The vocabulary used for counting, or as the basis of the estimate. */
  readonly encoding: 'o200k_base' | 'cl100k_base';
  /** Tokens of the model's context window as its provider publishes it; null if the model is unknown. */
  readonly contextWindow: number | null;
  /** Tokens of `text`, rounded up. A million units take 2 ms (code) to 60 ms (Chinese); use `countAsync` for longer texts. */
  count(text: string): number;
  /** As `count`, on another thread: the event loop isn't blocked. */
  countAsync(text: string): Promise<number>;
  /**
   * How many messages of the last count (`countMessages`, `countMessage` or `fits`) have an unknown form. Their visible content is counted as JSON
   * text without base64, slightly high. Logged once.
   */
  readonly unrecognised: number;
  /** The same messages by form. Anthropic's tool blocks are recognised. */
  readonly unrecognisedForms: UnrecognisedForms;
  /**
   * Tokens of a request: texts, tool calls, chat format, images by pixel size, PDFs by length. Unchanged messages that were counted before are not
   * counted again.
   */
  countMessages(messages: readonly unknown[], options?: CountMessagesOptions | null): number;
  /** Tokens of one message and its share of the chat format, rounded up. */
  countMessage(message: unknown): number;
  /** True if a text, or a request with these messages, has at most `limit` tokens. Stops counting as soon as that is decided. */
  fits(input: string | readonly unknown[], limit: number): boolean;
  /**
   * Returns `text` if it has at most `maxTokens`, else the longest part found that does. The returned text was counted again and never exceeds the
   * limit. Never splits a surrogate pair.
   */
  truncate(text: string, maxTokens: number, options?: TruncateTokensOptions | null): string;
}

/** The package's version, as in package.json. */
export const version: string;

// ---- Output of commands

/** Returns `content` without blank lines at its start and end; inner blank lines and indentation stay. */
export function trimEmptyLines(content: string): string;

/** The limit set by this thread's `process.env.BASH_MAX_OUTPUT_LENGTH`: default 30 000, at most 150 000. */
export function getMaxOutputLimit(): number;

/** Options of {@link truncateOutput}. */
export interface TruncateOptions {
  /** UTF-16 units to keep, 0 or more; not capped. Default {@link getMaxOutputLimit}. */
  limit?: number | null | undefined;
  /**
   * The part of a longer output that stays. `tail` and `both` (half and half) count only kept text against the limit, so the notice is extra;
   * `errors` is `both` plus the lines around errors (in a long line, the part around the error), all within the limit. A redrawn progress bar is
   * reduced to its last frame. With any mode, the result is never longer than `content`. Default: the head plus the
   * notice, as agents' own functions do: progress bars stay, and the result may be longer than `content`.
   */
  keep?: 'head' | 'tail' | 'both' | 'errors' | null | undefined;
}

/**
 * Trims `content` and, if it exceeds the limit, cuts it with a notice of how many lines were removed. Never splits a surrogate pair; the result
 * does not retain a huge `content` in memory. An array is one text in ordered chunks, as a child process writes them; together they may exceed the
 * maximum string length (512 M units).
 * @throws TypeError, RangeError for a limit that is not a non-negative safe integer, or an unknown mode.
 */
export function truncateOutput(content: string | readonly string[], limit?: number | TruncateOptions | null): string;

// ---- Tool results

/** Options of {@link sanitizeToolResult} and {@link sanitizeToolResults}. */
export interface SanitizeOptions {
  /**
   * Fields that always hold binary data. Replaces the default: `imageBase64`, `screenshotData`, `pdfImages`, `audioData`, `videoData`. A value with
   * at most 100 units of data stays.
   */
  largeDataFields?: readonly string[] | null | undefined;
}

/**
 * Copies `result` with large binary data replaced by a placeholder such as `[BINARY_DATA_FILTERED: 500.0KB]`:
 * - the known fields at any depth, if they hold more than 100 units that are not a path or URL;
 * - base64 and data URLs of more than 10,000 units inside any text: only that part, so the surrounding JSON, Markdown or HTML stays valid;
 * - typed arrays, buffers, and bytes written as numbers.
 *
 * The input is not changed; branches without such data are shared. Cycles are allowed; maps, dates and instances of other classes stay unchanged.
 */
export function sanitizeToolResult<T extends object>(result: T, options?: SanitizeOptions | null): T;

/** Applies {@link sanitizeToolResult} to each result; returns a new array. */
export function sanitizeToolResults<T>(results: readonly T[], options?: SanitizeOptions | null): T[];

/**
 * As {@link sanitizeToolResults}, for the JSON text of an array of results: everything else stays exactly as written. Text that is not a JSON array
 * of objects is returned unchanged.
 */
export function sanitizeToolResultsJson(content: string, options?: SanitizeOptions | null): string;

/** A result for {@link formatToolResultForModel}; every field may be missing. */
export interface ToolResultLike {
  toolCallId?: string | undefined;
  success?: boolean | undefined;
  output?: unknown;
  error?: unknown;
  /** `imagePath`, `filePath` and `generationTimeMs` are included in the text. */
  metadata?: Record<string, unknown> | null | undefined;
}

/**
 * Formats results as text for a model, without binary data: `✓ id: output`, `  → Image saved: …`, `✗ id: error` followed by the failed call's
 * output. A value that is not a string becomes JSON, an error its `message`. An MCP server's result (`content`, `isError`, no `success`) becomes
 * the text of its blocks.
 */
export function formatToolResultForModel(results: readonly ToolResultLike[]): string;

/** The conversation exceeds the model's context window. `instanceof` works across copies of this package. */
export class ContextLengthExceededError extends Error {
  /** `options.language`: the language of `message` and `suggestion`; default `'zh'`. */
  constructor(
    requestedTokens: number | null,
    maxTokens: number | null,
    provider: string,
    options?: { language?: 'zh' | 'en' | undefined; cause?: unknown },
  );
  readonly code: 'CONTEXT_LENGTH_EXCEEDED';
  /** Null if the provider doesn't report it. */
  readonly requestedTokens: number | null;
  readonly maxTokens: number | null;
  readonly provider: string;
  /** Advice for the user; not part of `message`. */
  readonly suggestion: string;
  textsIn(language: 'zh' | 'en'): { message: string; suggestion: string };
  toJSON(): {
    name: string;
    code: 'CONTEXT_LENGTH_EXCEEDED';
    message: string;
    suggestion: string;
    requestedTokens: number | null;
    maxTokens: number | null;
    provider: string;
  };
}

/**
 * Returns the context overflow that a provider's error reports, or null. Rate limits, size limits in bytes and output limits are not overflows.
 * Accepts a string, an error (including its causes, `response.data`, `error.error` …) or a response body. A `code` or `type` of
 * `context_length_exceeded` counts too, and so does a response that stopped because of it (`stop_reason: 'model_context_window_exceeded'`).
 * Headers, the request and quoted text don't count.
 *
 * `provider` sets the provider in the result; otherwise it is detected from the wording. Cerebras and Mistral answer with a 413 without text: it
 * counts if `provider` names one of them and the error, or `status`, has the status.
 */
export function parseContextLengthError(
  error: unknown,
  provider?: string | null,
  options?: { language?: 'zh' | 'en' | null | undefined; status?: number | null | undefined } | null,
): ContextLengthExceededError | null;

/** The global `AbortSignal` type; if neither Node's nor the DOM's types are in scope, the part of it that is used. */
export type HostAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      throwIfAborted(): void;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** The progress of a tool, in percent. */
export interface ToolProgressUpdate {
  tool: string;
  stage: string;
  message: string;
  progress: number;
}

/** One stage of a tool's work. */
export interface ProgressStage {
  /** The stage's name. The message of a stage named `complete` is shown at 100 %. */
  stage: string;
  message?: string | undefined;
  /** Percent at its start. Default 30. The bar advances towards the start of the next stage; in the last stage, towards 80. */
  progress?: number | undefined;
  /** The message while the stage runs. Default: `message` and the seconds since the start. */
  tickMessage?: ((seconds: number) => string) | undefined;
}

/** Options of {@link runWithProgress}. */
export interface ProgressOptions {
  tool: string;
  /** Receives the progress, at least every 5 s. Errors that it throws are ignored. */
  emit?: (((progress: ToolProgressUpdate) => void) | null) | undefined;
  /** The first stage starts immediately, the others when `fn` enters them. Default: one stage, 30 → 80 %. */
  stages?: readonly ProgressStage[] | null | undefined;
  /** Expected duration of a stage. Default 60 000 ms. */
  estimateMs?: number | null | undefined;
  /** Default 90 000 ms; see {@link toolTimeouts}. Infinity for no timeout. */
  timeoutMs?: number | null | undefined;
  /** The user-facing message of the timeout error. */
  timeoutMessage?: string | null | undefined;
  /** Language of the default messages. Default `'zh'`. */
  language?: 'zh' | 'en' | undefined;
  /** Aborts the work with the signal's reason. */
  signal?: HostAbortSignal | null | undefined;
}

/** The argument of `fn`. */
export interface ProgressContext {
  /** Aborted on timeout, and when `options.signal` is. */
  signal: HostAbortSignal;
  /** Enters the named stage. */
  stage(name: string, message?: string): void;
}

/**
 * Runs `fn` with a timeout and a progress bar that never moves backwards and reaches 100 only on success. Timers are always cleared. Rejects with
 * the error of `fn`, or with {@link ToolTimeoutError}.
 */
export function runWithProgress<T>(
  options: ProgressOptions,
  fn: (context: ProgressContext) => T | PromiseLike<T>,
): Promise<T>;

/** A tool exceeded its timeout; `message` is meant for the user. */
export class ToolTimeoutError extends Error {
  constructor(message: string, tool: string, timeoutMs: number);
  readonly code: 'TOOL_TIMEOUT';
  readonly tool: string;
  readonly timeoutMs: number;
}

/** Timeouts in ms: 60 s through a cloud proxy, 90 s directly to a provider, 30 s to reword a prompt. */
export const toolTimeouts: { readonly cloudProxy: number; readonly directApi: number; readonly promptExpand: number };

/** Facts about a model that are known before its provider has reported any usage. */
export interface TokenCalibrationOptions {
  /** The model's name as you send it; its family tells how far its tokenizer may differ. Default: an unknown model. */
  model?: string | undefined;
  /** Your own label; {@link TokenCalibration.export} includes it. */
  provider?: string | undefined;
  /** The largest possible prompt of this model in tokens: larger reports are ignored. */
  maxContextTokens?: number | null | undefined;
  /** The unit of your estimates: tokens of this model, as `TokenCounter` counts (default), or plain `o200k_base` tokens. */
  estimatedIn?: 'model' | 'o200k_base' | undefined;
}

/** One answered request: your estimate, and the provider's report. */
export interface TokenObservation {
  /**
   * The provider's raw `usage` (Gemini: `usageMetadata`), or the whole prompt's tokens. Supported are the field names of OpenAI (chat and
   * responses), Anthropic (input, cache reads and cache writes are added up), DeepSeek, Gemini, and `promptTokens`. Missing, zero and impossible
   * values are ignored.
   */
  usage: object | number | null | undefined;
  /** Estimated tokens of all messages of the request. */
  estimate: number;
  /** False if messages were edited after the request was sent and before they were estimated. Default true. */
  prefixUnchanged?: boolean | undefined;
  /** The share of `estimate` that is images and PDFs, 0 to 1. Above 0.1 the slope isn't learned. Default 0. */
  mediaShare?: number | undefined;
}

/** The effect of an observation. */
export interface TokenObservationResult {
  /** `learned`: the slope and the anchor; `anchored`: the anchor only; `ignored`: nothing. */
  outcome: 'learned' | 'anchored' | 'ignored';
  /** Why nothing was learned; null if `outcome` is `learned`. */
  reason: 'missing' | 'zero' | 'impossible' | 'stale' | 'outlier' | 'edited' | 'media' | 'repeated' | null;
  /** The reported tokens of the whole prompt, including cached ones; null if the report has no usable figure. */
  promptTokens: number | null;
}

/** The predicted size of a prompt. */
export interface TokenPrediction {
  /** Tokens that the provider is expected to count. */
  tokens: number;
  /** Two standard deviations; add it if an underestimate is worse than an overestimate. 0 once settled. */
  margin: number;
  /** True after at least three figures were learned from. */
  settled: boolean;
}

/** The state that {@link TokenCalibration.export} returns: plain JSON. */
export interface TokenCalibrationState {
  version: number;
  provider: string;
  model: string;
  maxContextTokens: number | null;
  estimatedIn: string;
  /** Tokens of every prompt outside the messages: the system prompt and tools. */
  overhead: number;
  /** Actual tokens per estimated token. */
  slope: number;
  covariance: number[];
  samples: number;
  anchor: { estimate: number; tokens: number } | null;
}

/**
 * Learns from a provider's usage figures how many tokens a prompt really takes: a hidden overhead and a ratio, anchored at the last reported figure
 * while the conversation only grows. Use one instance per provider and model.
 */
export class TokenCalibration {
  constructor(options?: TokenCalibrationOptions | null);
  /** Learns from an answered request. Invalid figures (zero, stale, doubled, impossible) are detected and ignored. */
  observe(observation: TokenObservation): TokenObservationResult;
  /**
   * Predicts the size of a prompt whose messages are estimated at `estimate` tokens. Pass `prefixUnchanged: false` if messages covered by the last
   * figure were edited, replaced or removed. A smaller `estimate` implies it; the remaining messages are then assumed to be the newest, which
   * compressions keep.
   */
  predict(estimate: number, options?: { prefixUnchanged?: boolean | undefined }): TokenPrediction;
  /** The learned state, for {@link TokenCalibration.import} after a restart. */
  export(): TokenCalibrationState;
  /** @throws TypeError, RangeError if `state` was not returned by `export`. */
  static import(state: TokenCalibrationState): TokenCalibration;
}

export * from './lib/entry/types/archive.js';
export * from './lib/entry/types/archive-store.js';
export * from './lib/entry/types/cache.js';
export * from './lib/entry/types/compression.js';
export * from './lib/entry/types/fact-store.js';
export * from './lib/entry/types/http-llm-client.js';
export type { SessionPicture } from './lib/entry/types/picture.js';
export * from './lib/entry/types/view.js';
