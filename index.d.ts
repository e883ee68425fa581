/**
 * The types of palimpsest, written by hand: what your editor shows is what the functions do.
 *
 * Every length, limit and index counts UTF-16 code units or messages of the array you passed in.
 * Nothing here ever writes to a message object: a changed message is a shallow copy.
 */

/**
 * One declared tool call of an assistant message: in OpenAI's shape (`{id, function: {name, arguments}}`, `{id, custom:
 * {name, input}}`) or flat (`{id, name, arguments}`, `{toolCallId, toolName, args}`, `{id, name, input}`). Arguments are
 * JSON text, or the parsed object.
 */
export interface ToolCallLike {
  id?: string | undefined;
  /** The id that results name, where a call has another one of its own. */
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

/** When a message came: milliseconds since the epoch (seconds are recognised), an ISO 8601 text, or a `Date`. */
export type MessageTime = number | string | Date;

/**
 * What a message must at least look like. Every field may be missing or odd: a message that a rule
 * cannot read is left as it is, never an error. Your own message type goes in and comes out.
 */
export interface MessageLike {
  role: string;
  content?: unknown;
  tool_calls?: readonly ToolCallLike[] | null | undefined;
  tool_call_id?: string | null | undefined;
  /** As SWE-agent has it: one id is read as `tool_call_id`. */
  tool_call_ids?: readonly string[] | null | undefined;
  /** As `tool_calls`, which holds where a message has both. */
  toolCalls?: readonly ToolCallLike[] | null | undefined;
  /** As `tool_call_id`, which holds where a message has both. */
  toolCallId?: string | null | undefined;
  /** For results without a time see {@link UnknownAgeOption}. */
  timestamp?: MessageTime | null | undefined;
  /** Read where `timestamp` is undefined or null, as are `created_at` and `ts`. */
  createdAt?: MessageTime | null | undefined;
  messageStatus?: string | undefined;
}

/**
 * An item of OpenAI's Responses (`ResponseInputItem`) or Agents SDK (`AgentInputItem`), or a message of LangChain's
 * (`BaseMessage`): what has a `type` instead of a role.
 */
export interface TypedMessageLike {
  type: string;
  content?: unknown;
  timestamp?: MessageTime | null | undefined;
}

/** Such an item that may leave its `type` out, as `EasyInputMessage` does, or reference another by its id. */
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

/** Bedrock's `Message` of the Converse API, whose SDK lets each field be undefined. */
export interface ConverseMessageLike {
  role: string | undefined;
  content: readonly object[] | undefined;
  timestamp?: MessageTime | null | undefined;
  tool_calls?: never;
  toolCalls?: never;
  toolCallId?: never;
}

/** A message in one of the forms that are understood: see docs/messages.md. Your own type goes in and comes out. */
export type AgentMessage = MessageLike | TypedMessageLike | ReferenceLike | ContentLike | ConverseMessageLike;

/** What one rule did. */
export interface RuleReport {
  /** Results replaced; for `orphans`, messages, results and repeated calls removed and calls answered. */
  readonly changed: number;
  /**
   * UTF-16 units that are no longer sent. Never negative, but for the functions that stand in for a host's own: they
   * replace a result that is shorter than its placeholder, too.
   */
  readonly unitsRemoved: number;
  /** Tokens of `o200k_base`: exact for OpenAI's models, an estimate for others. Counted when it is first read. */
  readonly estimatedTokensSaved: number;
  /** Only for rules grouped by path: the same figures per normalised path. A batch read counts for each of its paths. */
  readonly byPath?: Readonly<Record<string, { readonly changed: number; readonly unitsRemoved: number }>>;
}

/** What a call did. Frozen; the same object may be handed out again while nothing has changed. */
export interface CleanupReport {
  /** Results replaced, messages, results and repeated calls removed, calls answered. */
  readonly changed: number;
  /** The places of their messages in the array as it was passed in, ascending, each once. */
  readonly indices: readonly number[];
  readonly unitsRemoved: number;
  readonly estimatedTokensSaved: number;
  /** Keyed by rule name: `orphans`, `binary`, `repeated`, `terminal`, `fileReads`, `textSearch`, or the name you gave. */
  readonly byRule: Readonly<Record<string, RuleReport>>;
  /** Messages of a form that isn't known: left alone, and nothing was counted stale in them. */
  readonly unrecognised: number;
  /** What they look like, such as `{'ai-sdk': 12}`. */
  readonly unrecognisedForms: UnrecognisedForms;
  /**
   * Of `changed`, what went because another result of the same call, or another call of the same id in its message, stays: a
   * provider takes one of each. `byRule.orphans` counts them, too.
   */
  readonly duplicates: number;
  /**
   * Results that no rule can replace, since the provider's own tools gave them (`mcp_tool_result`, `web_search_tool_result`,
   * `mcp_call`, …) or it takes nothing else in their place (`computer_call_output`). They are sent as they are.
   */
  readonly unchangeable: number;
  /**
   * Results whose calls are nowhere among the messages, and that are sent all the same: where no call is declared at all, the
   * messages are an excerpt. Only with `orphans: 'answer'`, as in a `ContextView`; else such results go.
   */
  readonly unmatchedResults: number;
  /** How often each tool is called that no rule is about, by its name: its results stay. Empty where there is no rule. */
  readonly uncoveredTools: Readonly<Record<string, number>>;
  /** What is odd about the times that the rules went by; zeros where no rule asks for any. */
  readonly timestamps: {
    /** Tool results that a rule looked at and that have no time: see {@link UnknownAgeOption}. */
    readonly unknown: number;
    /** Tool results whose time is in seconds since 1970. They are judged by it as such. */
    readonly seconds: number;
  };
  /** All figures as a plain object. The report's own are getters, worked out when they are first read: a spread has none. */
  toJSON(): Omit<CleanupReport, 'toJSON'>;
}

/** What a message looks like that is no chat message; `other` for what looks like nothing that is known by name. */
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

/** A dialect that messages can be read in; `openai-chat` is camelCase chat, too. */
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

/** In which dialect messages are read. */
export interface DialectOption {
  /**
   * Reads every message in this dialect; one that can't be counts as not recognised, plain text as chat's. Default: each as
   * it looks. RangeError for another name.
   */
  dialect?: MessageDialect | null | undefined;
}

/** How many messages look like which form. */
export type UnrecognisedForms = Readonly<Partial<Record<MessageForm, number>>>;

/** What decides that a tool result is an error; errors always stay. */
export type ErrorDetection =
  /**
   * Starts with `Error:`, is marked as failed by its host, or (terminal results) says in any known form that its command failed:
   * exit codes, `success: false`, `stderr`, a line such as `Exit code: 1`. docs/cleanup.md has them.
   */
  | 'exitCode'
  /** As `exitCode`, but of a result's text only `Error:` and the `stderr` of one whole JSON object count. */
  | 'seed'
  /** Starts with `Error:`, or is marked as failed by its host. */
  | 'status';

/** The clock. */
export interface NowOption {
  /** The time to judge ages by, ms since the epoch. Default `Date.now()`. Same input and same `now`: same output. RangeError for seconds. */
  now?: number | undefined;
}

/** The language of the placeholders that a preset brings along. */
export interface PlaceholderLanguageOption {
  /**
   * `'zh'` (default): the texts of the hosts' own functions, to the letter. `'en'`: their English counterparts. A
   * `placeholder` of your own wins. What was replaced in one language stays when a session goes on in the other.
   */
  placeholderLanguage?: 'zh' | 'en' | undefined;
}

/** The language of all placeholders that the presets bring along. */
export interface SpokenLanguageOption {
  /**
   * `'auto'` (default): the user's, which is told as for summaries, and stays. {@link prepareMessages}, which remembers
   * nothing, goes by the messages up to the first result; a `ContextView` by those up to its first placeholder. `'zh'`, `'en'`: that
   * one. A preset's own `placeholderLanguage` or `placeholder` wins.
   */
  placeholderLanguage?: 'auto' | 'zh' | 'en' | null | undefined;
}

/** What becomes of tool results that have no time. */
export interface UnknownAgeOption {
  /**
   * `'keep'`: they stay, and take none of the newest places. `'old'`: they count as older than every age limit, and
   * as newer the later they stand in the array. Default `'keep'`; in {@link prepareMessages}
   * `'old'` where no result of the array has a time, else `'keep'`. A `ContextView` goes by when it first saw them.
   */
  unknownAge?: 'keep' | 'old' | undefined;
}

/** Options of {@link simplifyOutdatedTerminalResults}. */
export interface TerminalOptions extends NowOption, UnknownAgeOption, PlaceholderLanguageOption, DialectOption {
  /**
   * How many of the newest successful results of any tool stay. Default 5. Of equal timestamps the later message is
   * the newer.
   */
  keepRecent?: number | undefined;
  /** A result must be older than this, strictly. Default 900 000 (15 minutes). */
  maxAgeMs?: number | undefined;
  /** Names of terminal tools, compared without case. Default: `terminal-execute` and the well-known shell tools. */
  terminalTools?: readonly string[] | undefined;
  /**
   * Default `此命令返回内容已过时`, in English `[Outdated command output removed]`. See
   * {@link SimplificationRule.placeholder} for what it may hold.
   */
  placeholder?: string | undefined;
  /** Default `'exitCode'`. */
  errors?: 'exitCode' | 'seed' | undefined;
  /** Errors use up the newest five as in the reference. They stay in any case. Default false. */
  countErrors?: boolean | undefined;
}

/** Options of {@link simplifyHistoricalFileReads}. */
export interface FileReadOptions extends NowOption, UnknownAgeOption, PlaceholderLanguageOption, DialectOption {
  /**
   * How many of the newest successful reads of each path stay. Default 5. Of equal timestamps the later message is
   * the newer; a path that one call names several times counts once.
   */
  keepRecent?: number | undefined;
  /** Names of reading tools, compared exactly. Default `['filesystem-read']`. */
  readTools?: readonly string[] | undefined;
  /** Argument keys that hold paths. Default `['filePath']`. */
  pathKeys?: readonly string[] | undefined;
  /** What relative paths are relative to. Default `process.cwd()`. */
  projectRoot?: string | undefined;
  /** Default: true on Windows only. */
  caseInsensitivePaths?: boolean | undefined;
  /**
   * Default `[该文件的历史读取内容已压缩,请参看最新读取结果]`, in English
   * `[Earlier read of this file removed: see its latest read]`.
   */
  placeholder?: string | undefined;
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
  countErrors?: boolean | undefined;
}

/** A rule of your own: which tool results it covers, which of them stay, and what the others become. */
export interface SimplificationRule {
  /** Names the rule in `report.byRule`; unique within a call. */
  name: string;
  /** Tool names it covers. */
  tools?: readonly string[] | undefined;
  /** Compare `tools` without case. Default false. */
  ignoreCase?: boolean | undefined;
  /** A result whose call is not declared is covered when its content contains one of these. */
  contentMarkers?: readonly string[] | undefined;
  /** Whose newest count together: all covered results, those of one path, or those with one value of an argument. Default `'none'`. */
  groupBy?: 'none' | 'path' | { argument: string } | undefined;
  /** With `groupBy: 'path'`. Default `['filePath']`. */
  pathKeys?: readonly string[] | undefined;
  projectRoot?: string | undefined;
  caseInsensitivePaths?: boolean | undefined;
  /** With `groupBy: 'none'`: among which results the newest are counted. Default `'covered'`. */
  recentAmong?: 'allTools' | 'covered' | undefined;
  /** Newest successful results that stay, per group; of equal timestamps the later message is the newer. Default 5. */
  keepRecent?: number | undefined;
  /** Only results older than this, strictly. Default: any age. */
  maxAgeMs?: number | undefined;
  /** Default `'status'`. */
  errors?: ErrorDetection | undefined;
  /** Errors use up `keepRecent`. Default false. */
  countErrors?: boolean | undefined;
  /**
   * What the content becomes. `{tool}`, `{path}`, `{chars}` (length of the original) and `{age}` (whole
   * minutes, such as `17 min`) are filled in, an age that isn't known as `? min`. `{age}` changes with the clock, and
   * with it the prompt's prefix: it defeats the provider's prompt cache. A tool's name or a path of more than 1,024
   * units is filled in with its middle left out, and what all of them together would take above 8,192 units is `…`.
   */
  placeholder: string;
}

/**
 * Removes, in place, assistant messages with a tool call that has no result, together with the results of their
 * other calls, and tool results whose call is not declared. Kept messages keep identity and order.
 *
 * Ids may be used again: a result answers the nearest call of its id before it, and only where there is none the
 * first one after it. A call that no result answers goes even if an earlier call of the same id was answered.
 * Messages without ids stay. Linear in the messages.
 * @throws TypeError when `messages` is not an array, or is frozen or sealed.
 */
export function cleanOrphanedToolCalls<T extends AgentMessage>(
  messages: T[],
  options?: DialectOption | null,
): CleanupReport;

/**
 * Replaces, in place, the slots of old successful terminal results by copies whose content is a placeholder. The
 * message objects themselves are never written to. A declared terminal tool decides, whatever its output looks like:
 * plain text is replaced, too.
 *
 * Goes by time stamps alone, as the hosts' own function does: after a clock was set back, results that have just come are
 * older than those before them, and may be replaced before the model has seen them. {@link prepareMessages} is safe from that.
 * @throws TypeError, RangeError for a wrong argument, before anything has changed.
 */
export function simplifyOutdatedTerminalResults<T extends AgentMessage>(
  messages: T[],
  options?: TerminalOptions,
): CleanupReport;

/**
 * Replaces, in place, file reads that are outdated for every path they cover: a batch stays while it is among the
 * newest of any of its files. Goes by time stamps alone, see {@link simplifyOutdatedTerminalResults}.
 */
export function simplifyHistoricalFileReads<T extends AgentMessage>(
  messages: T[],
  options?: FileReadOptions,
): CleanupReport;

/** Replaces, in place, old text search results. Goes by time stamps alone, see {@link simplifyOutdatedTerminalResults}. */
export function simplifyTextSearchResults<T extends AgentMessage>(
  messages: T[],
  options?: TextSearchOptions,
): CleanupReport;

/**
 * Applies rules of your own, in place, in their order; the first that condemns a result names its placeholder. As in
 * {@link prepareMessages}, a result that is no longer than its placeholder stays; ages go by time stamps alone, see
 * {@link simplifyOutdatedTerminalResults}.
 */
export function simplifyToolResults<T extends AgentMessage>(
  messages: T[],
  rules: readonly SimplificationRule[],
  options?: NowOption & UnknownAgeOption & DialectOption,
): CleanupReport;

/**
 * Options of {@link prepareMessages}: `false` turns a step off. The presets are about the tools of all agents in use today, as in
 * a {@link ContextView}; lists of your own name others. Tools are compared without case.
 */
export interface PrepareOptions extends NowOption, UnknownAgeOption, SpokenLanguageOption, DialectOption {
  /**
   * What becomes of calls without a result. `true` or `'remove'` (default): their message goes, with the results of its
   * other calls. `'answer'`: the call gets an error for a result, so that its message keeps its text and its other calls.
   * `false`: they stay. Results without a call go in both of the former.
   */
  orphans?: boolean | 'remove' | 'answer' | undefined;
  /**
   * Replaces binary data in the texts of tool results, on copies, as {@link sanitizeToolResult} does; `report.byRule.binary` counts the
   * messages. Images that a provider takes as images stay. Default false.
   */
  binary?: boolean | undefined;
  /**
   * Has a result refer to lines that an earlier result or call holds, instead of repeating them: `[lines 12–96 as in #7 Read src/a.ts]`.
   * `report.byRule.repeated` counts the results. What the rules replace is not referred to. Default false.
   */
  repeated?: boolean | undefined;
  terminal?: boolean | Omit<TerminalOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  fileReads?: boolean | Omit<FileReadOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Default false. */
  textSearch?: boolean | Omit<TextSearchOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Further rules, applied after the presets. */
  rules?: readonly SimplificationRule[] | undefined;
}

/** What to send, and what was done to get there. */
export interface PreparedMessages<T> {
  messages: T[];
  report: CleanupReport;
}

/**
 * Orphans, terminal results, file reads and rules of your own in one walk; a new array, the input untouched.
 *
 * A result that is no longer than its placeholder (in UTF-16 units) stays as it is: nothing gets longer. The functions
 * that stand in for a host's own replace it, as the host did.
 *
 * A clock that is set back makes nothing older: a result is as old as the newest time up to it says, the newest stand last in the
 * array, and what the model has not answered yet stays.
 */
export function prepareMessages<T extends AgentMessage>(
  messages: readonly T[],
  options?: PrepareOptions,
): PreparedMessages<T>;

/** A logger that takes the message and then the fields: `console`, winston, most that hosts write themselves. A missing method drops its level. */
export interface MessageFirstLogger {
  debug?(message: string, fields: Record<string, unknown>): void;
  info?(message: string, fields: Record<string, unknown>): void;
  warn?(message: string, fields: Record<string, unknown>): void;
  error?(message: string, fields: Record<string, unknown>): void;
}

/** A logger that takes the fields and then the message. A missing method drops its level. */
export interface FieldsFirstLogger {
  debug?(fields: Record<string, unknown>, message: string): void;
  info?(fields: Record<string, unknown>, message: string): void;
  warn?(fields: Record<string, unknown>, message: string): void;
  error?(fields: Record<string, unknown>, message: string): void;
}

/** What pino and bunyan have, and by which they are known: they get the fields first without being asked for it. */
export type PinoLikeLogger = FieldsFirstLogger & ({ child(...given: any[]): unknown } | { bindings(): unknown });

/**
 * Where log events go. What has `bindings`, or `child` but none of winston's `transports`, gets the fields first,
 * everything else the message; {@link LogOptions.logStyle} says otherwise. The fields print as JSON where a logger only
 * joins its arguments.
 */
export type Logger = MessageFirstLogger | PinoLikeLogger;

/** Options of {@link setLogger}. */
export interface LogOptions {
  /** What the logger takes first. Default: told from the logger, see {@link Logger}. */
  logStyle?: 'message-first' | 'fields-first' | null | undefined;
}

/**
 * Sends structured events of this thread to `logger`; `null` turns them off. Without a logger, and without
 * `PALIMPSEST_LOG` (a file that gets them as JSON lines), logging costs nothing. Message content never reaches a log.
 * @throws TypeError, RangeError for what is no logger and no style.
 */
export function setLogger(logger: FieldsFirstLogger, options: { logStyle: 'fields-first' }): void;
export function setLogger(logger: MessageFirstLogger | null, options?: LogOptions | null): void;
export function setLogger(logger: Logger | null, options?: LogOptions | null): void;

/** Which model's tokens are counted. Neither: `o200k_base`. */
export interface TokenCounterOptions extends DialectOption {
  /** Any spelling that gateways use, such as `gpt-4o`, `anthropic/claude-opus-4.7` or `deepseek-chat`. */
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
  /** Which part stays. Default `'head'`. */
  keep?: 'head' | 'tail' | 'both' | undefined;
  /** With `keep: 'both'`, what stands where the middle was; counted in. Default `'\n…\n'`. */
  marker?: string | undefined;
}

/**
 * Counts tokens: exactly for the texts of OpenAI's models, estimated from their pieces for others. Text that spells
 * a special token (`<|endoftext|>`) counts as ordinary text, a lone surrogate as U+FFFD. Linear in the text for
 * every input. The vocabulary is read on first use (about 10 ms), once for all threads.
 */
export class TokenCounter {
  /**
   * @throws TypeError, RangeError (`ERR_INVALID_ARG_TYPE`, `ERR_OUT_OF_RANGE`) for a wrong option. An unknown model
   * is none: it is estimated, a little high.
   */
  constructor(options?: TokenCounterOptions | null);
  /** Reads the vocabularies on another thread; resolves when counting needs to wait no more. */
  static preload(): Promise<void>;
  /** Whether texts are counted token by token. Chat format, tools and images are estimates in any case. */
  readonly isExact: boolean;
  /** The vocabulary that counts, or that the estimate starts from. */
  readonly encoding: 'o200k_base' | 'cl100k_base';
  /** Tokens of the model's window as its provider publishes it; null where the model isn't known. */
  readonly contextWindow: number | null;
  /** Tokens of `text`, rounded up. A million units take 2 to 130 ms, of which Chinese takes most: longer texts are for `countAsync`. */
  count(text: string): number;
  /** As `count`, on another thread: the event loop goes on. */
  countAsync(text: string): Promise<number>;
  /**
   * Of the messages counted last (by `countMessages`, `countMessage` or `fits`), so many were not all read: they have a
   * form that isn't known. What can be seen in them is counted as JSON text, a little high, without base64. The log is
   * told once.
   */
  readonly unrecognised: number;
  /** What they look like. Anthropic's tool blocks are read and not among them. */
  readonly unrecognisedForms: UnrecognisedForms;
  /**
   * Tokens of a request: texts, tool calls, the chat format, images by their pixel size, PDFs by their length.
   * Messages that were counted before and have not changed cost nothing again.
   */
  countMessages(messages: readonly unknown[], options?: CountMessagesOptions | null): number;
  /** Tokens of one message with its share of the chat format, rounded up. */
  countMessage(message: unknown): number;
  /** Whether a text, or a request with these messages, is at most `limit` tokens. Counts no further than it must. */
  fits(input: string | readonly unknown[], limit: number): boolean;
  /**
   * `text` when it is at most `maxTokens`, else the longest part found that is. What is returned has been counted
   * again: it is never above. Never splits a surrogate pair.
   */
  truncate(text: string, maxTokens: number, options?: TruncateTokensOptions | null): string;
}

/** The package's version, as in package.json. */
export const version: string;

// ---- Output of commands

/** `content` without blank lines at its ends; inner ones and indentation stay. */
export function trimEmptyLines(content: string): string;

/** The limit that this thread's `process.env.BASH_MAX_OUTPUT_LENGTH` asks for: default 30 000, at most 150 000. */
export function getMaxOutputLimit(): number;

/** Options of {@link truncateOutput}. */
export interface TruncateOptions {
  /** UTF-16 units to keep, 0 or more; not capped. Default {@link getMaxOutputLimit}. */
  limit?: number | null | undefined;
  /**
   * What stays of a longer output. `tail` and `both` (half and half) count kept text against the limit, the
   * notice comes on top; `errors` is `both` with the lines around errors (of a long line the part around the
   * error's words), and keeps all within the limit. Of a redrawn progress bar the last frame stays.
   * Given a mode, the result is never longer than `content`. Default: the head, whatever the notice adds.
   */
  keep?: 'head' | 'tail' | 'both' | 'errors' | null | undefined;
}

/**
 * `content` trimmed and, where longer than the limit, cut with a notice of how many lines went.
 * Never parts a surrogate pair; the result keeps nothing of a huge `content` alive. An array is a text in parts, in order, as a
 * child process writes them: together they may be longer than a string can be (512 M units).
 * @throws TypeError, RangeError for a limit that is not a non-negative safe integer, or an unknown mode.
 */
export function truncateOutput(content: string | readonly string[], limit?: number | TruncateOptions | null): string;

// ---- Tool results

/** Options of the sanitising functions. */
export interface SanitizeOptions {
  /**
   * Fields whose value is binary data whatever it looks like, in place of the default: `imageBase64`,
   * `screenshotData`, `pdfImages`, `audioData`, `videoData`. A value with no more than 100 units of data stays.
   */
  largeDataFields?: readonly string[] | null | undefined;
}

/**
 * A copy of `result` in which large binary data is a placeholder such as `[BINARY_DATA_FILTERED: 500.0KB]`:
 * - the known fields at any depth where they hold more than 100 units that are no path and no URL;
 * - base64 and data URLs of more than 10,000 units inside any text: that part alone, so JSON, Markdown and HTML around it stay valid;
 * - typed arrays, buffers, and bytes that are written as numbers.
 *
 * The result is only read; branches without such data are shared. Cyclic values are fine; maps, dates and instances of other classes stay
 * as they are.
 */
export function sanitizeToolResult<T extends object>(result: T, options?: SanitizeOptions | null): T;

/** {@link sanitizeToolResult} of each, in a new array. */
export function sanitizeToolResults<T>(results: readonly T[], options?: SanitizeOptions | null): T[];

/**
 * The same for the JSON text of an array of results: everything else stays as written, to the unit. Text that is
 * not a JSON array of objects comes back unchanged.
 */
export function sanitizeToolResultsJson(content: string, options?: SanitizeOptions | null): string;

/** What {@link formatToolResultForModel} reads; every field may be missing. */
export interface ToolResultLike {
  toolCallId?: string | undefined;
  success?: boolean | undefined;
  output?: unknown;
  error?: unknown;
  /** `imagePath`, `filePath` and `generationTimeMs` are told to the model. */
  metadata?: Record<string, unknown> | null | undefined;
}

/**
 * The results as text for a model, without binary data: `✓ id: output`, `  → Image saved: …`, `✗ id: error` and what the failed call has
 * put out. What is no string is written as JSON, an error as its `message`. An MCP server's result (`content`, `isError`, no `success`) is
 * its blocks' text.
 */
export function formatToolResultForModel(results: readonly ToolResultLike[]): string;

/** The conversation is too long for the model. `instanceof` works across copies of this package. */
export class ContextLengthExceededError extends Error {
  /** `options.language`: of `message` and `suggestion`; default `'zh'`. */
  constructor(
    requestedTokens: number | null,
    maxTokens: number | null,
    provider: string,
    options?: { language?: 'zh' | 'en' | undefined; cause?: unknown },
  );
  readonly code: 'CONTEXT_LENGTH_EXCEEDED';
  /** Null where the provider doesn't say. */
  readonly requestedTokens: number | null;
  readonly maxTokens: number | null;
  readonly provider: string;
  /** What the user can do, beside `message`. */
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
 * The overflow that a provider's error reports, or null: rate limits, sizes in bytes and output limits are none.
 * Takes a string, an error (its causes, `response.data`, `error.error` … are looked into) or a response body; a `code`
 * or `type` of `context_length_exceeded` says it too, on an error as in a body, and so does an answer that ended for it
 * (`stop_reason: 'model_context_window_exceeded'`). Headers, the request, and what somebody quotes don't count.
 * `provider` names it in the result; else it is told from the wording. For the providers which answer so (Cerebras, Mistral) a 413
 * without a word is an overflow, where `provider` names them and the error, or `status`, has the status.
 */
export function parseContextLengthError(
  error: unknown,
  provider?: string | null,
  options?: { language?: 'zh' | 'en' | null | undefined; status?: number | null | undefined } | null,
): ContextLengthExceededError | null;

/** The host's `AbortSignal`; without one in scope (neither Node's types nor the DOM's), what is used of it. */
export type HostAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      throwIfAborted(): void;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** How far a tool is, in percent. */
export interface ToolProgressUpdate {
  tool: string;
  stage: string;
  message: string;
  progress: number;
}

/** One stage of a tool's work. */
export interface ProgressStage {
  /** Its name. A stage named `complete` gives the message at 100 %. */
  stage: string;
  message?: string | undefined;
  /** Percent at its start. Default 30. The bar moves on towards the next stage's, the last's towards 80. */
  progress?: number | undefined;
  /** The message while it goes on. Default: `message` and the seconds since the start. */
  tickMessage?: ((seconds: number) => string) | undefined;
}

/** Options of {@link runWithProgress}. */
export interface ProgressOptions {
  tool: string;
  /** Gets the progress, at least every 5 s. What it throws is ignored. */
  emit?: (((progress: ToolProgressUpdate) => void) | null) | undefined;
  /** The first is entered at once, the others when `fn` says so. Default: one stage, 30 → 80 %. */
  stages?: readonly ProgressStage[] | null | undefined;
  /** How long a stage is expected to take. Default 60 000 ms. */
  estimateMs?: number | null | undefined;
  /** Default 90 000 ms; see {@link toolTimeouts}. Infinity for none. */
  timeoutMs?: number | null | undefined;
  /** What the user reads then. */
  timeoutMessage?: string | null | undefined;
  /** Of default messages. Default `'zh'`. */
  language?: 'zh' | 'en' | undefined;
  /** Ends the work from outside, with its reason. */
  signal?: HostAbortSignal | null | undefined;
}

/** What `fn` gets. */
export interface ProgressContext {
  /** Aborted on timeout, and when `options.signal` is. */
  signal: HostAbortSignal;
  /** Enters the stage of that name. */
  stage(name: string, message?: string): void;
}

/**
 * Runs `fn` with a progress bar that never goes backwards and reaches 100 only on success, and a timeout.
 * Timers are always cleared. Rejects with what `fn` rejects with, or {@link ToolTimeoutError}.
 */
export function runWithProgress<T>(
  options: ProgressOptions,
  fn: (context: ProgressContext) => T | PromiseLike<T>,
): Promise<T>;

/** A tool took longer than it may; `message` is for the user. */
export class ToolTimeoutError extends Error {
  constructor(message: string, tool: string, timeoutMs: number);
  readonly code: 'TOOL_TIMEOUT';
  readonly tool: string;
  readonly timeoutMs: number;
}

/** Timeouts in ms: 60 s behind a cloud proxy, 90 s to a provider directly, 30 s to reword a prompt. */
export const toolTimeouts: { readonly cloudProxy: number; readonly directApi: number; readonly promptExpand: number };

/** What is known of a model before its provider has reported anything. */
export interface TokenCalibrationOptions {
  /** The model's name as you send it: how far its tokenizer may differ is known by family. Default: an unknown model. */
  model?: string | undefined;
  /** A label of yours; it comes along in {@link TokenCalibration.export}. */
  provider?: string | undefined;
  /** The most tokens that a prompt of this model can have: larger figures are impossible. */
  maxContextTokens?: number | null | undefined;
  /** What your estimates count: tokens of this model, as `TokenCounter` does (default), or plain `o200k_base` tokens. */
  estimatedIn?: 'model' | 'o200k_base' | undefined;
}

/** A request that was answered: what you estimated, and what the provider reported. */
export interface TokenObservation {
  /**
   * The provider's `usage` (Gemini: `usageMetadata`) as it came, or the whole prompt's tokens. Known are the names
   * of OpenAI (chat and responses), Anthropic (input, cache reads and cache writes are added up), DeepSeek, Gemini,
   * and `promptTokens`. What is missing, zero or impossible is ignored.
   */
  usage: object | number | null | undefined;
  /** Estimated tokens of all messages of that request. */
  estimate: number;
  /** False when messages were edited between being sent and being estimated: the figure isn't theirs. Default true. */
  prefixUnchanged?: boolean | undefined;
  /** The share of `estimate` that is images and PDFs, 0 to 1. Above 0.1 the slope isn't learned. Default 0. */
  mediaShare?: number | undefined;
}

/** What a report was good for. */
export interface TokenObservationResult {
  /** `learned`: the slope and the anchor; `anchored`: the anchor only; `ignored`: nothing has changed. */
  outcome: 'learned' | 'anchored' | 'ignored';
  /** Why it wasn't learned from; null when it was. */
  reason: 'missing' | 'zero' | 'impossible' | 'stale' | 'outlier' | 'edited' | 'media' | 'repeated' | null;
  /** The whole prompt's tokens as reported, cached ones included; null when the report holds no usable figure. */
  promptTokens: number | null;
}

/** How large a prompt is expected to be. */
export interface TokenPrediction {
  /** Tokens that the provider will count. */
  tokens: number;
  /** Two standard deviations, to add where too many tokens would be worse than too few; 0 once settled. */
  margin: number;
  /** At least three figures were learned from. */
  settled: boolean;
}

/** What {@link TokenCalibration.export} gives: plain JSON. */
export interface TokenCalibrationState {
  version: number;
  provider: string;
  model: string;
  maxContextTokens: number | null;
  estimatedIn: string;
  /** Tokens of every prompt that are not among the messages: the host's own system prompt and tools. */
  overhead: number;
  /** Real tokens per estimated token. */
  slope: number;
  covariance: number[];
  samples: number;
  anchor: { estimate: number; tokens: number } | null;
}

/**
 * Learns from a provider's usage figures how many tokens a prompt really takes: a hidden overhead and a
 * ratio, anchored on the last real figure while the conversation only grows. One per provider and model.
 */
export class TokenCalibration {
  constructor(options?: TokenCalibrationOptions | null);
  /** Tells of an answered request. Wrong figures (zero, stale, doubled, impossible) are recognised and ignored. */
  observe(observation: TokenObservation): TokenObservationResult;
  /**
   * Predicts the size of a prompt whose messages are estimated at `estimate` tokens. Say `prefixUnchanged: false` when
   * messages that the last figure covers were edited, replaced or dropped; a smaller `estimate` says so by itself, and
   * what is left of such a prompt is taken for its newest part, which is what compressions keep.
   */
  predict(estimate: number, options?: { prefixUnchanged?: boolean | undefined }): TokenPrediction;
  /** What has been learned, for {@link TokenCalibration.import} after a restart. */
  export(): TokenCalibrationState;
  /** @throws TypeError, RangeError when `state` isn't what `export` gave. */
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
