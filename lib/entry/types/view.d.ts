/** One conversation's requests: outdated results are removed when that is free or pays off, and stay removed. */
import type {
  AgentMessage,
  CleanupReport,
  DialectOption,
  FileReadOptions,
  NowOption,
  SimplificationRule,
  SpokenLanguageOption,
  TerminalOptions,
  TextSearchOptions,
} from '../../../index.js';
import type { LookupTool, LookupToolOptions } from './archive.js';
import type { ArchiveStore } from './archive-store.js';
import type { PricesLike } from './cache.js';
import type {
  AutoCompressionOptions,
  CompressionOutcome,
  ConfigService,
  LlmClient,
  ProcessOptions,
} from './compression.js';
import type { FactStore } from './fact-store.js';
import type { SessionPicture } from './picture.js';

/** Agents whose tools are known. */
export type KnownAgent =
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'opencode'
  | 'cline'
  | 'roo-code'
  | 'cursor'
  | 'copilot'
  | 'pi'
  | 'swe-agent'
  | 'openhands'
  | 'snow';

/** Compression settings of {@link ContextView.prepare}: the arguments and options of an `AutoCompressionManager`, by name. */
export interface ViewCompression extends AutoCompressionOptions {
  config: ConfigService;
  llmClient: LlmClient;
  logger?: unknown | undefined;
}

/** The kind of a result, decided by its call: what a command ran, read or searched for, or what the tool does. */
export type ResultKind =
  | 'shellRun'
  | 'shellRead'
  | 'shellSearch'
  | 'fileRead'
  | 'search'
  | 'editResult'
  | 'web'
  | 'other';

/** Results removed from the conversations, by kind. */
export interface ViewReport {
  /** Number of removed results. */
  replaced: Record<ResultKind, number>;
  /**
   * How many of them the agent fetched again: the same file with the same tool, the same command, or the same arguments, before a newer result of
   * such a call was sent.
   */
  reacquired: Record<ResultKind, number>;
  /** The age, in requests, at which results of each kind are outdated. */
  ages: Record<ResultKind, number>;
}

/** The text that replaces a result. */
export interface PlaceholderOptions {
  placeholder?: string | undefined;
  placeholderLanguage?: 'zh' | 'en' | undefined;
}

/** A tool result, as passed to {@link ContextViewOptions.protect}. */
export interface ViewResult {
  /** The id that the result names. Empty if the result has none. */
  toolCallId: string;
  /** Empty if its call isn't among the messages. */
  toolName: string;
  /** Its text. */
  content: string;
  /** The message that contains it, as it was passed. */
  message: any;
  /** The message's index in the array. */
  index: number;
}

/** Options of {@link ContextView.lookupTool}. `sessionId` or `allSessions` is required with an archive and not allowed without. */
export interface ViewLookupToolOptions extends LookupToolOptions {
  /** Where other ids and words are looked up. */
  archive?: Pick<ArchiveStore, 'getMany' | 'search'> | null | undefined;
}

