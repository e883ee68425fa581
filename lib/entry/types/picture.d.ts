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
  /** With a placeholder in its place; null where no rule ever names it. */
  tokensReplaced: number | null;
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
  /** With the history left alone: the fixed part and all cells of the prompt. */
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
