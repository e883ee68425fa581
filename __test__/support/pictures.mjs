// @ts-check
/**
 * Generated pictures of sessions for the elements' tests and benchmarks, in the form of `ui/picture.d.ts`. Sizes are
 * similar to those of recorded sessions, and a seed reproduces each picture.
 *
 * @import { Cell, RequestPicture, SessionPicture, ThreadPicture } from '../../ui/picture.js'
 * @typedef {{ messages?: number, requests?: number, seed?: number, zh?: boolean, subAgents?: number, compacts?: boolean }} Plan
 */
import { seeded } from '../../bench/promise/random.mjs';

const KINDS = /** @type {const} */ ([
  'fixed',
  'system',
  'user',
  'assistant',
  'reasoning',
  'call',
  'result',
  'image',
  'summary',
]);
const TOOLS = ['Read', 'Bash', 'Grep', 'Edit', 'WebFetch', 'Task', 'Glob', 'TodoWrite'];
/** Arguments of each tool's calls, and texts of users and models. */
const ABOUT = /** @type {Record<string, string[]>} */ ({
  Read: ['src/view/schedule.rs', 'src/main.rs', 'docs/cache.md', 'package.json', 'src/view/weights.rs'],
  Bash: ['npm test', 'cargo clippy --workspace', 'git diff --stat', 'ls -la src', 'node bench/cache.mjs'],
  Grep: ['fn schedule', 'TODO', 'cached_tokens', 'unwrap\\(', 'class ContextView'],
  Edit: ['src/view/schedule.rs', 'README.md', 'src/main.rs', 'docs/cache.md', 'src/view/weights.rs'],
  WebFetch: [
    'https://example.org/prices',
    'https://example.org/api',
    'https://example.org/changes',
    'https://example.org/',
    'https://example.org/docs',
  ],
});
const EN = [
  'Why does the third test fail?',
  'The schedule is asked twice',
  'I will look at the callers first',
  'Now the tests pass',
  'Please write a test for that, too',
];
const ZH = ['第三个测试为什么失败？', '调度被调用了两次', '我先查看调用方', '现在测试全部通过了', '请再为此补一个测试'];
const FIXED_TOKENS = 14_200;
const START = Date.UTC(2026, 4, 4, 9, 30);
/** Index of each kind. */
const KIND = /** @type {Record<typeof KINDS[number], number>} */ (
  Object.fromEntries(KINDS.map((kind, index) => [kind, index]))
);

/**
 * A picture of a session.
 * @param {Plan} [plan]
 * @returns {SessionPicture}
 */
export function samplePicture({
  messages = 240,
  requests = 60,
  seed = 1,
  zh = false,
  subAgents = 0,
  compacts = requests > 4,
} = {}) {
  const random = seeded(seed);
  const threads = [threadOf({ messages, requests, random, zh, compacts, name: null })];
  for (let agent = 1; agent <= subAgents; agent++) {
    const name = zh ? `子智能体 ${agent}` : `reviewer ${agent}`;
    threads.push(threadOf({ messages: 40, requests: 10, random, zh, compacts, name }));
  }
  return {
    version: 1,
    agent: 'claude-code',
    agentName: 'Claude Code',
    id: 'made-up',
    project: null,
    models: ['model-large'],
    firstMs: START,
    lastMs: START + requests * 60_000,
    messages,
    kinds: [...KINDS],
    tools: TOOLS,
    threads,
  };
}

/**
 * @param {{ messages: number, requests: number, random: () => number, zh: boolean, compacts: boolean, name: string | null }} plan
 * @returns {ThreadPicture}
 */
function threadOf({ messages, requests, random, zh, compacts, name }) {
  const cells = Array.from({ length: messages }, (_, message) => cellOf(message, messages, requests, random, zh));
  const compaction = Math.floor(requests * 0.7);
  // The summary replaces everything before it.
  const summary = Math.floor((messages * compaction) / requests);
  if (compacts) cells[summary] = summaryCell(summary, zh);
  const list = Array.from({ length: requests }, (_, request) => {
    const to = Math.max(1, Math.round((messages * (request + 1)) / requests));
    const isCompacted = compacts && request >= compaction;
    return requestOf(
      cells,
      request,
      isCompacted ? [[Math.min(summary, to - 1), to]] : [[0, to]],
      random,
      request === compaction && compacts,
    );
  });
  return {
    kind: name === null ? 'main' : 'sub-agent',
    name,
    fixedTokens: FIXED_TOKENS,
    cells,
    requests: list,
    costs: [
      costOf('own', 5, list, random, true),
      costOf('anthropic', null, list, random, false),
      costOf('openai', 2.5, list, random, false),
    ],
  };
}

