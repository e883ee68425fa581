// @ts-check
/**
 * Texts of the page of `palimpsest view`.
 * @import { Pairs } from '../base/format.js'
 * @typedef {typeof WORDS['en']} Words
 * @typedef {Record<'cost' | 'saves' | 'times' | 'tokens' | 'names' | 'request', string>} AdviceFigures
 */
import { inBothLanguages } from '../base/format.js';
import { FILE_TEXTS } from './files-note.js';
import { HOME_TEXTS } from './home/words.js';

/** @satisfies {Pairs} */
const TEXTS = {
  home: HOME_TEXTS,
  files: FILE_TEXTS,
  allSessions: ['← All sessions', '← 全部会话'],
  languageLabel: ['Language', '语言'],
  loading: ['Reading…', '正在读取…'],
  live: ['Follows the session as it grows', '随会话增长而更新'],
  ended: ['The server has ended; what you see stays as it is.', '服务已结束；页面内容保持不变。'],
  exported: ['Written to a file; it doesn’t change.', '已写入文件，内容不再变化。'],
  noToken: [
    'This address has no valid token. Open the address that “palimpsest view” printed, with everything behind the #.',
    '此地址没有有效的令牌。请打开 “palimpsest view” 打印的完整地址（包括 # 之后的部分）。',
  ],
  noRequests: [
    'Nothing has been sent to a model yet: the session has no answer in it. The page follows the file.',
    '尚未向模型发送任何请求：会话中没有回答。页面会随文件更新。',
  ],
  paid: ['Paid', '已付'],
  unknown: ['–', '–'],
  untitled: ['Session without a name', '未命名会话'],
  largest: [
    (number, tokens) => `At its largest, in request ${number}, it held ${tokens} tokens.`,
    (number, tokens) => `最大时（第 ${number} 次请求）含 ${tokens} 个 token。`,
  ],
  largestOf: [
    (number, tokens, share, window) =>
      `At its largest, in request ${number}, it held ${tokens} tokens, ${share} of the model’s window of ${window}.`,
    (number, tokens, share, window) =>
      `最大时（第 ${number} 次请求）含 ${tokens} 个 token，占模型 ${window} 窗口的 ${share}。`,
  ],
  ofRequests: [(number) => `${number} requests`, (number) => `${number} 次请求`],
  units: [(amount) => `${amount} tokens’ worth`, (amount) => `相当于 ${amount} 个 token`],
  separator: [', ', '，'],
  fills: ['What fills the window?', '窗口里装了什么？'],
  fillsLead: [
    (what, share) => `${what}: ${share} of all that was sent`,
    (what, share) => `${what}：占全部发送内容的 ${share}`,
  ],
  carried: [
    (tokens, requests) =>
      requests === '1' ? `${tokens} tokens in one request` : `${tokens} tokens, carried through ${requests} requests`,
    (tokens, requests) => `${tokens} 个 token，随 ${requests} 次请求发送`,
  ],
  copies: [(count) => `${count} times`, (count) => `${count} 份`],
  staleCost: [(money) => `${money} of it when it was outdated`, (money) => `其中 ${money} 花在已过时之后`],
  ofThread: [(what, thread) => `${what} of ${thread}`, (what, thread) => `${thread} 的${what}`],
  quoted: [(what, text) => `${what}: ${text}`, (what, text) => `${what}：${text}`],
  outdated: [
    (tokens, share) => `${tokens} of them (${share}) are results that rules name outdated.`,
    (tokens, share) => `其中 ${tokens}（${share}）是规则认定已过时的结果。`,
  ],
  nothingOutdated: ['No rule names anything of it outdated.', '没有规则认定其中的内容已过时。'],
  bill: ['What was paid for?', '钱花在哪里？'],
  billLead: [(money) => `${money}, and nothing of it for a lost cache`, (money) => `${money}，没有因缓存丢失而多付`],
  billLostLead: [
    (money, count, lost) =>
      count === '1'
        ? `${money}; of this ${lost} for one lost cache`
        : `${money}; of this ${lost} for ${count} lost caches`,
    (money, count, lost) => `${money}；其中 ${lost} 因 ${count} 次缓存丢失`,
  ],
  newInput: ['New input', '新输入'],
  reread: ['History, read again from the cache', '历史，从缓存重读'],
  resent: ['History, sent again without a cache', '历史，无缓存重发'],
  output: ['Output', '输出'],
  noUsage: ['Not known: the file records no usage', '未知：文件没有记录用量'],
  noUsageMore: ['What the policies cost is computed from the messages.', '各策略的费用由消息计算得出。'],
  loss: [(name, count) => `Cache lost ${count}×: ${name}`, (name, count) => `缓存丢失 ${count} 次：${name}`],
  lossAt: [
    (number, /** @type {string | null} */ pause, /** @type {string | null} */ thread) =>
      `Request ${number}${thread === null ? '' : ` of ${thread}`}${pause === null ? '' : `, after ${pause}`}`,
    (number, pause, thread) =>
      `${thread === null ? '' : `${thread} 的`}第 ${number} 次请求${pause === null ? '' : `，停顿 ${pause} 之后`}`,
  ],
  whichRequests: ['Which requests', '哪些请求'],
  causes: {
    idle: ['a pause, and the cache had expired', '停顿后缓存已过期'],
    compaction: ['history was compacted or cleared', '历史被压缩或清除'],
    'edited-prefix': ['the prompt began otherwise', '提示的开头变了'],
    unknown: ['the file doesn’t say why', '文件没有说明原因'],
  },
  surprises: {
    'less-left': [
      'less was left than usual after a pause, a compaction or a changed prefix',
      '停顿、压缩或前缀改变之后剩下的比通常少',
    ],
    'gone-early': [
      'gone after a pause of 5 minutes or more, though it should live longer',
      '停顿 5 分钟以上后消失，尽管缓存本应存活更久',
    ],
    'new-start': [
      'nothing was read at a user’s turn, as after a restart of the agent',
      '用户发言时什么也没有读到，如智能体重启之后',
    ],
    'lost-at-turn': ['a part was lost at a user’s turn', '用户发言时丢失了一部分'],
    'lost-within-turn': [
      'the provider lost a part, or all, in the middle of a turn',
      '服务商在一轮之中丢失了部分或全部',
    ],
    'kept-longer': ['the file doesn’t say why', '文件没有说明原因'],
  },
  again: [
    (tokens) => `${tokens} tokens were billed as new again.`,
    (tokens) => `${tokens} 个 token 再次按新内容计费。`,
  ],
  otherCauses: ['other causes', '其他原因'],
  pictureTitle: [(money) => `What ${money} was paid for`, (money) => `${money} 花在哪里`],
  pictureChart: [
    (tokens) => `Tokens of each request, up to ${tokens}; a dot where the cache was lost`,
    (tokens) => `每次请求的 token，最多 ${tokens}；圆点表示缓存丢失`,
  ],
  save: ['Save without any content:', '保存（不含任何内容）：'],
  saveAs: [(form) => `Save the bill as ${form}`, (form) => `将费用保存为 ${form}`],
  saveHint: [
    'A picture of the bill, with nothing of what was said and no names of projects, files or tools',
    '费用的图片：不含任何对话内容，也不含项目、文件或工具的名称',
  ],
  moreLosses: [(count) => `and ${count} more, marked in the chart`, (count) => `另有 ${count} 次，见图表标记`],
  asRecorded: [
    'Prompts and answers, in the dollars that the agent recorded.',
    '提示与回答，采用智能体记录的美元金额。',
  ],
  atListPrices: [
    (date) => `Prompts and answers: the recorded usage at each model’s list price (list of ${date}).`,
    (date) => `提示与回答：按各模型标价（${date} 的价目表）计算记录的用量。`,
  ],
  noPrice: [
    'Prompts and answers, in tokens at the base price of input: the price of a model isn’t known.',
    '提示与回答，以输入基本价格的 token 计：有模型的价格未知。',
  ],
  cheaper: ['What would have been cheaper?', '怎样会更便宜？'],
  adviceLead: [
    (name, money, share) => `${name}: up to ${money} less, ${share} of the bill`,
    (name, money, share) => `${name}：最多少付 ${money}，占费用的 ${share}`,
  ],
  authorLead: [
    (policy, change) => `For you, nothing; for the agent’s author, ${policy}: ${change}`,
    (policy, change) => `您无需做什么；智能体的作者可用 ${policy}：${change}`,
  ],
  adviceNames: {
    'one-hour-cache': ['A 1-hour cache', '1 小时缓存'],
    'unused-servers': ['Fewer MCP servers', '减少 MCP 服务器'],
    'compact-before-pause': ['Compacting before a pause', '停顿前压缩'],
    outdated: ['Leaving out what is outdated', '去掉已过时的内容'],
  },
  advice: {
    'one-hour-cache': [
      (/** @type {AdviceFigures} */ { times, cost, saves }) =>
        `${times === '1' ? 'One pause' : `${times} pauses`} between 5 minutes and an hour cost ${cost}: a 1-hour cache would have saved ${saves}, its dearer writes included`,
      (/** @type {AdviceFigures} */ { times, cost, saves }) =>
        `${times} 次 5 分钟到 1 小时的停顿花费 ${cost}：1 小时缓存可省 ${saves}（已计入更贵的写入）`,
    ],
    'unused-servers': [
      (/** @type {AdviceFigures} */ { tokens, names, saves }) =>
        `Tools of MCP servers that were never called (${names}) are ${tokens} tokens in every request: switching them off saves ${saves}`,
      (/** @type {AdviceFigures} */ { tokens, names, saves }) =>
        `从未调用的 MCP 服务器（${names}）的工具在每次请求中占 ${tokens} 个 token：关闭它们可省 ${saves}`,
    ],
    'compact-before-pause': [
      (/** @type {AdviceFigures} */ { request, tokens, cost, saves }) =>
        `The pause before request ${request} cost ${cost}: compacting ${tokens} tokens ahead of it would have saved up to ${saves}, with a summary of 4,000 tokens and nothing read again`,
      (/** @type {AdviceFigures} */ { request, tokens, cost, saves }) =>
        `第 ${request} 次请求之前的停顿花费 ${cost}：在此之前压缩 ${tokens} 个 token 最多可省 ${saves}（摘要按 4,000 个 token 计，且无需重读）`,
    ],
    outdated: [
      (/** @type {AdviceFigures} */ { saves }) => `Leaving out what is outdated would have saved ${saves}`,
      (/** @type {AdviceFigures} */ { saves }) => `去掉已过时的内容可省 ${saves}`,
    ],
  },
  notWorth: ['What would not have helped:', '以下做法没有帮助：'],
  outdatedReason: [
    (share, money, part) => `${share} of what was sent was outdated; carrying it cost ${money}, ${part} of the bill.`,
    (share, money, part) => `发送内容的 ${share} 已过时；携带它花费 ${money}，占费用的 ${part}。`,
  ],
  dearerReason: [
    (name, money) => `${name} would have cost ${money} more.`,
    (name, money) => `${name}会多花 ${money}。`,
  ],
  littleReason: [
    (name, money) => `${name} would have saved no more than ${money}.`,
    (name, money) => `${name}最多只能省 ${money}。`,
  ],
  byAuthor: ['What the agent’s author can do', '智能体的作者可以做什么'],
  alike: ['Little to gain: nothing much was outdated', '可节省的不多：过时内容很少'],
  unsure: [
    'Nothing for certain: savings are smaller than the model’s own error',
    '不能确定：可节省的小于模型本身的误差',
  ],
  dearer: ['Nothing: no policy is cheaper than what was sent', '没有：任何策略都不比实际发送的更省'],
  policies: {
    leftAlone: ['History left alone', '历史保持原样'],
    everyRequest: ['Rules at every request', '每次请求都应用规则'],
    batches20k: ['Rules in batches of 20,000', '每满 20,000 个 token 应用规则'],
    batches30k: ['Rules in batches of 30,000', '每满 30,000 个 token 应用规则'],
    clearAbove100k: ['All but 3 results above 100,000', '超过 100,000 时只留 3 个结果'],
    view: ['ContextView', 'ContextView'],
  },
  withOutput: ['Prompts by the model of the cache, with the same answers.', '提示按缓存模型计算，回答不变。'],
  promptsOnly: ['Prompts without output, by the model of the cache.', '提示费用（不含输出），按缓存模型计算。'],
  modelOff: [
    (money, change) =>
      `For the session with its history left alone it says ${money} (${change}); a range is what that may be off by.`,
    (money, change) => `历史保持原样时模型算得 ${money}（${change}）；区间即为可能的误差。`,
  ],
  byModel: ['At the price of each thread’s own model.', '按各线程所用模型的价格。'],
  byUsual: ['The file names no model, so Anthropic’s shares are taken.', '文件未注明模型，因此采用 Anthropic 的比例。'],
  chart: ['Every request', '每次请求'],
  map: ['One request, message by message', '一次请求，逐条消息'],
  transcript: ['Transcript', '对话记录'],
  transcriptHint: [
    'Where history was compressed, it opens into the messages that the summary replaces.',
    '历史被压缩之处可展开，查看摘要所代表的消息。',
  ],
  inTranscript: ['In the transcript', '在对话记录中查看'],
  inMap: ['In the map', '在图中查看'],
  neverSent: ['No request of this thread has sent this message.', '此线程的任何请求都没有发送这条消息。'],
  notInTranscript: ['This message isn’t in the transcript of this thread.', '此线程的对话记录中没有这条消息。'],
  kinds: {
    fixed: ['System prompt and tools', '系统提示与工具'],
    system: ['System messages', '系统消息'],
    user: ['The user', '用户'],
    assistant: ['The model’s words', '模型的文字'],
    reasoning: ['Reasoning', '推理'],
    call: ['Tool calls', '工具调用'],
    result: ['Tool results', '工具结果'],
    image: ['Images and files', '图片与文件'],
    summary: ['Summaries', '摘要'],
    other: ['Other', '其他'],
  },
};

export const WORDS = inBothLanguages(TEXTS);
