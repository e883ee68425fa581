/**
 * The data of `<context-map>` and `<context-chart>` as plain JSON: built in Rust for recorded sessions, by `contextPicture` for a live
 * `ContextView`. The elements only sum up the cells that they show.
 */

/** A session, request by request. Indices start at 0; ranges are half open. */
export interface SessionPicture {
  version: 1;
  /** Key and name of the agent that recorded it; `live` for a `ContextView`. */
  agent: string;
  agentName: string;
  id: string | null;
  project: string | null;
  models: string[];
  firstMs: number | null;
  lastMs: number | null;
  /** Number of messages in the session; `Cell.message` is smaller. */
  messages: number;
  /** The kinds of content that occur, in stacking order. */
  kinds: PictureKind[];
  /** Tool names. */
  tools: string[];
  /** The main thread first, then sub-agents and branches. At least one. */
  threads: ThreadPicture[];
  /** The whole bill, including output; null if no usage was recorded. Absent in pictures of a live view, like all fields below. */
  bill?: BillPicture | null;
  /** True if the dollars were recorded by the agent; false if they are usage at list prices. */
  isRecorded?: boolean;
  /** The cost of the prompts as the cache model predicts it. */
  predicted?: number | null;
  /** The day when the package's prices were last compared with published ones. */
  pricesDate?: string;
  /** The ten items with the most tokens sent. */
  items?: PictureItem[];
  advice?: PictureAdvice[];
  /** Problems found in the file. */
  notes?: { kind: string; what: string; count: number; at: string | null }[];
}

/** `newInput + reread + the losses' costs + output = paid`, and `paid − output = prompts`. */
export interface BillPicture {
  /** `units`: tokens at the base price of input, if a model's price is unknown. */
  currency: 'usd' | 'units';
  paid: number;
  prompts: number;
  newInput: number;
  /** History sent again, at the cache read price; without a cache, at the input price. */
  reread: number;
  hasCache: boolean;
  /** The extra cost of cache misses, compared with cache reads; most expensive first. */
  losses: {
    cause: Bust['cause'];
    surprise: Bust['surprise'];
    meaning: string;
    tokens: number;
    cost: number;
    requests: [thread: number, request: number, cost: number][];
  }[];
  output: number;
}

/** Cells of one kind and label: something read, run or said, once or repeatedly. Costs are in the bill's currency. */
export interface PictureItem {
  /** Where its largest cell is, and the last request that sent it; `cell` is null for content before all cells. */
  thread: number;
  request: number;
  cell: number | null;
  kind: number;
  tool: number | null;
  label: string;
  /** Number of messages, or parts of messages. */
  copies: number;
  /** Tokens of all copies, each counted once. */
  tokens: number;
  /** Tokens of all copies, each counted as often as it was sent. */
  sentTokens: number;
  /** Number of requests that sent at least one copy. */
  requests: number;
  cost: number;
  /** The part of the cost paid while the content was outdated. */
  staleCost: number;
}

/** A possible saving. Costs are in the bill's currency; a negative saving would have cost more. */
export interface PictureAdvice {
  what: 'one-hour-cache' | 'unused-servers' | 'compact-before-pause' | 'outdated';
  /** Upper bound. Null if the costs of the policies show it. */
  saves: number | null;
  /** The cost of what the advice concerns: pauses, servers or results. */
  cost: number;
  /** Their number. */
  times: number;
  /** Their tokens in each request; for outdated results, in all requests together. */
  tokens: number;
  /** For outdated results: `tokens` as a share of all tokens sent; otherwise 0. */
  share: number;
  /** The names of unused servers. */
  names: string[];
  request: [thread: number, request: number] | null;
}

/** `fixed` is the system prompt and the tools if the file doesn't contain them. They precede all cells; no cell has this kind. */
export type PictureKind =
  | 'fixed'
  | 'system'
  | 'user'
  | 'assistant'
  | 'reasoning'
  | 'call'
  | 'result'
  | 'image'
  | 'summary'
  | 'other';

export interface ThreadPicture {
  kind: 'main' | 'branch' | 'sub-agent';
  /** The agent's name for a branch or sub-agent; null for the main thread, and if there is none. */
  name: string | null;
  /** Tokens before all cells, in every prompt. */
  fixedTokens: number;
  /** The context window of the model that most requests used, as its provider publishes it; absent if unknown. */
  contextWindow?: number;
  /**
   * The content sent, in order. A compaction or rewind starts a new context, whose messages get new cells with their own tokens and outdated state.
   * So a message may have several cells.
   */
  cells: Cell[];
  requests: RequestPicture[];
  /** Costs of each request per price list; the first list has the prices of the session's own models. Empty for a live view. */
  costs: CostPicture[];
}

/**
 * Costs in units: tokens at the input base price of the session's main model, whichever model a request used, so that they can be added. If a
 * model's price is unknown, each request is in units of its own model's price. Arrays are parallel to `requests`.
 */
