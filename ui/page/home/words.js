// @ts-check
/** Texts of the home page. @import { Texts } from '../../base/format.js' */

/** @satisfies {Texts} */
const en = {
  title: 'Sessions',
  periods: { today: 'Today', week: '7 days', month: '30 days', all: 'All' },
  sessions: (count) => (count === '1' ? '1 session' : `${count} sessions`),
  also: (units) => `and ${units}`,
  byProject: 'By project',
  byModel: 'By model',
  noProject: 'No project',
  noModel: 'Model not recorded',
  more: (count) => `${count} more`,
  filter: 'Filter',
  filterHint: 'Words of a prompt, a project, an agent, a model or a path',
  columns: {
    session: 'Session',
    course: 'Tokens sent',
    lastMs: 'Last used',
    requests: 'Requests',
    peakTokens: 'Longest prompt',
    busts: 'Cache losses',
    paid: 'Paid',
  },
  courseHint: 'Request by request; a red dot is a lost cache',
  subAgents: (count) => (count === '1' ? '1 sub-agent' : `${count} sub-agents`),
  repeated: (money) => `+ ${money} in an earlier session`,
  total: (count) => `Total of ${count}`,
  showMore: (count) => `Show ${count} more`,
  nothing: 'No session is like that.',
  none: 'There are no sessions under the paths that “palimpsest view” was given.',
  reading: (share, count) => `Reading: ${share}, ${count} so far. What was read once is there at once the next time.`,
  basis:
    'Prompts and answers, in dollars that the agent recorded, else at list prices. Requests that a resumed or copied session repeats are counted once.',
};

/** @type {typeof en} */
const zh = {
  title: '会话',
  periods: { today: '今天', week: '7 天', month: '30 天', all: '全部' },
  sessions: (count) => `${count} 个会话`,
  also: (units) => `另有${units}`,
  byProject: '按项目',
  byModel: '按模型',
  noProject: '无项目',
  noModel: '未记录模型',
  more: (count) => `另外 ${count} 个`,
  filter: '筛选',
  filterHint: '提示、项目、智能体、模型或路径中的词',
  columns: {
    session: '会话',
    course: '发送的 token',
    lastMs: '最近使用',
    requests: '请求数',
    peakTokens: '最长提示',
    busts: '缓存丢失',
    paid: '已付',
  },
  courseHint: '逐次请求；红点表示缓存丢失',
  subAgents: (count) => `${count} 个子智能体`,
  repeated: (money) => `另有 ${money} 已计入更早的会话`,
  total: (count) => `合计 ${count}`,
  showMore: (count) => `再显示 ${count} 个`,
  nothing: '没有符合条件的会话。',
  none: '“palimpsest view” 给定的路径下没有会话。',
  reading: (share, count) => `正在读取：${share}，目前 ${count}。读过的内容下次立即可用。`,
  basis: '提示与回答，采用智能体记录的美元金额，否则按标价计算。恢复或复制的会话中重复的请求只计一次。',
};

export const HOME_WORDS = { en, zh };
