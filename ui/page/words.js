// @ts-check
/** What the page says, in both languages. */
import { FILE_WORDS } from './file-words.js';
import { HOME_WORDS } from './home/words.js';

/**
 * @typedef {typeof en} Words
 * @typedef {{ cost: string, saves: string, times: string, tokens: string, names: string, request: string }} Told
 */

const en = {
  home: HOME_WORDS.en,
  files: FILE_WORDS.en,
  allSessions: '← All sessions',
  language: 'Language',
  loading: 'Reading…',
  live: 'Follows the session as it grows',
  ended: 'The server has ended; what you see stays as it is.',
  exported: 'Written to a file; it doesn’t change.',
  noToken:
    'This address has no valid token. Open the address that “palimpsest view” printed, with everything behind the #.',
  noRequests: 'Nothing has been sent to a model yet: the session has no answer in it. The page follows the file.',
  paid: 'Paid',
  unknown: '–',
  untitled: 'Session without a name',
  largest: (/** @type {string} */ number, /** @type {string} */ tokens) =>
    `At its largest, in request ${number}, it held ${tokens} tokens.`,
  largestOf: (
    /** @type {string} */ number,
    /** @type {string} */ tokens,
    /** @type {string} */ share,
    /** @type {string} */ window,
  ) => `At its largest, in request ${number}, it held ${tokens} tokens, ${share} of the model’s window of ${window}.`,
  ofRequests: (/** @type {string} */ number) => `${number} requests`,
  units: (/** @type {string} */ amount) => `${amount} tokens’ worth`,
  separator: ', ',
  fills: 'What fills the window?',
  fillsLead: (/** @type {string} */ what, /** @type {string} */ share) => `${what}: ${share} of all that was sent`,
  carried: (/** @type {string} */ tokens, /** @type {string} */ requests) =>
    requests === '1' ? `${tokens} tokens in one request` : `${tokens} tokens, carried through ${requests} requests`,
  copies: (/** @type {string} */ count) => `${count} times`,
  staleCost: (/** @type {string} */ money) => `${money} of it when it was outdated`,
  ofThread: (/** @type {string} */ what, /** @type {string} */ thread) => `${what} of ${thread}`,
  quoted: (/** @type {string} */ what, /** @type {string} */ text) => `${what}: ${text}`,
  outdated: (/** @type {string} */ tokens, /** @type {string} */ share) =>
    `${tokens} of them (${share}) are results that rules name outdated.`,
  nothingOutdated: 'No rule names anything of it outdated.',
  bill: 'What was paid for?',
  billLead: (/** @type {string} */ money) => `${money}, and nothing of it for a lost cache`,
  billLostLead: (/** @type {string} */ money, /** @type {string} */ count, /** @type {string} */ lost) =>
    count === '1'
      ? `${money}; of this ${lost} for one lost cache`
      : `${money}; of this ${lost} for ${count} lost caches`,
  newInput: 'New input',
  reread: 'History, read again from the cache',
  resent: 'History, sent again without a cache',
  output: 'Output',
  noUsage: 'Not known: the file records no usage',
  noUsageMore: 'What the policies cost is computed from the messages.',
  loss: (/** @type {string} */ name, /** @type {string} */ count) => `Cache lost ${count}×: ${name}`,
  lossAt: (/** @type {string} */ number, /** @type {string | null} */ pause, /** @type {string | null} */ thread) =>
    `Request ${number}${thread === null ? '' : ` of ${thread}`}${pause === null ? '' : `, after ${pause}`}`,
  whichRequests: 'Which requests',
  causes: {
    idle: 'a pause, and the cache had expired',
    compaction: 'history was compacted or cleared',
    'edited-prefix': 'the prompt began otherwise',
    unknown: 'the file doesn’t say why',
  },
  surprises: {
    'less-left': 'less was left than usual after a pause, a compaction or a changed prefix',
    'gone-early': 'gone after a pause of 5 minutes or more, though it should live longer',
    'new-start': 'nothing was read at a user’s turn, as after a restart of the agent',
    'lost-at-turn': 'a part was lost at a user’s turn',
    'lost-within-turn': 'the provider lost a part, or all, in the middle of a turn',
    'kept-longer': 'the file doesn’t say why',
  },
  again: (/** @type {string} */ tokens) => `${tokens} tokens were billed as new again.`,
  moreLosses: (/** @type {string} */ count) => `and ${count} more, marked in the chart`,
  asRecorded: 'Prompts and answers, in the dollars that the agent recorded.',
  atListPrices: (/** @type {string} */ date) =>
    `Prompts and answers: the recorded usage at each model’s list price (list of ${date}).`,
  noPrice: 'Prompts and answers, in tokens at the base price of input: the price of a model isn’t known.',
  cheaper: 'What would have been cheaper?',
  adviceLead: (/** @type {string} */ name, /** @type {string} */ money, /** @type {string} */ share) =>
    `${name}: up to ${money} less, ${share} of the bill`,
  authorLead: (/** @type {string} */ policy, /** @type {string} */ change) =>
    `For you, nothing; for the agent’s author, ${policy}: ${change}`,
  adviceNames: {
    'one-hour-cache': 'A 1-hour cache',
    'unused-servers': 'Fewer MCP servers',
    'compact-before-pause': 'Compacting before a pause',
    outdated: 'Leaving out what is outdated',
  },
  advice: {
    'one-hour-cache': (/** @type {Told} */ { times, cost, saves }) =>
      `${times === '1' ? 'One pause' : `${times} pauses`} between 5 minutes and an hour cost ${cost}: a 1-hour cache would have saved ${saves}, its dearer writes included`,
    'unused-servers': (/** @type {Told} */ { tokens, names, saves }) =>
      `Tools of MCP servers that were never called (${names}) are ${tokens} tokens in every request: switching them off saves ${saves}`,
    'compact-before-pause': (/** @type {Told} */ { request, tokens, cost, saves }) =>
      `The pause before request ${request} cost ${cost}: compacting ${tokens} tokens ahead of it would have saved up to ${saves}, with a summary of 4,000 tokens and nothing read again`,
    outdated: (/** @type {Told} */ { saves }) => `Leaving out what is outdated would have saved ${saves}`,
  },
  notWorth: 'What would not have helped:',
  outdatedReason: (/** @type {string} */ share, /** @type {string} */ money, /** @type {string} */ part) =>
    `${share} of what was sent was outdated; carrying it cost ${money}, ${part} of the bill.`,
  dearerReason: (/** @type {string} */ name, /** @type {string} */ money) => `${name} would have cost ${money} more.`,
  littleReason: (/** @type {string} */ name, /** @type {string} */ money) =>
    `${name} would have saved no more than ${money}.`,
  byAuthor: 'What the agent’s author can do',
  alike: 'Little to gain: nothing much was outdated',
  unsure: 'Nothing for certain: savings are smaller than the model’s own error',
  dearer: 'Nothing: no policy is cheaper than what was sent',
  policies: {
    leftAlone: 'History left alone',
    everyRequest: 'Rules at every request',
    batches20k: 'Rules in batches of 20,000',
    batches30k: 'Rules in batches of 30,000',
    clearAbove100k: 'All but 3 results above 100,000',
    view: 'ContextView',
  },
  withOutput: 'Prompts by the model of the cache, with the same answers.',
  promptsOnly: 'Prompts without output, by the model of the cache.',
  modelOff: (/** @type {string} */ money, /** @type {string} */ change) =>
    `For the session with its history left alone it says ${money} (${change}); a range is what that may be off by.`,
  byModel: 'At the price of each thread’s own model.',
  byUsual: 'The file names no model, so Anthropic’s shares are taken.',
  chart: 'Every request',
  map: 'One request, message by message',
  history: 'Compressions',
  historyHint: 'Where history was compressed; each point opens into the messages that it stands for.',
  noHistory: 'History wasn’t compressed in this session.',
  kinds: {
    fixed: 'System prompt and tools',
    system: 'System messages',
    user: 'The user',
    assistant: 'The model’s words',
    reasoning: 'Reasoning',
    call: 'Tool calls',
    result: 'Tool results',
    image: 'Images and files',
    summary: 'Summaries',
    other: 'Other',
  },
};

