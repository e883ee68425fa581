/** One conversation as it is sent: what is outdated is left out when that costs nothing or pays, and stays out. */
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

/** Agents whose tools are known by name. */
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

/** What {@link ContextView.prepare} compresses with; the options of an `AutoCompressionManager`, by name. */
export interface ViewCompression extends AutoCompressionOptions {
  config: ConfigService;
  llmClient: LlmClient;
  logger?: unknown | undefined;
}

/**
 * More that is stale. All but `editedReads` are on where results are outdated by kind; elsewhere each is off unless asked for. Judged by the call and its arguments; in doubt a result stays, and only a
 * success supersedes.
 */
export interface StaleOptions {
  /** A read of lines that a later read of the same file holds, too. */
  coveredReads?: boolean | undefined;
  /** Experimental, since models go on using what the edit left as it was: a read of a file that was edited or written later. */
  editedReads?: boolean | undefined;
  /** The output of a command that was run again later. */
  repeatedCommands?: boolean | undefined;
  /** A result that a later result of the same tool repeats word for word. */
  identicalResults?: boolean | undefined;
  /** An error of a call that succeeded later, with the same arguments. */
  resolvedErrors?: boolean | undefined;
}

/** What a result is, by the call that brought it: what a command ran, read or searched for, and what tools of their own do. */
export type ResultKind =
  | 'shellRun'
  | 'shellRead'
  | 'shellSearch'
  | 'fileRead'
  | 'search'
  | 'editResult'
  | 'web'
  | 'other';

/** What was removed from the conversations, by kind. */
export interface ViewReport {
  /** How many results are removed. */
  replaced: Record<ResultKind, number>;
  /**
   * How many of them the agent fetched again: the same file with the same tool, the same command, or the same arguments, while no newer result of
   * such a call was sent.
   */
  reacquired: Record<ResultKind, number>;
  /** After how many requests results of each kind are outdated. */
  ages: Record<ResultKind, number>;
}

/** What stands in the place of a result. */
export interface PlaceholderOptions {
  placeholder?: string | undefined;
  placeholderLanguage?: 'zh' | 'en' | undefined;
}

/** A tool result, as {@link ContextViewOptions.protect} is asked about it. */
export interface ViewResult {
  /** Empty where it has none. */
  toolCallId: string;
  /** Empty where its call isn't among the messages. */
  toolName: string;
  /** Its text. */
  content: string;
  /** The message that holds it, as it was passed. */
  message: any;
  /** That message's place in the array. */
  index: number;
}

/** Options of {@link ContextView.lookupTool}; `sessionId` or `allSessions` with an archive only, and needed there. */
export interface ViewLookupToolOptions extends LookupToolOptions {
  /** Where other ids and words are looked up. */
  archive?: Pick<ArchiveStore, 'getMany' | 'search'> | null | undefined;
}

