// @ts-check
/** Texts of the home page. @import { Pairs } from '../../base/format.js' */

/** @satisfies {Pairs} */
export const HOME_TEXTS = {
  title: ['Sessions', '会话'],
  periods: { today: ['Today', '今天'], week: ['7 days', '7 天'], month: ['30 days', '30 天'], all: ['All', '全部'] },
  sessions: [(count) => (count === '1' ? '1 session' : `${count} sessions`), (count) => `${count} 个会话`],
  also: [(units) => `and ${units}`, (units) => `另有${units}`],
  byProject: ['By project', '按项目'],
  byModel: ['By model', '按模型'],
  noProject: ['No project', '无项目'],
  noModel: ['Model not recorded', '未记录模型'],
  more: [(count) => `${count} more`, (count) => `另外 ${count} 个`],
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
  subAgents: [(count) => (count === '1' ? '1 sub-agent' : `${count} sub-agents`), (count) => `${count} 个子智能体`],
  repeated: [(money) => `+ ${money} in an earlier session`, (money) => `另有 ${money} 已计入更早的会话`],
  total: [(count) => `Total of ${count}`, (count) => `合计 ${count}`],
  showMore: [(count) => `Show ${count} more`, (count) => `再显示 ${count} 个`],
  nothing: ['No session is like that.', '没有符合条件的会话。'],
  none: [
    'There are no sessions under the paths that “palimpsest view” was given.',
    '“palimpsest view” 给定的路径下没有会话。',
  ],
  reading: [
    (share, count) => `Reading: ${share}, ${count} so far. What was read once is there at once the next time.`,
    (share, count) => `正在读取：${share}，目前 ${count}。读过的内容下次立即可用。`,
  ],
  basis: [
    'Prompts and answers, in dollars that the agent recorded, else at list prices. Requests that a resumed or copied session repeats are counted once.',
    '提示与回答，采用智能体记录的美元金额，否则按标价计算。恢复或复制的会话中重复的请求只计一次。',
  ],
};
