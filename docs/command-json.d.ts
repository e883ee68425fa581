/**
 * What `--json` prints. `sessions` and `simulate` print `Accounts`; `report` and `tokens` print `Accounts` for sessions of agents, and for
 * message lists `ListReports` and `ListCounts`. A later version may add fields; the meaning of these stays. Tokens are counts, times
 * milliseconds since 1970, and costs are in units (tokens at the base price of the model's input) unless a name ends in `usd` or a `currency`
 * is next to them.
 */
export interface Accounts {
  version: string;
  /** When the package's prices were last compared with what providers publish. */
  pricesDate: string;
  /** Models of these sessions whose price couldn't be compared. */
  uncheckedModels: string[];
  files: FileAccounts[];
  /** Files that are no sessions, and files that nobody came to before Ctrl-C. */
  passedOver: number;
  notRead: number;
}

export interface FileAccounts {
  path: string;
  bytes: number;
  sessions: Account[];
  error: { code: string; message: string } | null;
  /** Those of `uncheckedModels` that this file names. */
  uncheckedModels?: string[];
}

/** What one session is made of and what it cost. The lists from `kinds` to `simulations` are empty in `sessions --json`. */
export interface Account {
  agent: string;
  agentName: string;
  id: string | null;
  project: string | null;
  /** Of the agent. */
  version: string | null;
  models: string[];
  firstMs: number | null;
  lastMs: number | null;
  messages: number;
  requests: number;
  subAgents: number;
  compactions: number;
  peakTokens: number;
  /** Null where no request's usage is recorded. `prompt` is the sum of `input` (neither read nor written) and the four below it. */
  usage: {
    requests: number;
    prompt: number;
    input: number;
    cacheRead: number;
    cacheWrite5m: number;
    cacheWrite1h: number;
    /** Of a lifetime that isn't told. */
    cacheWrite: number;
    output: number;
  } | null;
  bill: Bill | null;
  /** Models whose tokens (prompts and answers) have no price in dollars, so that no sum of dollars holds them. */
  unpriced: { model: string | null; tokens: number }[];
  /** System prompt and tools that aren't in the file, ahead of every prompt of the main thread. */
  fixedTokens: number;
  kinds: { kind: string; tokens: Tokens }[];
  tools: { tool: string; results: number; calls: Tokens; tokens: Tokens }[];
  /** What rules name outdated, at the requests that still sent it. */
  outdated: { rule: string; results: number; tokens: Tokens }[];
  simulations: Simulation[];
  notes: { kind: string; what: string; count: number; at: string | null }[];
  /** The first words of the first prompt. */
  title: string | null;
  /** The main thread's prompts at a glance, and whether the cache was lost there. */
  outline: [tokens: number, isLost: boolean][];
  /** `sessions --json`: requests that another file may hold, too, and what each cost, so that it counts once. */
  identified?: [id: number, paid: number][];
}

/** `once`: each message once, also the last answer, which no request sent; `sent`: as often as it was sent. */
export interface Tokens {
  once: number;
  sent: number;
}

export type Cause = 'idle' | 'compaction' | 'edited-prefix' | 'unknown';
export type SurpriseKind =
  | 'less-left'
  | 'gone-early'
  | 'new-start'
  | 'lost-at-turn'
  | 'lost-within-turn'
  | 'kept-longer';

/** Prompts alone, but for `waterfall` and `outputUsd`. */
export interface Bill {
  /** With usage. */
  requests: number;
  paid: number;
  predicted: number;
  /** What requests that nothing in the file foretells were paid beyond what was predicted for them. */
  unannounced: number;
  unannouncedRequests: number;
  surprises: { what: SurpriseKind; meaning: string; requests: number; difference: number; lines: number[] }[];
  /** Where the provider read less than the request before had held. Places count from 0, lines from 1. */
  busts: {
    thread: number;
    request: number;
    line: number;
    atMs: number | null;
    pauseMs: number;
    cause: Cause;
    surprise: SurpriseKind | null;
    announced: boolean;
    expectedTokens: number;
    readTokens: number;
    cost: number;
    usd: number | null;
  }[];
  waterfall: Waterfall;
  /** Whether its dollars are those that the agent recorded, and not the usage at listed prices. */
  isRecorded: boolean;
  /** Whether usage is recorded for the session only: then nothing is predicted, and `predicted` repeats what was paid. */
  isOfSession: boolean;
  paidUsd: number | null;
  predictedUsd: number | null;
  outputUsd: number | null;
}

/** `newInput + reread + the losses' costs + output = paid`, and `paid − output = prompts`, in `currency`. */
export interface Waterfall {
  currency: 'usd' | 'units';
  paid: number;
  prompts: number;
  newInput: number;
  reread: number;
  hasCache: boolean;
  losses: {
    cause: Cause;
    surprise: SurpriseKind | null;
    meaning: string;
    tokens: number;
    cost: number;
    requests: [thread: number, request: number, cost: number][];
  }[];
  output: number;
}