export interface CostPicture {
  /** A preset's name, or `own`. */
  prices: string;
  /** US dollars per million units; null if the price is unknown. */
  usdPerMillion: number | null;
  policies: {
    /** The unmodified history. */
    leftAlone: number[];
    /** Rules applied at every request. */
    everyRequest: number[];
    /** Outdated content is removed each time it reaches 20,000 tokens; absent in pictures of a live view. */
    batches20k?: number[];
    batches30k?: number[];
    /** In prompts longer than 100,000 tokens, all results but the newest three are removed. */
    clearAbove100k?: number[];
    view: number[];
    /** The cost of the recorded usage, prompts only; under `own` only. Null if no usage was recorded. */
    paid: (number | null)[] | null;
  };
}

/** One message, or one kind of content in it. */
export interface Cell {
  /** Index among the session's messages. */
  message: number;
  /** Index of the first message part in the cell; null if the cell is the whole message. */
  part: number | null;
  /** Index in `kinds`. */
  kind: number;
  /** Index in `tools`, for calls and results of a known tool. */
  tool: number | null;
  /** Tokens as stored. */
  tokens: number;
  /** Tokens as a view sends it, with references to lines that the prompt already contains; absent if it has none. */
  tokensShort?: number;
  /** Tokens of its placeholder; null if no rule ever marks it as outdated. */
  tokensReplaced: number | null;
  /**
   * The first request for which the agent itself sent less of it; absent if never. The provider's count shows the reduction but no record says
   * where; this cell is the likeliest.
   */
  clearedFrom?: number;
  /** Number of tokens removed then. */
  tokensCleared?: number;
  /** The first request, an index in `requests`, at which a rule marks it as outdated: it is pending from here to `replacedFrom`. */
  staleFrom: number | null;
  /** The first request for which `ContextView` sends its placeholder; null if never. */
  replacedFrom: number | null;
  /** The rule that marks it as outdated. */
  rule: string | null;
  /** The text that replaces it. */
  placeholder: string | null;
  /** One line of at most 120 UTF-16 units: tool and path or command, or the first words. Text, never HTML; may be empty. */
  label: string;
}

export interface RequestPicture {
  /** When the response began, or the nearest known time. */
  timeMs: number | null;
  model: string | null;
  /** Ranges of the cells that were sent, in order. No range is empty; no ranges if only the fixed part was sent. */
  prompt: [from: number, to: number][];
  /** Tokens sent: the fixed part and all cells of the prompt, without what the agent had removed. */
  tokens: number;
  /** The same by kind, parallel to `kinds`. */
  tokensByKind: number[];
  /** Tokens as `ContextView` sends the request. */
  tokensView: number;
  /** Number of cells, from the start of `ContextView`'s prompt, that are cache hits; if any, the fixed part is one too. */
  cachedCells: number;
  /** Number of tokens of `ContextView`'s prompt that are cache hits. */
  cachedTokens: number;
  /** As reported by the provider; `cacheWrite` is null if it doesn't separate writes from other input. */
  usage: { prompt: number; cacheRead: number; cacheWrite: number | null; output: number } | null;
  /** Set if the provider read less from the cache than the previous request had left there. */
  bust: Bust | null;
  /** True for the call that wrote a summary. */
  isCompaction: boolean;
  /** Why the prompt doesn't continue the previous one; null if it does, and if a thread begins with nothing before it. */
  begins: 'compaction' | 'results-cleared' | 'rewind' | 'changed' | null;
}

export interface Bust {
  /** `idle`: the pause was longer than the cache lifetime. `unknown`: the file doesn't tell. */
  cause: 'idle' | 'compaction' | 'edited-prefix' | 'unknown';
  /** The observed event, if the file doesn't show the cause. */
  surprise?: 'less-left' | 'gone-early' | 'new-start' | 'lost-at-turn' | 'lost-within-turn' | 'kept-longer' | null;
  /** Time since the previous request; 0 if a time is missing. */
  pauseMs?: number;
  /** Tokens that were cached and not read. */
  tokens: number;
  /** In units of base input, compared with a cache read of these tokens. */
  cost: number;
}

/** The messages that `<context-map>` opens: part of a session, from index `from` on. */
export interface MessagePage {
  from: number;
  /** Number of messages in the whole session. */
  total: number;
  messages: PictureMessage[];
}

export interface PictureMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  timeMs: number | null;
  parts: PicturePart[];
}

/** Text, never HTML. Image data isn't included. */
export type PicturePart =
  | { type: 'text' | 'reasoning' | 'tools' | 'other'; text: string }
  | { type: 'call'; tool: string; text: string }
  | { type: 'result'; tool: string | null; isError: boolean; text: string }
  | { type: 'image' | 'file'; mediaType: string | null; text: string };
