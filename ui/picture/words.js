// @ts-check
/**
 * Texts of `<context-map>` and `<context-chart>`.
 * @import { Pairs } from '../base/format.js'
 * @import { CostPicture, ThreadPicture } from '../picture.js'
 * @typedef {typeof WORDS['en']} Words
 */
import { inBothLanguages } from '../base/format.js';
import { legible } from '../base/safe-text.js';

/** @satisfies {Pairs} */
const TEXTS = {
  kinds: {
    fixed: ['system prompt and tools', '系统提示与工具定义'],
    system: ['system messages', '系统消息'],
    user: ['user', '用户'],
    assistant: ['assistant', '助手'],
    reasoning: ['reasoning', '思考'],
    call: ['tool calls', '工具调用'],
    result: ['tool results', '工具结果'],
    image: ['images', '图片'],
    summary: ['summaries', '摘要'],
    other: ['other', '其他'],
  },
  /** Names of one cell. Its kinds are finer than those of the totals. */
  cellKinds: {
    system: ['system message', '系统消息'],
    user: ['user', '用户'],
    assistant: ['assistant', '助手'],
    reasoning: ['reasoning', '思考'],
    call: ['tool call', '工具调用'],
    result: ['tool result', '工具结果'],
    image: ['image', '图片'],
    file: ['file', '文件'],
    summary: ['summary', '摘要'],
    tools: ['tools', '工具定义'],
    text: ['text', '文本'],
    other: ['other', '其他'],
  },
  otherTools: ['other tools', '其他工具'],
  resultOf: [(tool) => `result of ${tool}`, (tool) => `${tool} 的结果`],
  thread: ['Conversation', '会话'],
  mainThread: ['main conversation', '主会话'],
  branch: ['branch', '分支'],
  subAgent: ['sub-agent', '子智能体'],
  request: ['Request', '请求'],
  requestOf: [(at, count) => `Request ${at} of ${count}`, (at, count) => `第 ${at} 次请求，共 ${count} 次`],
  tokens: [(count) => `${count} tokens`, (count) => `${count} 个 token`],
  noPicture: ['No session to show yet.', '还没有可显示的会话。'],
  otherVersion: [
    (version, known) => `This picture has version ${version}; version ${known} can be drawn.`,
    (version, known) => `此图的版本为 ${version}；只能绘制版本 ${known}。`,
  ],
  wrongShape: [
    (where) => `This can't be drawn: ${where} isn't as a session's picture has it.`,
    (where) => `无法绘制：${where} 不符合会话图的格式。`,
  ],
  noRequests: ['No request was sent in this conversation yet.', '此会话尚未发送任何请求。'],
  nothingSent: ['This request sent no message.', '此请求没有发送任何消息。'],
  // map
  shows: ['Shows', '显示'],
  asItWas: ['what was sent', '实际发送的内容'],
  withView: ['with ContextView', '使用 ContextView'],
  cellSizes: ['Cell sizes', '格子大小'],
  asSent: ['as sent', '按发送内容'],
  asStored: ['as stored', '按存储内容'],
  mapLabel: [(at) => `What request ${at} sends, in order`, (at) => `第 ${at} 次请求按顺序发送的内容`],
  mapHelp: [
    'Arrow keys move from cell to cell and from row to row; Enter opens the message.',
    '方向键在格子与行之间移动；回车键打开消息。',
  ],
  inWindow: [
    (tokens, window, share) => `${tokens} tokens, ${share} of the window of ${window}.`,
    (tokens, window, share) => `${tokens} 个 token，占 ${window} 窗口的 ${share}。`,
  ],
  inAll: [
    (tokens, cells) => `${tokens} tokens in ${cells} cells.`,
    (tokens, cells) => `${cells} 个格子，共 ${tokens} 个 token。`,
  ],
  cachedSum: [(share) => `${share} expected from the cache.`, (share) => `预计 ${share} 命中缓存。`],
  replacedSum: [
    (count, tokens) => `${count} replaced, which saves ${tokens}.`,
    (count, tokens) => `已替换 ${count} 处，节省 ${tokens}。`,
  ],
  withReferencesSum: [
    (count, tokens) => `${count} with references to lines above, which saves ${tokens}.`,
    (count, tokens) => `${count} 处引用上文的行，节省 ${tokens}。`,
  ],
  pendingSum: [
    (count, tokens) => `${count} outdated and still sent: ${tokens}.`,
    (count, tokens) => `${count} 处已过时但仍在发送：${tokens}。`,
  ],
  readSum: [(share) => `${share} read from the cache.`, (share) => `${share} 从缓存读取。`],
  clearedSum: [
    (count, tokens) => `${count} cleared by the agent: ${tokens} gone, by the provider's count.`,
    (count, tokens) => `智能体清除了 ${count} 处：按服务商的计数少了 ${tokens}。`,
  ],
  legend: ['Colours', '颜色'],
  legendHelp: ['Press to show one of them alone', '按下可单独显示其中一类'],
  replaced: ['replaced by a placeholder', '已替换为占位符'],
  withReferences: ['refers to lines above', '引用上文的行'],
  pending: ['outdated, still sent', '已过时，仍在发送'],
  cached: ['expected from the cache', '预计命中缓存'],
  read: ['read from the cache', '从缓存读取'],
  cleared: ['cleared by the agent (likeliest place)', '已被智能体清除（最可能的位置）'],
  limit: [(tokens) => `window: ${tokens}`, (tokens) => `窗口：${tokens}`],
  readingHint: ['Point at a cell, or move to one with the arrow keys.', '指向一个格子，或用方向键移动到格子上。'],
  stateReplaced: [
    (now, before) => `replaced: ${now} tokens instead of ${before}`,
    (now, before) => `已替换：${before} 个 token 变为 ${now} 个`,
  ],
  stateCleared: [
    (now, before) => `cleared by the agent: ${now} tokens instead of ${before}`,
    (now, before) => `已被智能体清除：${before} 个 token 变为 ${now} 个`,
  ],
  stateWithReferences: [
    (now, before) => `refers to lines above: ${now} tokens instead of ${before}`,
    (now, before) => `引用上文的行：${before} 个 token 变为 ${now} 个`,
  ],
  statePending: ['outdated, still sent', '已过时，仍在发送'],
  byRule: [(rule) => `rule ${rule}`, (rule) => `规则 ${rule}`],
  fromRequest: [(request) => `since request ${request}`, (request) => `自第 ${request} 次请求起`],
  isCached: ['cached', '已缓存'],
  fixedLabel: ['System prompt and tools, which the file does not hold', '系统提示与工具定义（文件中没有）'],
  noLabel: ['without text', '无文字'],
  messageNumber: [(number) => `message ${number}`, (number) => `第 ${number} 条消息`],
  close: ['Close', '关闭'],
  stored: ['As stored', '存储的内容'],
  sent: ['As sent', '发送的内容'],
  sentAsStored: ['Sent as it is stored.', '按存储内容原样发送。'],
  notSent: ['This request does not send it.', '此请求不发送它。'],
  clearedNote: [
    (request) =>
      `Cleared by the agent since request ${request}: the provider counted fewer tokens than the file holds. No record says what went; this is the likeliest place.`,
    (request) =>
      `自第 ${request} 次请求起被智能体清除：服务商计得的 token 少于文件所含。没有记录说明清除了什么；这是最可能的位置。`,
  ],
  placeholderUnknown: [
    'A placeholder is sent in its place, which the picture does not hold.',
    '发送的是占位符，但图中没有其内容。',
  ],
  referencesUnknown: [
    'Lines that the request already holds are sent as references to them.',
    '请求中已有的行以引用代替。',
  ],
  loading: ['Loading the message …', '正在加载消息……'],
  loadFailed: ['The message could not be loaded.', '无法加载此消息。'],
  noLoader: ['Only the picture is here, not the messages themselves.', '这里只有图，没有消息本身。'],
  failed: ['failed', '失败'],
  // chart
  tokensTitle: ['Tokens of each request', '每次请求的 token'],
  costTitle: ['Cost of prompts, without output', '提示费用，不含输出'],
  viewLine: ['as ContextView sends it', 'ContextView 发送的内容'],
  prices: ['Prices', '价目表'],
  ownPrices: ["the session's own models", '此会话自己的模型'],
  noPrices: ['nothing cached', '无缓存'],
  costMode: ['Cost', '费用'],
  eachRequest: ['of each request', '每次请求'],
  summedUp: ['summed up', '累计'],
  policy: ['Policy', '策略'],
  policies: {
    leftAlone: ['history left alone', '历史保持原样'],
    everyRequest: ['rules at every request', '每次请求都应用规则'],
    view: ['ContextView', 'ContextView'],
    paid: ['paid for prompts', '为提示实际支付'],
  },
  thisRequest: ['this request', '此次请求'],
  upToHere: ['up to here', '到此为止'],
  total: ['in total', '合计'],
  compared: ['against left alone', '与保持原样相比'],
  partlyKnown: [
    (known, count) => `known for ${known} of ${count} requests`,
    (known, count) => `${count} 次请求中已知 ${known} 次`,
  ],
  units: ['tokens at the base price of input', '以输入基本价格的 token 计'],
  dollars: ['US dollars', '以美元计'],
  noCosts: ['No costs are known for this conversation.', '此会话没有已知的费用。'],
  causes: {
    idle: ['cache lost in a pause', '因停顿失去缓存'],
    compaction: ['cache lost to a compaction', '因压缩失去缓存'],
    'edited-prefix': ['cache lost to an edited prefix', '因前缀被改动失去缓存'],
    unknown: ['cache lost, cause unknown', '失去缓存，原因不明'],
  },
  begins: {
    compaction: ['compaction: a new context', '压缩：新的上下文'],
    'results-cleared': ['the agent cleared results', '智能体清除了结果'],
    rewind: ['rewound', '回退'],
    changed: ['earlier messages changed', '之前的消息有改动'],
  },
  compacts: ['writes a summary', '写摘要'],
  cacheLossSum: [
    (count, tokens, cost) => `${count}×, ${tokens} tokens again, costs ${cost}`,
    (count, tokens, cost) => `${count} 次，重读 ${tokens} 个 token，费用 ${cost}`,
  ],
  cacheLossAt: [(tokens) => `${tokens} tokens read again`, (tokens) => `重读 ${tokens} 个 token`],
  eventsLabel: ['Marks', '标记'],
  nextEvent: ['Next mark', '下一个标记'],
  previousEvent: ['Previous mark', '上一个标记'],
  chartLabel: [
    (count, least, most) => `Tokens by kind over ${count} requests, from ${least} to ${most}.`,
    (count, least, most) => `${count} 次请求按类型的 token，从 ${least} 到 ${most}。`,
  ],
  costLabel: ['Cost by policy over the same requests.', '同样这些请求在各策略下的费用。'],
  time: ['Time', '时间'],
  model: ['Model', '模型'],
  prompt: ['Tokens', 'token'],
  asView: ['ContextView', 'ContextView'],
  cachedShort: ['cached', '已缓存'],
  reported: ['reported by the provider', '服务商报告'],
  reportedPrompt: [
    (prompt, read) => `${prompt}, of these ${read} cached`,
    (prompt, read) => `${prompt}，其中缓存 ${read}`,
  ],
  marks: ['Marks', '标记'],
  showTable: ['Show as a table', '显示为表格'],
  hideTable: ['Hide the table', '隐藏表格'],
  tableCaption: [
    (from, to, count) => `Requests ${from} to ${to} of ${count}`,
    (from, to, count) => `第 ${from} 至 ${to} 次请求，共 ${count} 次`,
  ],
  earlier: ['Earlier requests', '更早的请求'],
  later: ['Later requests', '更晚的请求'],
  join: [', ', '，'],
  colon: [': ', '：'],
  semicolon: ['; ', '；'],
  sentences: [' ', ''],
};

export const WORDS = inBothLanguages(TEXTS);

/** A later version may add kinds. @param {Record<string, string>} names @param {string} kind */
export function kindName(names, kind) {
  return (Object.hasOwn(names, kind) ? names[kind] : undefined) ?? kind;
}

/** Name of a thread in the list of threads. @param {Words} words @param {ThreadPicture} thread */
export function threadName(words, { kind, name }) {
  if (kind === 'main') return words.mainThread;
  const kindText = kind === 'branch' ? words.branch : words.subAgent;
  return name === null || name === undefined ? kindText : `${kindText}: ${legible(name)}`;
}

/** Name of a price list. @param {Words} words @param {CostPicture} cost */
export function pricesName(words, { prices }) {
  if (prices === 'own') return words.ownPrices;
  return prices === 'none' ? words.noPrices : legible(prices);
}