export interface Simulation {
  /** A preset's name, or `own`. */
  prices: string;
  policies: {
    policy: string;
    cost: number;
    usd: number | null;
    /** Null of `hindsight`, as what follows. */
    tokens: number | null;
    cached: number | null;
    prefixChanges: number | null;
    peakTokens: number | null;
    /** With `--need`; `lookUps` is the price, as `cost`, of a request for each missed result. */
    need?: { needs: number; missed: number; strongNeeds: number; strongMissed: number; lookUps: number };
  }[];
  /** With `--svg` or `--plot`: sums up to each of `requests`. */
  curves?: { requests: number[]; paid: number[] | null; policies: { policy: string; costs: number[] }[] };
  /** With `--explain`: what requests took from results that ContextView had removed. */
  misses?: {
    kind: 'edit' | 'quote' | 'name';
    strong: boolean;
    /** Lines, quotations or names that were taken. */
    grams: number;
    /** Those of them that were no longer sent. */
    gone: number;
    example: string;
    replacedAt: number | null;
    thread: number;
    request: number;
    line: number;
    call: string | null;
    sourceCall: string | null;
    sourceRequest: number | null;
  }[];
}

/** `report --json` of message lists. Units are UTF-16 code units. */
export interface ListReports {
  version: string;
  sessions: ListReport[];
  totals: {
    sessions: number;
    messages: number;
    toolResults: number;
    changed: number;
    byRule: Record<string, Saved>;
    units: BeforeAfter;
    estimatedTokens: BeforeAfter;
    durationMs: number;
  };
  errors: { file: string; line?: number; column?: number; message: string }[];
}

export interface ListReport {
  file: string;
  format: 'array' | 'object' | 'lines';
  messages: number;
  /** Entries that are not messages (null, a number, no role). */
  oddEntries: number;
  toolResults: number;
  timestamps: {
    /** Messages with a valid and with an invalid timestamp. */
    count: number;
    notTimes: number;
    /** Tool results without a timestamp. */
    resultsWithout: number;
    first: number | null;
    last: number | null;
  };
  /** Ages were judged at this time; null without timestamps. */
  now: number | null;
  projectRoot: string;
  /** Messages replaced or removed. */
  changed: number;
  /** Messages in an unknown form, and what they look like. */
  unrecognised: number;
  unrecognisedForms: Record<string, number>;
  /** Results considered without a timestamp. */
  unknownAges: number;
  /** Tool results whose time is in seconds. */
  secondsTimes: number;
  byRule: Record<string, Saved & { byPath?: Record<string, { changed: number; unitsRemoved: number }> }>;
  /** Rules that `prepareMessages` applies without options; the report applies all. */
  onByDefault: string[];
  units: BeforeAfter;
  /** In o200k_base. */
  estimatedTokens: BeforeAfter;
  /** Sent in addition to the text; `units` of their data. */
  images: { count: number; units: number };
  /** What could be removed before results are stored: by sanitising, and by truncating after it. */
  resultSavings: {
    sanitizing: { results: number; unitsRemoved: number; estimatedTokensSaved: number };
    truncating: { limit: number; results: number; unitsRemoved: number; estimatedTokensSaved: number };
  };
  /** What a view saves by references to lines of earlier messages. */
  repeated: {
    results: number;
    unitsRemoved: number;
    estimatedTokensSaved: number;
    /** The reference that saves most: the message's index, its line count as stored, and the lines around the reference as sent. */
    example: { message: number; stored: number; lines: string[] } | null;
  };
  /** Of the call of `prepareMessages`. */
  durationMs: number;
  coverage: {
    /** Results that each rule covers; some may be kept. */
    byRule: Record<string, number>;
    /** Largest first; `kind` is guessed by name and arguments, `pathKey` is the argument that holds the path. */
    uncovered: {
      tool: string;
      results: number;
      units: number;
      kind: 'terminal' | 'read' | 'search' | null;
      pathKey: string | null;
    }[];
    /** Options of the command that would cover them. */
    suggestion: string[];
  };
}

/** `tokens --json` of message lists. */
export interface ListCounts {
  version: string;
  /** Of `--model`. */
  model: string | null;
  sessions: ListCount[];
  errors: { file: string; message: string }[];
}

export interface ListCount {
  file: string;
  contextWindow: number | null;
  encoding: string;
  /** Whether text is counted exactly, not estimated. */
  isExact: boolean;
  messages: number;
  /** Of a request with all messages; can be less than the sum of `byKind`, whose counts are rounded up. */
  tokens: number;
  unrecognised: number;
  unrecognisedForms: Record<string, number>;
  byKind: Record<string, { messages: number; tokens: number }>;
}

export interface BeforeAfter {
  before: number;
  after: number;
}

export interface Saved {
  changed: number;
  unitsRemoved: number;
  estimatedTokensSaved: number;
}