/** Options of a {@link ContextView}. `dialect` also applies to its compression. */
export interface ContextViewOptions extends SpokenLanguageOption, DialectOption {
  /** The provider's input token prices. Default `'anthropic'`. */
  price?: PricesLike | undefined;
  /** The maximum extra cost of a session compared with its unmodified history, as a share, at most 1. Default 0.02. */
  maxExtraCost?: number | undefined;
  /**
   * The prompt size in tokens above which outdated results are removed at any cost, as soon as they make up a tenth of the budget or nothing was
   * removed for 16 requests. Default: no budget.
   */
  budgetTokens?: number | undefined;
  /** Replaces base64 and data URLs in the texts of tool results with a placeholder, at any age. Default true. */
  binary?: boolean | undefined;
  /**
   * Replaces lines that an earlier result or call of the prompt already contains with a reference: `[lines 12–96 as in #7 Read src/a.ts]`. The
   * reference is used from the result's first request on, so it never changes a sent prefix. Errors, results with images or other media, and kept, protected or
   * pinned results are sent whole. Default true; false with `outdatedBy: 'nothing'`, and in adapters.
   */
  repeated?: boolean | undefined;
  /**
   * Uses the view's own clock as the time of a request if its messages have no times. Each such request becomes a fact of
   * {@link ContextView.export}. Default true; false for {@link ContextViews} and adapters, which use the store's clock if there is a store.
   */
  arrivalTimes?: boolean | undefined;
  /**
   * States that the application sets cache breakpoints where {@link ContextView.breakpoints} says and that the provider caches only up to
   * breakpoints; removals are priced accordingly. Default false.
   */
  marks?: boolean | undefined;
  /** The agent whose tools' results become outdated. Default: the tools of all known agents. */
  tools?: KnownAgent | undefined;
  /**
   * The criterion by which results become outdated. Default `'kind'`.
   * - `'kind'`: its age in requests (`ages`), by kind: commands run and edits after 25, searches and other tools after 50, reads after 120.
   * - `'age'`: the rules of `prepareMessages`, by minutes and the newest five; `ages` doesn't apply.
   * - `'nothing'`: only rules named in the options.
   *
   * A preset with `keepRecent`, `maxAgeMs`, `errors` or `countErrors` set uses `'age'`.
   */
  outdatedBy?: 'kind' | 'age' | 'nothing' | undefined;
  /** The age in requests, per kind, at which results are outdated, from 1 to 1,000,000. Overrides the values of `outdatedBy: 'kind'`. */
  ages?: Partial<Record<ResultKind, number>> | undefined;
  /**
   * Tools whose results no rule replaces: names, or patterns in which `*` matches any characters (`'mcp__db__*'`). Case-sensitive. Wins over
   * `dropTools`.
   */
  keepTools?: readonly string[] | undefined;
  /** Tools whose results, including errors, are outdated as soon as the model has responded to them; written as in `keepTools`. */
  dropTools?: readonly string[] | undefined;
  /**
   * Returns true for a result that must stay whole. Called once for each text of a result, before the result is pending or gets references. If it
   * throws or returns a promise, the result stays and the event `unanswered` is logged. It should return the same in every process.
   */
  protect?: ((result: ViewResult) => boolean) | undefined;
  /**
   * Messages whose results stay whole: ids of messages (`id`) or of calls, or a function like `compression.pin`. `prepare` also uses it
   * for compression if `compression` has no `pin`.
   */
  pin?: readonly string[] | ((message: any) => boolean) | undefined;
  /** Old output of commands. Default true. */
  terminal?: boolean | Omit<TerminalOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Old reads of files; with `'age'`, all but each file's newest. Default true. */
  fileReads?: boolean | Omit<FileReadOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Old search results. Default true. */
  textSearch?: boolean | Omit<TextSearchOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Old results of edits; never with `'age'`. Default true. */
  edits?: boolean | PlaceholderOptions | undefined;
  /** Old results of all other tools; never with `'age'`. Default true. */
  otherTools?: boolean | PlaceholderOptions | undefined;
  /** Custom rules, applied after the presets. */
  rules?: readonly SimplificationRule[] | undefined;
  /**
   * The output of a command is outdated, at any age, once the same command has run again without an error. Default: true; with
   * `outdatedBy` other than `'kind'`, false.
   */
  repeatedCommands?: boolean | undefined;
  /**
   * Sets how calls without a result are handled. Default `'answer'`: an interrupted call gets an error result. Calls of the current turn are not
   * considered interrupted.
   */
  orphans?: boolean | 'remove' | 'answer' | undefined;
  /** The age of results without a time. Default: the time since the view first saw them. */
  unknownAge?: 'keep' | 'old' | undefined;
  /** Makes {@link ContextView.prepare} compress. */
  compression?: ViewCompression | undefined;
  /** The share of the context window above which `prepare` compresses while nothing is cached. Default: as configured. */
  compressWhenCold?: number | undefined;
}

/** Why a request removes pending results (outdated, and still sent), or why it doesn't. */
export type ViewReason =
  | 'nothing-pending'
  /** Nothing is cached, so the removal costs nothing. */
  | 'cold'
  /** The provider has no cache, or cached tokens cost as much as others. */
  | 'no-cache'
  /** This part of the prompt is not cached, because something before it changed. */
  | 'prefix-changed'
  /** The prompt is larger than `budgetTokens`. */
  | 'budget'
  /** The removal saves more over the next requests than it costs. */
  | 'pays'
  /** Nothing is removed: it would cost more than it saves. */
  | 'waiting'
  /** Nothing is removed: it would pay off, but could exceed `maxExtraCost` if the session ended now. */
  | 'guarantee';

/** Options of one request. */
export interface RequestOptions extends NowOption {
  /** True for a side request, such as one for a title: nothing is removed with it that the conversation still sends. Default false. */
  side?: boolean | undefined;
}

/** Options of one request among many conversations. */
export interface ConversationOptions extends RequestOptions {
  /** The conversation's name, not empty. Without it the messages identify it; required with an archive, unless `compression.sessionId` is set. */
  conversationId?: string | undefined;
}

/** The result of {@link ContextView.project}. */
export interface Projected<T> {
  /** A new array. */
  messages: T[];
  /** The differences from the stored messages. `indices` are positions in the array that was passed. */
  report: CleanupReport;
}

