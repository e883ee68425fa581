/**
 * What `<context-map>` and `<context-chart>` show, as plain JSON: made in Rust for recorded sessions, by `contextPicture` for a
 * live `ContextView`. The elements compute nothing of it but sums of cells that they show.
 */

/** A session, request by request. Places are numbers from 0; ranges are half open. */
export interface SessionPicture {
  version: 1;
  /** The key and the name of the agent that recorded it; `live` for a `ContextView`. */
  agent: string;
  agentName: string;
  id: string | null;
  project: string | null;
  models: string[];
  firstMs: number | null;
  lastMs: number | null;
  /** How many messages the session has: `Cell.message` is below it. */
  messages: number;
  /** The kinds of content that there are, in the order in which they are stacked. */
  kinds: PictureKind[];
  /** Names of tools. */
  tools: string[];
  /** The main thread first, then sub-agents and branches. At least one. */
  threads: ThreadPicture[];
  /** The whole bill, answers included; null where no usage is recorded, absent in pictures of a live view, as all that follows. */
  bill?: BillPicture | null;
  /** Whether its dollars are those that the agent recorded, and not the usage at listed prices. */
  isRecorded?: boolean;
  /** What the prompts' part of it is by the model of the cache. */
  predicted?: number | null;
  /** When the package's prices were last compared with what providers publish. */
  pricesDate?: string;
  /** The ten things that were sent most. */
  items?: PictureItem[];
  advice?: PictureAdvice[];
  /** What was odd about the file. */
  notes?: { kind: string; what: string; count: number; at: string | null }[];
}

/** `newInput + reread + the losses' costs + output = paid`, and `paid − output = prompts`. */
export interface BillPicture {
  /** `units`: tokens at the base price of input, where a model's price isn't known. */
  currency: 'usd' | 'units';
  paid: number;
  prompts: number;
  newInput: number;
  /** History again, at the price of reading it from the cache; where there is no cache, at the price of input. */
  reread: number;
  hasCache: boolean;
  /** What being lost from the cache cost beyond reading it there; dearest first. */
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

/** Cells of one kind and label: what was read, run or said, once or again and again. Costs are in the bill's currency. */
export interface PictureItem {
  /** Where its largest cell is, and the last request that sent it; `cell` is null for what stands ahead of all cells. */
  thread: number;
  request: number;
  cell: number | null;
  kind: number;
  tool: number | null;
  label: string;
  /** How many messages, or parts of messages, it is. */
  copies: number;
  /** All of them, each once. */
  tokens: number;
  /** As often as they were sent. */
  sentTokens: number;
  /** That sent at least one of them. */
  requests: number;
  cost: number;
  /** What of the cost was paid while a rule named them outdated. */
  staleCost: number;
}

/** What could have been done, and what it would have saved; below 0 what would have cost more. In the bill's currency. */
export interface PictureAdvice {
  what: 'one-hour-cache' | 'unused-servers' | 'compact-before-pause' | 'outdated';
  /** At most. Null where the policies' costs tell. */
  saves: number | null;
  /** What that which it is about cost. */
  cost: number;
  times: number;
  tokens: number;
  share: number;
  names: string[];
  request: [thread: number, request: number] | null;
}

/** `fixed` is system prompt and tools that aren't in the file, ahead of all cells; no cell has this kind. */
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
  /** The agent's name for a branch or sub-agent; null for the main thread, and where it has none. */
  name: string | null;
  /** Tokens ahead of all cells, in every prompt. */
  fixedTokens: number;
  /** The window of the model that most of it went to, as its provider publishes it; absent where that isn't known. */
  contextWindow?: number;
  /**
   * What was sent, in order. A compaction or a rewind begins a new context, and what that takes over has cells of its own: their
   * tokens, and what is outdated, are judged anew there. So a message may have several cells.
   */
  cells: Cell[];
  requests: RequestPicture[];
  /** What each request cost, under each list of prices; the first is what the session's own models cost. None of a live view. */
  costs: CostPicture[];
}

/**
 * Costs in units: tokens at the base price of the session's main model's input, whichever model a request went to, so that they add
 * up. Where a model's price isn't known, each request is in units of its own model's. Arrays run beside `requests`.
 */