/** @param {number} message @param {boolean} zh @returns {Cell} */
function summaryCell(message, zh) {
  const label = zh ? '此前内容的摘要' : 'Summary of what was before';
  const never = { tokensReplaced: null, staleFrom: null, replacedFrom: null, rule: null, placeholder: null };
  return { message, part: null, kind: KIND.summary, tool: null, tokens: 2_400, label, ...never };
}

/** @param {number} message @param {number} messages @param {number} requests @param {() => number} random @param {boolean} zh @returns {Cell} */
function cellOf(message, messages, requests, random, zh) {
  const choice = Math.floor(random() * EN.length);
  const kinds = [KIND.assistant, KIND.reasoning, KIND.call, KIND.result];
  const kind = message % 23 === 0 ? KIND.user : (kinds[message % 4] ?? KIND.assistant);
  const isResult = kind === KIND.result;
  const tool = isResult || kind === KIND.call ? Math.floor(random() ** 2 * TOOLS.length) : null;
  const tokens = Math.ceil(isResult ? 40 + random() ** 5 * 12_000 : 10 + random() ** 3 * 600);
  const first = Math.floor((message * requests) / messages);
  const isStale = isResult && tokens > 400 && random() < 0.6;
  const staleFrom = isStale ? first + 3 + Math.floor(random() * requests * 0.3) : null;
  const replacedFrom = staleFrom !== null && random() < 0.75 ? staleFrom + Math.floor(random() * requests * 0.2) : null;
  return {
    message,
    part: isResult ? 0 : null,
    kind,
    tool,
    tokens,
    tokensReplaced: isStale ? 26 : null,
    staleFrom,
    replacedFrom,
    rule: isStale ? 'repeatedCommands' : null,
    placeholder: isStale ? '[outdated: read again later]' : null,
    label: labelOf(tool, choice, zh),
  };
}

/** @param {number | null} tool @param {number} choice one of five @param {boolean} zh */
function labelOf(tool, choice, zh) {
  const sentence = /** @type {string} */ ((zh ? ZH : EN)[choice]);
  if (tool === null) return sentence;
  const name = /** @type {string} */ (TOOLS[tool]);
  return `${name}: ${ABOUT[name]?.[choice] ?? sentence}`;
}

/** @param {Cell[]} cells @param {number} request @param {[number, number][]} prompt @param {() => number} random @param {boolean} isNew @returns {RequestPicture} */
function requestOf(cells, request, prompt, random, isNew) {
  /** @type {number[]} */
  const tokensByKind = KINDS.map((kind) => (kind === 'fixed' ? FIXED_TOKENS : 0));
  let view = FIXED_TOKENS;
  let count = 0;
  for (const [from, to] of prompt) {
    for (const cell of cells.slice(from, to)) {
      tokensByKind[cell.kind] += cell.tokens;
      view += cell.replacedFrom !== null && request >= cell.replacedFrom ? 26 : cell.tokens;
      count++;
    }
  }
  const tokens = tokensByKind.reduce((sum, count) => sum + count, /** @type {number} */ (0));
  const isCold = random() < 0.04;
  const cachedCells = isNew || isCold || request === 0 ? 0 : Math.max(0, count - 5);
  const causes = /** @type {const} */ (['idle', 'edited-prefix', 'unknown']);
  return {
    timeMs: START + request * 60_000,
    model: 'model-large',
    prompt,
    tokens,
    tokensByKind,
    tokensView: view,
    cachedCells,
    cachedTokens: cachedCells === 0 ? 0 : view - 900,
    usage: { prompt: tokens + 120, cacheRead: cachedCells === 0 ? 0 : tokens - 900, cacheWrite: 900, output: 300 },
    bust:
      isCold || isNew
        ? {
            cause: isNew ? 'compaction' : causes[request % 3],
            tokens: Math.round(tokens * 0.8),
            cost: Math.round(tokens * 0.9),
          }
        : null,
    isCompaction: false,
    begins: isNew ? 'compaction' : null,
  };
}

/** @param {string} prices @param {number | null} usdPerMillion @param {RequestPicture[]} requests @param {() => number} random @param {boolean} paid */
function costOf(prices, usdPerMillion, requests, random, paid) {
  const cost = (/** @type {number} */ tokens, /** @type {boolean} */ isCold) =>
    Math.round(isCold ? tokens * 1.25 : tokens * 0.1 + 1_100);
  return {
    prices,
    usdPerMillion,
    policies: {
      leftAlone: requests.map(({ tokens, cachedCells }) => cost(tokens, cachedCells === 0)),
      everyRequest: requests.map(({ tokensView, cachedCells }) =>
        cost(tokensView * 0.9, cachedCells === 0 || random() < 0.2),
      ),
      view: requests.map(({ tokensView, cachedCells }) => cost(tokensView, cachedCells === 0)),
      paid: paid
        ? requests.map(({ tokens, bust }) => (random() < 0.1 ? null : cost(tokens + 500, bust !== null)))
        : null,
    },
  };
}