/** Options of a {@link ContextView}. `dialect` holds for all that the view does, its compression included. */
export interface ContextViewOptions extends SpokenLanguageOption, DialectOption {
  /** What the provider's input tokens cost. Default `'anthropic'`. */
  price?: PricesLike | undefined;
  /** The most that a session may cost beyond the same session with its history unmodified, as a share, at most 1. Default 0.02. */
  maxExtraCost?: number | undefined;
  /**
   * Above so many tokens whatever is outdated is removed, at any cost, as soon as it is a tenth of the budget or nothing was removed for 16
   * requests. Default: no budget.
   */
  budgetTokens?: number | undefined;
  /** Whether base64 and data URLs inside tool results' texts are replaced by a placeholder, at every age. Default true. */
  binary?: boolean | undefined;
  /**
   * Whether a result refers to lines that an earlier result or call of the prompt holds, instead of repeating them: `[lines 12–96 as in #7 Read
   * src/a.ts]`. It does so from its first request on, so that no later request changes. Errors, results with images, and what is kept,
   * protected or pinned are sent whole. Default true; false where `outdatedBy` is `'nothing'`, and in adapters.
   */
  repeated?: boolean | undefined;
  /**
   * Whether the view's own clock says when a request was sent, where messages carry no times. Each such request becomes a fact of
   * {@link ContextView.export}. Default: true; false for {@link ContextViews} and adapters, where the store's clock counts if there is a
   * store.
   */
  arrivalTimes?: boolean | undefined;
  /**
   * Whether requests are marked where {@link ContextView.breakpoints} says, and the provider reads only what was marked: removals are then
   * priced by these marks. Default false.
   */
  marks?: boolean | undefined;
  /** Whose tools' results age. Default: those of all agents in use today. */
  tools?: KnownAgent | undefined;
  /**
   * What makes a result outdated. `'kind'`: what it is, counted in requests: what ran and what was edited after 25, what was searched for
   * and what any other tool returned after 50, what was read after 120. `'age'`: the rules of `prepareMessages`, by minutes and the
   * newest five. `'nothing'`: only what options name. A preset of which `keepRecent`, `maxAgeMs`, `errors` or `countErrors` is set goes by
   * age. Default `'kind'`.
   */
  outdatedBy?: 'kind' | 'age' | 'nothing' | undefined;
  /** After how many requests results of a kind are outdated, from 1 to 1,000,000, in place of those that `outdatedBy: 'kind'` names. */
  ages?: Partial<Record<ResultKind, number>> | undefined;
  /**
   * Tools whose results no rule replaces: their names, or patterns in which `*` stands for any letters (`'mcp__db__*'`). Case counts. What is
   * also in `dropTools` stays.
   */
  keepTools?: readonly string[] | undefined;
  /** Tools whose results are outdated as soon as the model has answered them, errors too; written as in `keepTools`. */
  dropTools?: readonly string[] | undefined;
  /**
   * Whether a result stays whole: asked once, when it would wait to be replaced for the first time. Where it throws or answers with a promise
   * the result stays, and the log says so (event `unanswered`). It should answer alike in each process.
   */
  protect?: ((result: ViewResult) => boolean) | undefined;
  /**
   * Messages whose results stay whole: ids of messages (their `id`) or of calls, or a function as `compression.pin` is one, by which
   * `prepare` compresses, too, where `compression` has none of its own.
   */
  pin?: readonly string[] | ((message: any) => boolean) | undefined;
  /** Old output of commands. Default true. */
  terminal?: boolean | Omit<TerminalOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Old reads of files; by age those beyond a file's newest. Default true. */
  fileReads?: boolean | Omit<FileReadOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** Old search results. Default true. */
  textSearch?: boolean | Omit<TextSearchOptions, 'now' | 'unknownAge' | 'dialect'> | undefined;
  /** What edits answered; nothing by age. Default true. */
  edits?: boolean | PlaceholderOptions | undefined;
  /** Results of tools that nothing else is about; nothing by age. Default true. */
  otherTools?: boolean | PlaceholderOptions | undefined;
  /** Rules of your own, applied after the presets. */
  rules?: readonly SimplificationRule[] | undefined;
  /** More that is stale, at any age. Default: see there. */
  stale?: StaleOptions | undefined;
  /**
   * What becomes of calls without a result. Default `'answer'`: an interrupted call gets an error for a result. Calls of
   * the turn in progress are not interrupted.
   */
  orphans?: boolean | 'remove' | 'answer' | undefined;
  /** How old results without a time are. Default: as old as it is since the view first saw them. */
  unknownAge?: 'keep' | 'old' | undefined;
  /** Has {@link ContextView.prepare} compress. */
  compression?: ViewCompression | undefined;
  /** The share of the window from which on `prepare` compresses while nothing is cached. Default: as configured. */
  compressWhenCold?: number | undefined;
}

/** Why outdated results are replaced with a request, or why they aren't. */
export type ViewReason =
  | 'nothing-pending'
  | 'cold'
  | 'no-cache'
  | 'prefix-changed'
  | 'budget'
  | 'pays'
  | 'waiting'
  | 'guarantee';

/** What is said of one request. */
export interface RequestOptions extends NowOption {
  /**
   * The request is no part of the conversation, such as one for a title: nothing is removed with it that the conversation still sends.
   * Default false.
   */
  side?: boolean | undefined;
}

/** What is said of one request of many conversations. */
export interface ConversationOptions extends RequestOptions {
  /** Names the conversation, where the host knows better than its messages. */
  conversationId?: string | undefined;
}

/** What {@link ContextView.project} gives. */
export interface Projected<T> {
  /** A new array. */
  messages: T[];
  /** What of it isn't as it is stored. `indices` are places in the array that was passed. */
  report: CleanupReport;
}

