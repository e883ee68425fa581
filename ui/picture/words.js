// @ts-check
/**
 * Texts of `<context-map>` and `<context-chart>`.
 * @import { CostPicture, ThreadPicture } from '../picture.js'
 * @typedef {typeof WORDS['en']} Words
 */
import { inBothLanguages } from '../base/format.js';
import { legible } from '../base/safe-text.js';

export const WORDS = inBothLanguages({
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
  resultOf: ['result of {0}', '{0} 的结果'],
  thread: ['Conversation', '会话'],
  mainThread: ['main conversation', '主会话'],
  branch: ['branch', '分支'],
  subAgent: ['sub-agent', '子智能体'],
  request: ['Request', '请求'],
  requestOf: ['Request {0} of {1}', '第 {0} 次请求，共 {1} 次'],
  tokens: ['{0} tokens', '{0} 个 token'],
  noPicture: ['No session to show yet.', '还没有可显示的会话。'],
  otherVersion: ['This picture has version {0}; version {1} can be drawn.', '此图的版本为 {0}；只能绘制版本 {1}。'],
  wrongShape: ["This can't be drawn: {0} isn't as a session's picture has it.", '无法绘制：{0} 不符合会话图的格式。'],
  noRequests: ['No request was sent in this conversation yet.', '此会话尚未发送任何请求。'],
  nothingSent: ['This request sent no message.', '此请求没有发送任何消息。'],
  // map
  shows: ['Shows', '显示'],
  asItWas: ['what was sent', '实际发送的内容'],
  withView: ['with ContextView', '使用 ContextView'],
  cellSizes: ['Cell sizes', '格子大小'],
  asSent: ['as sent', '按发送内容'],
  asStored: ['as stored', '按存储内容'],
  mapLabel: ['What request {0} sends, in order', '第 {0} 次请求按顺序发送的内容'],
  mapHelp: [
    'Arrow keys move from cell to cell and from row to row; Enter opens the message.',
    '方向键在格子与行之间移动；回车键打开消息。',
  ],
  inWindow: ['{0} tokens, {2} of the window of {1}.', '{0} 个 token，占 {1} 窗口的 {2}。'],
  inAll: ['{0} tokens in {1} cells.', '{1} 个格子，共 {0} 个 token。'],
  cachedSum: ['{0} expected from the cache.', '预计 {0} 命中缓存。'],
  replacedSum: ['{0} replaced, which saves {1}.', '已替换 {0} 处，节省 {1}。'],
  withReferencesSum: ['{0} with references to lines above, which saves {1}.', '{0} 处引用上文的行，节省 {1}。'],
  pendingSum: ['{0} outdated and still sent: {1}.', '{0} 处已过时但仍在发送：{1}。'],
  readSum: ['{0} read from the cache.', '{0} 从缓存读取。'],
  clearedSum: [
    "{0} cleared by the agent: {1} gone, by the provider's count.",
    '智能体清除了 {0} 处：按服务商的计数少了 {1}。',
  ],
  legend: ['Colours', '颜色'],
  legendHelp: ['Press to show one of them alone', '按下可单独显示其中一类'],
  replaced: ['replaced by a placeholder', '已替换为占位符'],
  withReferences: ['refers to lines above', '引用上文的行'],
  pending: ['outdated, still sent', '已过时，仍在发送'],
  cached: ['expected from the cache', '预计命中缓存'],
  read: ['read from the cache', '从缓存读取'],
  cleared: ['cleared by the agent (likeliest place)', '已被智能体清除（最可能的位置）'],
  limit: ['window: {0}', '窗口：{0}'],
  readingHint: ['Point at a cell, or move to one with the arrow keys.', '指向一个格子，或用方向键移动到格子上。'],
  stateReplaced: ['replaced: {0} tokens instead of {1}', '已替换：{1} 个 token 变为 {0} 个'],
  stateCleared: ['cleared by the agent: {0} tokens instead of {1}', '已被智能体清除：{1} 个 token 变为 {0} 个'],
  stateWithReferences: ['refers to lines above: {0} tokens instead of {1}', '引用上文的行：{1} 个 token 变为 {0} 个'],
  byRule: ['rule {0}', '规则 {0}'],
  fromRequest: ['since request {0}', '自第 {0} 次请求起'],
  isCached: ['cached', '已缓存'],
  fixedLabel: ['System prompt and tools, which the file does not hold', '系统提示与工具定义（文件中没有）'],
  noLabel: ['without text', '无文字'],
  messageNumber: ['message {0}', '第 {0} 条消息'],
  close: ['Close', '关闭'],
  stored: ['As stored', '存储的内容'],
  sent: ['As sent', '发送的内容'],
  sentAsStored: ['Sent as it is stored.', '按存储内容原样发送。'],
  notSent: ['This request does not send it.', '此请求不发送它。'],
  clearedNote: [
    'Cleared by the agent since request {0}: the provider counted fewer tokens than the file holds. No record says which content; this is the likeliest place.',
    '自第 {0} 次请求起被智能体清除：服务商计得的 token 少于文件所含。没有记录说明清除了什么；这是最可能的位置。',
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
    leftAlone: ['unmodified history', '历史保持原样'],
    everyRequest: ['rules at every request', '每次请求都应用规则'],
    view: ['ContextView', 'ContextView'],
    paid: ['paid for prompts', '为提示实际支付'],
  },
  thisRequest: ['this request', '此次请求'],
  upToHere: ['up to here', '到此为止'],
  total: ['in total', '合计'],
  compared: ['against unmodified', '与保持原样相比'],
  partlyKnown: ['known for {0} of {1} requests', '{1} 次请求中已知 {0} 次'],
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
  cacheLossSum: ['{0}×, {1} tokens again, costs {2}', '{0} 次，重读 {1} 个 token，费用 {2}'],
  cacheLossAt: ['{0} tokens read again', '重读 {0} 个 token'],
  nextEvent: ['Next mark', '下一个标记'],
  previousEvent: ['Previous mark', '上一个标记'],
  chartLabel: ['Tokens by kind over {0} requests, from {1} to {2}.', '{0} 次请求按类型的 token，从 {1} 到 {2}。'],
  costLabel: ['Cost by policy over the same requests.', '同样这些请求在各策略下的费用。'],
  time: ['Time', '时间'],
  model: ['Model', '模型'],
  prompt: ['Tokens', 'token'],
  reported: ['reported by the provider', '服务商报告'],
  reportedPrompt: ['{0}, of these {1} cached', '{0}，其中缓存 {1}'],
  marks: ['Marks', '标记'],
  showTable: ['Show as a table', '显示为表格'],
  hideTable: ['Hide the table', '隐藏表格'],
  tableCaption: ['Requests {0} to {1} of {2}', '第 {0} 至 {1} 次请求，共 {2} 次'],
  earlier: ['Earlier requests', '更早的请求'],
  later: ['Later requests', '更晚的请求'],
  join: [', ', '，'],
  colon: [': ', '：'],
  semicolon: ['; ', '；'],
  sentences: [' ', ''],
});

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