/** @type {Words} */
const zh = {
  home: HOME_WORDS.zh,
  files: FILE_WORDS.zh,
  allSessions: '← 全部会话',
  language: '语言',
  loading: '正在读取…',
  live: '随会话增长而更新',
  ended: '服务已结束；页面内容保持不变。',
  exported: '已写入文件，内容不再变化。',
  noToken: '此地址没有有效的令牌。请打开 “palimpsest view” 打印的完整地址（包括 # 之后的部分）。',
  noRequests: '尚未向模型发送任何请求：会话中没有回答。页面会随文件更新。',
  paid: '已付',
  unknown: '–',
  untitled: '未命名会话',
  largest: (number, tokens) => `最大时（第 ${number} 次请求）含 ${tokens} tokens。`,
  largestOf: (number, tokens, share, window) =>
    `最大时（第 ${number} 次请求）含 ${tokens} tokens，占模型 ${window} 窗口的 ${share}。`,
  ofRequests: (number) => `${number} 次请求`,
  units: (amount) => `相当于 ${amount} tokens`,
  separator: '，',
  fills: '窗口里装了什么？',
  fillsLead: (what, share) => `${what}：占全部发送内容的 ${share}`,
  carried: (tokens, requests) => `${tokens} tokens，随 ${requests} 次请求发送`,
  copies: (count) => `${count} 份`,
  staleCost: (money) => `其中 ${money} 花在已过时之后`,
  ofThread: (what, thread) => `${thread} 的${what}`,
  quoted: (what, text) => `${what}：${text}`,
  outdated: (tokens, share) => `其中 ${tokens}（${share}）是规则认定已过时的结果。`,
  nothingOutdated: '没有规则认定其中的内容已过时。',
  bill: '钱花在哪里？',
  billLead: (money) => `${money}，没有因缓存丢失而多付`,
  billLostLead: (money, count, lost) => `${money}；其中 ${lost} 因 ${count} 次缓存丢失`,
  newInput: '新输入',
  reread: '历史，从缓存重读',
  resent: '历史，无缓存重发',
  output: '输出',
  noUsage: '未知：文件没有记录用量',
  noUsageMore: '各策略的费用由消息计算得出。',
  loss: (name, count) => `缓存丢失 ${count} 次：${name}`,
  lossAt: (number, pause, thread) =>
    `${thread === null ? '' : `${thread} 的`}第 ${number} 次请求${pause === null ? '' : `，停顿 ${pause} 之后`}`,
  whichRequests: '哪些请求',
  causes: {
    idle: '停顿后缓存已过期',
    compaction: '历史被压缩或清除',
    'edited-prefix': '提示的开头变了',
    unknown: '文件没有说明原因',
  },
  surprises: {
    'less-left': '停顿、压缩或前缀改变之后剩下的比通常少',
    'gone-early': '停顿 5 分钟以上后消失，尽管缓存本应存活更久',
    'new-start': '用户发言时什么也没有读到，如代理重启之后',
    'lost-at-turn': '用户发言时丢失了一部分',
    'lost-within-turn': '服务商在一轮之中丢失了部分或全部',
    'kept-longer': '文件没有说明原因',
  },
  again: (tokens) => `${tokens} tokens 再次按新内容计费。`,
  moreLosses: (count) => `另有 ${count} 次，见图表标记`,
  asRecorded: '提示与回答，采用代理记录的美元金额。',
  atListPrices: (date) => `提示与回答：按各模型标价（${date} 的价目表）计算记录的用量。`,
  noPrice: '提示与回答，以输入基本价格的 token 计：有模型的价格未知。',
  cheaper: '怎样会更便宜？',
  adviceLead: (name, money, share) => `${name}：最多少付 ${money}，占费用的 ${share}`,
  authorLead: (policy, change) => `您无需做什么；代理的作者可用 ${policy}：${change}`,
  adviceNames: {
    'one-hour-cache': '1 小时缓存',
    'unused-servers': '减少 MCP 服务器',
    'compact-before-pause': '停顿前压缩',
    outdated: '去掉已过时的内容',
  },
  advice: {
    'one-hour-cache': ({ times, cost, saves }) =>
      `${times} 次 5 分钟到 1 小时的停顿花费 ${cost}：1 小时缓存可省 ${saves}（已计入更贵的写入）`,
    'unused-servers': ({ tokens, names, saves }) =>
      `从未调用的 MCP 服务器（${names}）的工具在每次请求中占 ${tokens} tokens：关闭它们可省 ${saves}`,
    'compact-before-pause': ({ request, tokens, cost, saves }) =>
      `第 ${request} 次请求之前的停顿花费 ${cost}：在此之前压缩 ${tokens} tokens 最多可省 ${saves}（摘要按 4,000 tokens 计，且无需重读）`,
    outdated: ({ saves }) => `去掉已过时的内容可省 ${saves}`,
  },
  notWorth: '以下做法没有帮助：',
  outdatedReason: (share, money, part) => `发送内容的 ${share} 已过时；携带它花费 ${money}，占费用的 ${part}。`,
  dearerReason: (name, money) => `${name}会多花 ${money}。`,
  littleReason: (name, money) => `${name}最多只能省 ${money}。`,
  byAuthor: '代理的作者可以做什么',
  alike: '可节省的不多：过时内容很少',
  unsure: '不能确定：可节省的小于模型本身的误差',
  dearer: '没有：任何策略都不比实际发送的更省',
  policies: {
    leftAlone: '历史保持原样',
    everyRequest: '每次请求都应用规则',
    batches20k: '每满 20,000 tokens 应用规则',
    batches30k: '每满 30,000 tokens 应用规则',
    clearAbove100k: '超过 100,000 时只留 3 个结果',
    view: 'ContextView',
  },
  withOutput: '提示按缓存模型计算，回答不变。',
  promptsOnly: '提示费用（不含输出），按缓存模型计算。',
  modelOff: (money, change) => `历史保持原样时模型算得 ${money}（${change}）；区间即为可能的误差。`,
  byModel: '按各线程所用模型的价格。',
  byUsual: '文件未注明模型，因此采用 Anthropic 的比例。',
  chart: '每次请求',
  map: '一次请求，逐条消息',
  history: '压缩',
  historyHint: '历史在哪里被压缩；每一处都可展开查看它所代表的消息。',
  noHistory: '此会话的历史没有被压缩。',
  kinds: {
    fixed: '系统提示与工具',
    system: '系统消息',
    user: '用户',
    assistant: '模型的文字',
    reasoning: '推理',
    call: '工具调用',
    result: '工具结果',
    image: '图片与文件',
    summary: '摘要',
    other: '其他',
  },
};

export const WORDS = { en, zh };