/** The result of {@link ContextView.prepare}. */
export interface PreparedRequest<T> extends Projected<T> {
  /** The messages after compression, with all their fields: the array that was passed, or its replacement. `report` refers to these. */
  history: T[];
  /** The outcome of compression; its reason is `not_configured` without the option, `below_threshold` while there is room. */
  compression: CompressionOutcome;
}

/** The effect that the next request would have. Costs are in tokens at the base price of input. */
export interface ViewPlan {
  /** True if something would be replaced. */
  isDue: boolean;
  reason: ViewReason;
  /** Indices of the messages in which something would be replaced. */
  indices: number[];
  /** The first of these indices; null if there is none. */
  firstChange: number | null;
  /** Messages that contain pending results: their tokens as sent now, and the tokens that removal would save. */
  pending: { index: number; tokens: number; tokensSaved: number }[];
  /** Estimated tokens of the next prompt, without what this plan removes, and how many of them are expected from the cache. */
  totalTokens: number;
  cachedTokens: number;
  /** The cost of the request, and its cost with the history unmodified. */
  cost: number;
  costLeftAlone: number;
  /** Tokens by which the prompt would shrink. */
  tokensSaved: number;
  /** The immediate cost of the change; negative if it saves at once. */
  extraCost: number;
  /** The saving of each further request. */
  gainPerRequest: number;
  /** Number of requests after which the change pays off; Infinity if never. */
  paysAfterRequests: number;
  /** Number of results that would stay pending, and the tokens that removing them would save. */
  leftPending: number;
  tokensLeftPending: number;
}

/** One change of the messages sent. Costs are in tokens at the base price of input. */
export interface ViewDecision {
  /** When its request was sent, ms since the epoch. */
  timeMs: number;
  /** The number of its request in the conversation, from 0, as in placeholders (`#4`); retries and side requests have none. */
  request: number;
  reason: ViewReason;
  /** Index of the first message that changed. */
  position: number;
  /** Number of results that were removed. */
  results: number;
  tokensSaved: number;
  extraCost: number;
  gainPerRequest: number;
}

/**
 * The cost of all requests, and their cost with the history unmodified, in tokens at the base price of input. Provider reports correct both; a
 * request without a report counts as the price list predicts.
 */
export interface Costs {
  /** Includes side requests, retries, abandoned branches, and requests of other processes since the newest summary; without requests for summaries. */
  requests: number;
  cost: number;
  costLeftAlone: number;
  /** Lower and upper bounds: without a report it is unknown whether a request was a cache hit. */
  range: { cost: [number, number]; costLeftAlone: [number, number] };
}

/**
 * The costs of all requests so far, and the removals in the conversation as it is now: their number, and the sums of their figures. A rewind or an
 * agent's own summary takes removals that no longer apply off the list.
 */
export interface ViewLedger extends Costs {
  changes: number;
  /** Number of removed results: those that are left out now. */
  results: number;
  tokensSaved: number;
  extraCost: number;
  /** The newest 256, also those decided for requests that another process sent. */
  entries: ViewDecision[];
}

/** When a request was sent: the request with `length` messages whose last one has the fingerprint `mark`. */
export interface RequestFact {
  type: 'request';
  length: number;
  mark: number | null;
  sentMs: number;
  /** The request was sent without the view, such as after a plug-in failed: nothing was removed with it. */
  isUndecided?: boolean;
}

/**
 * A summary and the fingerprints of the messages that it replaces. `system`: the length of the system prompt before it; `after`: how many summaries
 * its author knew.
 */
export interface SummaryFact {
  type: 'summary';
  system: number;
  after?: number | undefined;
  messages: (number | null)[];
  head: any[];
}

/** The facts that a view knows in addition to the messages and its options. JSON; it contains no messages except summaries. */
export type ViewFact = RequestFact | SummaryFact;

/**
 * Decides for each request of one conversation which outdated results to remove: while nothing is cached, or if removal saves more than it costs.
 * Between two removals the returned messages keep their prefix byte for byte. The output is a function of the messages, the options and the facts:
 * another process that has these sends the same bytes.
 */