export interface CostPicture {
  /** A preset's name, or `own`. */
  prices: string;
  /** US dollars for a million units; null where the price isn't known. */
  usdPerMillion: number | null;
  policies: {
    /** The history is sent as it is. */
    leftAlone: number[];
    /** Rules at every request. */
    everyRequest: number[];
    /** What is outdated goes once it comes to 20,000 tokens, and so on; absent in pictures of a live view. */
    batches20k?: number[];
    batches30k?: number[];
    /** All results but the newest three go where the prompt is longer than 100,000 tokens. */
    clearAbove100k?: number[];
    view: number[];
    /** What the recorded usage cost, of prompts alone; under `own` only. Null where no usage is recorded. */
    paid: (number | null)[] | null;
  };
}

/** One message, or one kind of content in it. */
export interface Cell {
  /** Place among the session's messages. */
  message: number;
  /** The first of its parts that the cell is about; null where the cell is the whole message. */
  part: number | null;
  /** A place in `kinds`. */
  kind: number;
  /** A place in `tools`, of calls and results whose tool is known. */
  tool: number | null;
  /** As it is stored. */
  tokens: number;
  /** As a view sends it, with references to lines that the prompt already holds; absent where it refers to none. */
  tokensShort?: number;
  /** With a placeholder in its place; null where no rule ever names it. */
  tokensReplaced: number | null;
  /**
   * The first request at which the agent itself sent less of it; absent where it never did. The provider's count says that it is gone,
   * and no record what: it is the likeliest place.
   */
  clearedFrom?: number;
  /** How much less. */
  tokensCleared?: number;
  /** The first request, a place in `requests`, at which a rule names it outdated: it is pending from here to `replacedFrom`. */
  staleFrom: number | null;
  /** The first request at which `ContextView` sends its placeholder; null where it never does. */
  replacedFrom: number | null;
  /** The rule that names it outdated. */
  rule: string | null;
  /** What stands in its place once it is replaced. */
  placeholder: string | null;
  /** At most 120 UTF-16 units on one line: tool and path or command, or the first words. Text, never HTML; may be empty. */
  label: string;
}

export interface RequestPicture {
  /** When its answer began, or what is nearest to it. */
  timeMs: number | null;
  model: string | null;
  /** Ranges of cells that were sent, in order. Never empty ranges; none where nothing was sent but the fixed part. */
  prompt: [from: number, to: number][];
  /** As it was sent: the fixed part and all cells of the prompt, without what the agent had cleared. */
  tokens: number;
  /** The same by kind, beside `kinds`. */
  tokensByKind: number[];
  /** As `ContextView` sends it. */
  tokensView: number;
  /** So many of the prompt's cells, from its start, `ContextView` finds in the provider's cache; all of the fixed part, then, too. */
  cachedCells: number;
  /** The tokens of `ContextView`'s prompt that are found there. */
  cachedTokens: number;
  /** As the provider reported it; `cacheWrite` is null where it doesn't tell writes from other input. */
  usage: { prompt: number; cacheRead: number; cacheWrite: number | null; output: number } | null;
  /** The provider read less than the request before had held. */
  bust: Bust | null;
  /** It is the call that wrote a summary. */
  isCompaction: boolean;
  /** Why its prompt doesn't go on with what was before; null where it does, and where a thread begins with nothing before it. */
  begins: 'compaction' | 'results-cleared' | 'rewind' | 'changed' | null;
}

export interface Bust {
  /** `idle`: the pause was longer than the cache lives. `unknown`: nothing in the file tells. */
  cause: 'idle' | 'compaction' | 'edited-prefix' | 'unknown';
  /** Where the file doesn't say the cause: what happened. */
  surprise?: 'less-left' | 'gone-early' | 'new-start' | 'lost-at-turn' | 'lost-within-turn' | 'kept-longer' | null;
  /** Since the request before; 0 where a time is missing. */
  pauseMs?: number;
  /** That had been held, and were not read. */
  tokens: number;
  /** In units of base input, beyond reading them again. */
  cost: number;
}

/** What `<context-map>` opens: messages of a session, from `from` on. */
export interface MessagePage {
  from: number;
  /** Of the whole session. */
  total: number;
  messages: PictureMessage[];
}

export interface PictureMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  timeMs: number | null;
  parts: PicturePart[];
}

/** Text, never HTML. Data of images isn't sent. */
export type PicturePart =
  | { type: 'text' | 'reasoning' | 'tools' | 'other'; text: string }
  | { type: 'call'; tool: string; text: string }
  | { type: 'result'; tool: string | null; isError: boolean; text: string }
  | { type: 'image' | 'file'; mediaType: string | null; text: string };
