// @ts-check
/** Texts of the page of `palimpsest view`. @typedef {typeof WORDS['en']} Words */
import { inBothLanguages } from '../base/format.js';

/** Texts that replace the session reader's own, which are English. @param {Record<string, string>} texts */
const inChinese = (texts) => /** @type {[Record<string, string>, Record<string, string>]} */ ([{}, texts]);

export const WORDS = inBothLanguages({
  home: {
    title: ['Sessions', '会话'],
    periods: { today: ['Today', '今天'], week: ['7 days', '7 天'], month: ['30 days', '30 天'], all: ['All', '全部'] },
    sessions: [(count) => (count === '1' ? '1 session' : `${count} sessions`), '{0} 个会话'],
    also: ['and {0}', '另有{0}'],
    byProject: ['By project', '按项目'],
    byModel: ['By model', '按模型'],
    noProject: ['No project', '无项目'],
    noModel: ['Model not recorded', '未记录模型'],
    more: ['{0} more', '另外 {0} 个'],
    filter: ['Filter', '筛选'],
    filterHint: ['Words of a prompt, a project, an agent, a model or a path', '提示、项目、智能体、模型或路径中的词'],
    columns: {
      session: ['Session', '会话'],
      course: ['Tokens sent', '发送的 token'],
      lastMs: ['Last used', '最近使用'],
      requests: ['Requests', '请求数'],
      peakTokens: ['Longest prompt', '最长提示'],
      busts: ['Cache losses', '缓存丢失'],
      paid: ['Paid', '已付'],
    },
    courseHint: ['Request by request; a red dot is a lost cache', '逐次请求；红点表示缓存丢失'],
    subAgents: [(count) => (count === '1' ? '1 sub-agent' : `${count} sub-agents`), '{0} 个子智能体'],
    repeated: ['+ {0} in an earlier session', '另有 {0} 已计入更早的会话'],
    total: ['Total of {0}', '合计 {0}'],
    showMore: ['Show {0} more', '再显示 {0} 个'],
    nothing: ['No session is like that.', '没有符合条件的会话。'],
    none: [
      'There are no sessions under the paths that “palimpsest view” was given.',
      '“palimpsest view” 给定的路径下没有会话。',
    ],
    reading: [
      'Reading: {0}, {1} so far. What was read once is there at once the next time.',
      '正在读取：{0}，目前 {1}。读过的内容下次立即可用。',
    ],
    basis: [
      'Prompts and answers, in dollars that the agent recorded, else at list prices. Requests that a resumed or copied session repeats are counted once.',
      '提示与回答，采用智能体记录的美元金额，否则按标价计算。恢复或复制的会话中重复的请求只计一次。',
    ],
  },
  files: {
    title: ['About the files', '关于这些文件'],
    titleOfOne: ['About this file', '关于此文件'],
    times: ['{0} × {1}', '{1} × {0}'],
    at: [' (the first: {0})', '（第一处：{0}）'],
    passedOver: [
      (count) =>
        count === '1' ? '1 file is no session of a known format' : `${count} files are no sessions of a known format`,
      '{0} 个文件不是已知格式的会话',
    ],
    outside: [
      (count) =>
        count === '1'
          ? '1 file lies elsewhere, behind a link; it isn’t shown'
          : `${count} files lie elsewhere, behind links; they aren’t shown`,
      '{0} 个文件经由链接位于别处，未显示',
    ],
    /** By failure code; for other codes the session reader's message is shown. */
    failures: inChinese({
      ERR_SESSION_IO: '无法读取此文件',
      ERR_SESSION_NO_FILE: '不是普通文件，因为可能没有结尾而未读取',
      ERR_SESSION_EMPTY: '文件为空，其中没有会话',
      ERR_SESSION_FORMAT: '不是已知的会话文件',
      ERR_SESSION_DATABASE: '无法读取此 SQLite 数据库；可用 opencode export 导出会话',
      ERR_SESSION_TOO_LARGE: '文件太大，无法整个读取',
    }),
    kinds: inChinese({
      'torn-line': '最后一行不完整',
      'bad-line': '不是 JSON 的行',
      'long-line': '行太长，已略去',
      'unreadable-file': '无法读取的文件，已略去',
      'joined-line': '一行有多条记录，均已读取',
      'invalid-text': '不是 UTF-8 的字节',
      'lone-surrogate': '不成对的代理字符',
      'unknown-record': '未知类型的记录，已略去',
      'unknown-part': '未知类型的内容，按 JSON 保留',
      'incomplete-record': '不完整的记录，已略去',
      'repeated-record': '重复的记录，只读一次',
      'partial-output': '输出只计了一部分：Claude Code 2.1.37 及更早版本只记录回答开头时的数值',
      'odd-usage': '自相矛盾的用量',
      'unexplained-shrink': '提示变小，没有记录说明原因',
      'too-many-prefixes': '前缀变化过多，已略去',
    }),
  },
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
  largest: ['At its largest, in request {0}, it held {1} tokens.', '最大时（第 {0} 次请求）含 {1} 个 token。'],
  largestOf: [
    'At its largest, in request {0}, it held {1} tokens, {2} of the model’s window of {3}.',
    '最大时（第 {0} 次请求）含 {1} 个 token，占模型 {3} 窗口的 {2}。',
  ],
  ofRequests: ['{0} requests', '{0} 次请求'],
  units: ['{0} tokens’ worth', '相当于 {0} 个 token'],
  separator: [', ', '，'],
  fills: ['What fills the window?', '窗口里装了什么？'],
  fillsLead: ['{0}: {1} of all that was sent', '{0}：占全部发送内容的 {1}'],
  carried: [
    (tokens, requests) =>
      requests === '1' ? `${tokens} tokens in one request` : `${tokens} tokens, carried through ${requests} requests`,
    '{0} 个 token，随 {1} 次请求发送',
  ],
  copies: ['{0} times', '{0} 份'],
  staleCost: ['{0} of it when it was outdated', '其中 {0} 花在已过时之后'],
  ofThread: ['{0} of {1}', '{1} 的{0}'],
  quoted: ['{0}: {1}', '{0}：{1}'],
  outdated: ['{0} of them ({1}) are results that rules name outdated.', '其中 {0}（{1}）是规则认定已过时的结果。'],
  nothingOutdated: ['No rule names anything of it outdated.', '没有规则认定其中的内容已过时。'],
  bill: ['What was paid for?', '钱花在哪里？'],
  billLead: ['{0}, and nothing of it for a lost cache', '{0}，没有因缓存丢失而多付'],
  billLostLead: [
    (money, count, lost) =>
      count === '1'
        ? `${money}; of this ${lost} for one lost cache`
        : `${money}; of this ${lost} for ${count} lost caches`,
    '{0}；其中 {2} 因 {1} 次缓存丢失',
  ],
  newInput: ['New input', '新输入'],
  reread: ['History, read again from the cache', '历史，从缓存重读'],
  resent: ['History, sent again without a cache', '历史，无缓存重发'],
  output: ['Output', '输出'],
  noUsage: ['Not known: the file records no usage', '未知：文件没有记录用量'],
  noUsageMore: ['What the policies cost is computed from the messages.', '各策略的费用由消息计算得出。'],
  loss: ['Cache lost {1}×: {0}', '缓存丢失 {1} 次：{0}'],
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
  again: ['{0} tokens were billed as new again.', '{0} 个 token 再次按新内容计费。'],
  otherCauses: ['other causes', '其他原因'],
  pictureTitle: ['What {0} was paid for', '{0} 花在哪里'],
  pictureChart: [
    'Tokens of each request, up to {0}; a dot where the cache was lost',
    '每次请求的 token，最多 {0}；圆点表示缓存丢失',
  ],
  save: ['Save without any content:', '保存（不含任何内容）：'],
  saveAs: ['Save the bill as {0}', '将费用保存为 {0}'],
  saveHint: [
    'A picture of the bill, with nothing of what was said and no names of projects, files or tools',
    '费用的图片：不含任何对话内容，也不含项目、文件或工具的名称',
  ],
  moreLosses: ['and {0} more, marked in the chart', '另有 {0} 次，见图表标记'],
  asRecorded: [
    'Prompts and answers, in the dollars that the agent recorded.',
    '提示与回答，采用智能体记录的美元金额。',
  ],
  atListPrices: [
    'Prompts and answers: the recorded usage at each model’s list price (list of {0}).',
    '提示与回答：按各模型标价（{0} 的价目表）计算记录的用量。',
  ],
  noPrice: [
    'Prompts and answers, in tokens at the base price of input: the price of a model isn’t known.',
    '提示与回答，以输入基本价格的 token 计：有模型的价格未知。',
  ],
  cheaper: ['What would have been cheaper?', '怎样会更便宜？'],
  adviceLead: ['{0}: up to {1} less, {2} of the bill', '{0}：最多少付 {1}，占费用的 {2}'],
  authorLead: ['For you, nothing; for the agent’s author, {0}: {1}', '您无需做什么；智能体的作者可用 {0}：{1}'],
  adviceNames: {
    'one-hour-cache': ['A 1-hour cache', '1 小时缓存'],
    'unused-servers': ['Fewer MCP servers', '减少 MCP 服务器'],
    'compact-before-pause': ['Compacting before a pause', '停顿前压缩'],
    outdated: ['Leaving out what is outdated', '去掉已过时的内容'],
  },
  pauses: [(count) => (count === '1' ? 'One pause' : `${count} pauses`), '{0} 次'],
  /** For `fill`. */
  advice: {
    'one-hour-cache': [
      '{pauses} between 5 minutes and an hour cost {cost}: a 1-hour cache would have saved {saves}, its dearer writes included',
      '{pauses} 5 分钟到 1 小时的停顿花费 {cost}：1 小时缓存可省 {saves}（已计入更贵的写入）',
    ],
    'unused-servers': [
      'Tools of MCP servers that were never called ({names}) are {tokens} tokens in every request: switching them off saves {saves}',
      '从未调用的 MCP 服务器（{names}）的工具在每次请求中占 {tokens} 个 token：关闭它们可省 {saves}',
    ],
    'compact-before-pause': [
      'The pause before request {request} cost {cost}: compacting {tokens} tokens ahead of it would have saved up to {saves}, with a summary of 4,000 tokens and nothing read again',
      '第 {request} 次请求之前的停顿花费 {cost}：在此之前压缩 {tokens} 个 token 最多可省 {saves}（摘要按 4,000 个 token 计，且无需重读）',
    ],
    outdated: ['Leaving out what is outdated would have saved {saves}', '去掉已过时的内容可省 {saves}'],
  },
  notWorth: ['What would not have helped:', '以下做法没有帮助：'],
  outdatedReason: [
    '{0} of what was sent was outdated; carrying it cost {1}, {2} of the bill.',
    '发送内容的 {0} 已过时；携带它花费 {1}，占费用的 {2}。',
  ],
  dearerReason: ['{0} would have cost {1} more.', '{0}会多花 {1}。'],
  littleReason: ['{0} would have saved no more than {1}.', '{0}最多只能省 {1}。'],
  byAuthor: ['What the agent’s author can do', '智能体的作者可以做什么'],
  alike: ['Little to gain: nothing much was outdated', '可节省的不多：过时内容很少'],
  unsure: [
    'Nothing for certain: savings are smaller than the model’s own error',
    '不能确定：可节省的小于模型本身的误差',
  ],
  dearer: ['Nothing: no policy is cheaper than what was sent', '没有：任何策略都不比实际发送的更省'],
  policies: {
    leftAlone: ['Unmodified history', '历史保持原样'],
    everyRequest: ['Rules at every request', '每次请求都应用规则'],
    batches20k: ['Rules in batches of 20,000', '每满 20,000 个 token 应用规则'],
    batches30k: ['Rules in batches of 30,000', '每满 30,000 个 token 应用规则'],
    clearAbove100k: ['All but 3 results above 100,000', '超过 100,000 时只留 3 个结果'],
    view: ['ContextView', 'ContextView'],
  },
  withOutput: ['Prompts by the model of the cache, with the same answers.', '提示按缓存模型计算，回答不变。'],
  promptsOnly: ['Prompts without output, by the model of the cache.', '提示费用（不含输出），按缓存模型计算。'],
  modelOff: [
    'For the unmodified session it says {0} ({1}); a range is what that may be off by.',
    '历史保持原样时模型算得 {0}（{1}）；区间即为可能的误差。',
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
});
