// @ts-check
/**
 * Filters, sorts and sums sessions. The server's figures count a request once, even if several files contain it.
 * @import { Listed, Listing } from '../source.js'
 * @typedef {'today' | 'week' | 'month' | 'all'} Period
 * @typedef {'lastMs' | 'requests' | 'peakTokens' | 'busts' | 'paid'} Order
 * @typedef {object} Choices the user's choices; undefined means any
 * @property {Period} period
 * @property {string} [project]
 * @property {string | null} [model]
 * @property {string} text
 * @property {Order} order
 * @property {boolean} isRising true: sorted in ascending order
 * @typedef {{ usd: number, units: number }} Sum `units`: costs without a known price
 */

/** @type {readonly Period[]} */ export const PERIODS = ['today', 'week', 'month', 'all'];

/** The last component of a path. @param {string | null} path */
export function lastName(path) {
  return (path ?? '').split(/[\\/]/).filter(Boolean).at(-1) ?? '';
}

/** Cost for a period and a model. @param {Listed} session @param {Pick<Choices, 'period' | 'model'>} choices */
export function paidIn({ spent }, { period, model }) {
  let sum = 0;
  for (const part of spent) if (model === undefined || part.model === model) sum += part[period];
  return sum;
}

/** @param {readonly Listed[]} sessions @param {Pick<Choices, 'period' | 'model'>} choices @returns {Sum} */
export function sumOf(sessions, choices) {
  const sum = { usd: 0, units: 0 };
  for (const session of sessions) sum[session.bill?.currency ?? 'usd'] += paidIn(session, choices);
  return sum;
}

/** @param {readonly Listed[]} sessions @param {Choices} choices @param {Listing['begins']} begins of the periods */
export function selected(sessions, { period, project, model, text }, begins) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(
    (session) =>
      (period === 'all' || (session.lastMs ?? 0) >= begins[period] || paidIn(session, { period }) > 0) &&
      (project === undefined || lastName(session.project) === project) &&
      (model === undefined || session.spent.some((part) => part.model === model)) &&
      (words.length === 0 || hasWords(session, words)),
  );
}

/** @param {readonly Listed[]} sessions @param {Choices} choices @returns {Listed[]} sorted by the chosen order */
export function inOrder(sessions, choices) {
  const { order, isRising } = choices;
  const figureOf = (/** @type {Listed} */ session) => (order === 'paid' ? paidIn(session, choices) : session[order]);
  return [...sessions].sort((a, b) => {
    const rise = (figureOf(a) ?? 0) - (figureOf(b) ?? 0);
    return rankOf(a, order) - rankOf(b, order) || (isRising ? rise : -rise) || (b.lastMs ?? 0) - (a.lastMs ?? 0);
  });
}

/** Dollars, then units, then missing values, rising or not. @param {Listed} session @param {Order} order */
function rankOf(session, order) {
  if (order !== 'paid') return session[order] === null ? 2 : 0;
  if (session.bill === null) return 2;
  return session.bill.currency === 'usd' ? 0 : 1;
}

/** @param {Listed} session @param {readonly string[]} words */
function hasWords({ title, project, path, agentName, models }, words) {
  const text = [title, project, path, agentName, ...models].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Dearest first. @param {readonly Listed[]} sessions @param {Choices} choices @param {'project' | 'model'} by */
export function groupsOf(sessions, choices, by) {
  /** @type {Map<string | null, Listed[]>} */ const groups = new Map();
  for (const session of sessions) {
    const keys = by === 'project' ? [lastName(session.project)] : session.spent.map(({ model }) => model);
    for (const key of keys) {
      const members = groups.get(key) ?? [];
      members.push(session);
      groups.set(key, members);
    }
  }
  const summed = [...groups].map(([key, members]) => {
    const sum = sumOf(members, by === 'model' ? { ...choices, model: key } : choices);
    return { key, sum, sessions: members.length };
  });
  return summed.sort((a, b) => b.sum.usd - a.sum.usd || b.sum.units - a.sum.units || b.sessions - a.sessions);
}