/** What {@link ContextView.prepare} gives. */
export interface PreparedRequest<T> extends Projected<T> {
  /**
   * The messages after compression, with all their fields: the array that was passed, or what goes on in its place. `report`
   * is about these.
   */
  history: T[];
  /** What compression did, and why not: `not_configured` without the option, `below_threshold` while there is room. */
  compression: CompressionOutcome;
}

/** What would be done with the next request. Costs are in tokens at the base price of input. */
export interface ViewPlan {
  /** Whether something would be replaced. */
  isDue: boolean;
  reason: ViewReason;
  /** The messages of which something would be replaced. */
  indices: number[];
  /** The first of them; null when there is none. */
  firstChange: number | null;
  /** Messages that hold outdated results, with their tokens as they are sent now and what they would lose. */
  pending: { index: number; tokens: number; tokensSaved: number }[];
  /** Tokens of the prompt, and how many of them should come from the cache. */
  totalTokens: number;
  cachedTokens: number;
  /** What the request would cost, and what it would cost with the history left alone. */
  cost: number;
  costLeftAlone: number;
  /** Tokens that the prompt would lose. */
  tokensSaved: number;
  /** What the change would cost now; negative where it saves at once. */
  extraCost: number;
  /** What each further request would cost less. */
  gainPerRequest: number;
  /** Requests after which it has paid; infinite where it never pays. */
  paysAfterRequests: number;
  leftPending: number;
  tokensLeftPending: number;
}

/** One change of what is sent. */
export interface ViewDecision {
  timeMs: number;
  /** Requests that were sent before. */
  request: number;
  reason: ViewReason;
  /** The first message that changed. */
  position: number;
  /** Messages that changed. */
  results: number;
  tokensSaved: number;
  extraCost: number;
  gainPerRequest: number;
}

/**
 * What requests have cost, and would have cost left alone, in tokens at the base price of input. Provider's reports correct
 * both; a request without one counts as its list of prices says.
 */
export interface Costs {
  /** Those beside the conversation among them; none that another process has sent. */
  requests: number;
  cost: number;
  costLeftAlone: number;
  /** From, to: what isn't known is whether requests without a report found the cache. */
  range: { cost: [number, number]; costLeftAlone: [number, number] };
}

/** What the session has cost so far, and every change on its path. */
export interface ViewLedger extends Costs {
  changes: number;
  results: number;
  tokensSaved: number;
  extraCost: number;
  /** The newest 256. */
  entries: ViewDecision[];
}

/** When a request was sent: the one of `length` messages whose last one has the fingerprint `mark`. */
export interface RequestFact {
  type: 'request';
  length: number;
  mark: number | null;
  sentMs: number;
  /** It was sent without the view, as where a plug-in fails: nothing was removed with it. */
  isUndecided?: boolean;
}

/**
 * A summary, and which messages it replaces, by their fingerprints; `system`: the length of the system prompt before it; `after`: how many
 * summaries its writer knew.
 */
export interface SummaryFact {
  type: 'summary';
  system: number;
  after?: number | undefined;
  messages: (number | null)[];
  head: any[];
}

/** What a view knows beside the messages and its options. JSON; it holds no message but summaries. */
export type ViewFact = RequestFact | SummaryFact;

/**
 * One conversation as it is sent, request after request. Outdated results are removed while nothing is cached, or when that saves more than
 * it costs; between two removals the messages that it returns begin byte by byte as before. What it sends is a function of the messages,
 * the options and the facts: another process that has them sends the same bytes.
 */