export class ContextView {
  /** @throws TypeError, RangeError for an invalid option. */
  constructor(options?: ContextViewOptions);
  /**
   * Returns the messages to send. Call it once before each request, with all messages. The array is new; the input is not written to. The time is
   * proportional to the messages added since the last call. The same messages give the same output.
   */
  project<T extends AgentMessage>(messages: readonly T[], options?: RequestOptions): Projected<T>;
  /**
   * Compresses if due, projects, and removes fields that a provider would reject. The view keeps the compressed history; the input is not written
   * to.
   * @throws the abort reason of `signal`
   */
  prepare<T extends AgentMessage>(
    messages: readonly T[],
    options?: RequestOptions & ProcessOptions,
  ): Promise<PreparedRequest<T>>;
  /**
   * Reads the context window's size from a model's error; that size applies from then on. Returns it in tokens; null if the error doesn't report
   * it, or without compression.
   */
  noteOverflow(error: unknown, options?: { model?: string | null | undefined } | null): number | null;
  /** The plan for a request that adds no messages. */
  plan(options?: NowOption): ViewPlan;
  /** The costs of the requests so far. */
  ledger(): ViewLedger;
  /** The removed results, and those of them that the agent fetched again. O(calls of the conversation). */
  report(): ViewReport;
  /**
   * Where to put Anthropic's `cache_control`, as indices in the array that was passed last: at the end, before the message expected to change next,
   * and after the system prompt. At most four, minus the breakpoints that the application set itself. With `marks: true` removals are priced by
   * these breakpoints.
   */
  breakpoints(): number[];
  /**
   * Reads the provider's usage report of the last request, in any provider's format. Reports that are attached to messages are found without it.
   * @throws TypeError if `usage` is not an object.
   */
  observe(usage: object): void;
  /**
   * Returns a tool with which the model retrieves the text behind a placeholder, by the number at its start (`#41`); without an archive it can also
   * search the replaced results. It reads the messages of the newest request.
   * @throws TypeError, RangeError for an invalid option.
   */
  lookupTool(options?: ViewLookupToolOptions): LookupTool;
  /** The facts, oldest first: what another process needs, in addition to the messages and the options, to send the same bytes. */
  export(): ViewFact[];
  /**
   * Creates a view from these facts.
   * @param facts the return value of `export()`, or its JSON text
   * @throws TypeError, RangeError for anything else.
   */
  static import(facts: readonly ViewFact[] | string, options?: ContextViewOptions | undefined): ContextView;
}

/** Options of {@link ContextViews}. */
export interface ContextViewsOptions extends ContextViewOptions {
  /** Maximum number of conversations kept; beyond it the least recently used is dropped. Default 64. */
  maxViews?: number | undefined;
  /**
   * Stores the facts of conversations, so that any process can continue any conversation. Each request must then name its conversation. A failing
   * or slow store never fails a request.
   */
  store?: FactStore | null | undefined;
  /** How long a request waits for the store in total before it continues without. 1 or more; default 1 000 ms. */
  storeTimeoutMs?: number | undefined;
  /** Receives failures of the store. Errors that it throws are ignored. */
  onEvent?: ((event: StoreEvent) => void) | null | undefined;
}

/** A failure of the store during a request. */
export interface StoreEvent {
  type: 'store';
  /** The store failed or took too long; the request was prepared without it. */
  did: 'went_on_without';
  conversationId: string;
  error: unknown;
}

/** Views of many conversations, each found by its id, its last messages or its first ones. */
export class ContextViews implements Iterable<ContextView> {
  constructor(options?: ContextViewsOptions);
  /** Number of conversations in memory: the others were dropped. */
  readonly size: number;
  /** The view of the conversation that the messages continue or rewind, or that has the id. */
  viewFor(messages: readonly AgentMessage[], options?: ConversationOptions): ContextView;
  project<T extends AgentMessage>(messages: readonly T[], options?: ConversationOptions): Projected<T>;
  prepare<T extends AgentMessage>(
    messages: readonly T[],
    options?: ConversationOptions & ProcessOptions,
  ): Promise<PreparedRequest<T>>;
  /** The costs of all conversations, including dropped ones. One that comes back after that counts again from its first request. */
  ledger(): Costs;
  /**
   * Returns a tool with which the model of the conversation `conversationId` retrieves the text behind a placeholder, as `lookupTool` of its view
   * does. With an archive, `sessionId` defaults to the conversation's name. It reads what this process has of the conversation.
   * @throws TypeError, RangeError for an invalid option.
   */
  lookupTool(options: ViewLookupToolOptions & { conversationId: string }): LookupTool;
  /** The report of all conversations, including dropped ones. */
  report(): ViewReport;
  /** The views kept, the most recently used last. */
  [Symbol.iterator](): IterableIterator<ContextView>;
}

/**
 * The data for `<context-map>` of a live view: the cells of `messages`, which of them are replaced or pending, and how many were in the provider's
 * cache at the last request. It has one thread with one request and no costs. Tokens are the view's estimates. Messages that the view has not seen,
 * or that changed since, are shown as stored. Changes nothing. O(texts).
 * @param messages as they were passed to `project`. Default: the messages passed last, such as by an adapter
 * @throws TypeError if `view` is not a ContextView or `messages` not an array
 */
export function contextPicture(view: ContextView, messages?: readonly AgentMessage[]): SessionPicture;