export class ContextView {
  /** @throws TypeError, RangeError for a wrong option. */
  constructor(options?: ContextViewOptions);
  /**
   * What to send now: to be called once before each request, with all messages. A new array; nothing that was passed is
   * written to. Costs what is new since the last call. The same messages again get the same.
   */
  project<T extends AgentMessage>(messages: readonly T[], options?: RequestOptions): Projected<T>;
  /**
   * Compresses where that is due, projects, and leaves out the fields that a provider would reject. What was compressed is
   * kept here; the array that was passed is not written to.
   * @throws what `signal` was aborted with
   */
  prepare<T extends AgentMessage>(
    messages: readonly T[],
    options?: RequestOptions & ProcessOptions,
  ): Promise<PreparedRequest<T>>;
  /**
   * Takes in an error of the model's, which says how large its window is: that counts from then on. Returns the window in tokens;
   * null where the error says nothing of it, or nothing is compressed.
   */
  noteOverflow(error: unknown, options?: { model?: string | null | undefined } | null): number | null;
  /** What would be done with a request that adds nothing. */
  plan(options?: NowOption): ViewPlan;
  ledger(): ViewLedger;
  /** What was removed, and what of it the agent fetched again. O(the conversation's calls). */
  report(): ViewReport;
  /**
   * Where to put Anthropic's `cache_control`, as places in the array that was given last: at the end, before what is likely to
   * change next, after the system prompt. At most four, less those that the application has set itself. With `marks: true` removals are
   * priced by these marks.
   */
  breakpoints(): number[];
  /**
   * Takes the provider's report of the last request, in the form of any provider. Reports that stand on messages are found
   * without it.
   * @throws TypeError for what is no object.
   */
  observe(usage: object): void;
  /**
   * A tool with which the model gets back what a placeholder stands for, by the number that it begins with (`#41`); without an archive it
   * searches in what was replaced, too. It answers from the messages of the newest request.
   * @throws TypeError, RangeError for a wrong option.
   */
  lookupTool(options?: ViewLookupToolOptions): LookupTool;
  /** The facts, the oldest first: all that another process needs, beside the messages and the options, to send the same bytes. */
  export(): ViewFact[];
  /**
   * A view that knows these facts.
   * @param facts what `export()` returned, or its JSON
   * @throws TypeError, RangeError for what `export()` did not return.
   */
  static import(facts: readonly ViewFact[] | string, options?: ContextViewOptions | undefined): ContextView;
}

/** Options of {@link ContextViews}. */
export interface ContextViewsOptions extends ContextViewOptions {
  /** Beyond so many conversations the one that was asked for least lately is forgotten. Default 64. */
  maxViews?: number | undefined;
  /**
   * Where the facts of conversations are kept, so that any process goes on with any of them. Each request then names its conversation. A
   * store that fails or takes too long costs no request.
   */
  store?: FactStore | null | undefined;
  /** How long a request waits for the store in all; then it goes on without. 1 or more; default 1 000 ms. */
  storeTimeoutMs?: number | undefined;
  /** Is told what became of the store. What it throws is ignored. */
  onEvent?: ((event: StoreEvent) => void) | null | undefined;
}

/** What became of the store at a request. */
export interface StoreEvent {
  type: 'store';
  /** The store failed or took too long; the request was prepared without it. */
  did: 'went_on_without';
  conversationId: string;
  error: unknown;
}

/** Many conversations at once: each finds its view by the messages that it begins with. */
export class ContextViews implements Iterable<ContextView> {
  constructor(options?: ContextViewsOptions);
  /** How many conversations are remembered. */
  readonly size: number;
  /** The view of the conversation that the messages continue or rewind, or that has the id. */
  viewFor(messages: readonly AgentMessage[], options?: ConversationOptions): ContextView;
  project<T extends AgentMessage>(messages: readonly T[], options?: ConversationOptions): Projected<T>;
  prepare<T extends AgentMessage>(
    messages: readonly T[],
    options?: ConversationOptions & ProcessOptions,
  ): Promise<PreparedRequest<T>>;
  /** What the requests of all conversations have cost, those of forgotten ones included. */
  ledger(): Costs;
  /**
   * A tool with which the model of the conversation called `conversationId` gets back what a placeholder stands for, as `lookupTool` of its
   * view does. With an archive `sessionId` is the conversation's name by default. It answers from what this process has of the conversation.
   * @throws TypeError, RangeError for a wrong option.
   */
  lookupTool(options: ViewLookupToolOptions & { conversationId: string }): LookupTool;
  /** Of all conversations, forgotten ones included. */
  report(): ViewReport;
  /** The views that are remembered, the one asked for last at the end. */
  [Symbol.iterator](): IterableIterator<ContextView>;
}

/**
 * What `<context-map>` shows of a live view: the cells of `messages`, which of them are replaced and which wait to be, and how many the
 * last request found in the provider's cache. One thread of one request, without costs. Tokens are the view's estimates. Messages that the
 * view hasn't been given, or that were changed since, count as stored. Nothing is changed. O(texts).
 * @param messages as they were given to `project`. Default: those that the view was given last, such as by an adapter
 * @throws TypeError where `view` is no ContextView or `messages` no array
 */
export function contextPicture(view: ContextView, messages?: readonly AgentMessage[]): SessionPicture;
