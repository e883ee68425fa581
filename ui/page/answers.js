// @ts-check
/**
 * The three questions that a page answers ahead of all charts, as figures: what fills the window, why the bill jumped, and what
 * would have been cheaper.
 *
 * @import { PictureKind, SessionPicture, ThreadPicture } from '../picture.js'
 * @typedef {{ kind: PictureKind, tool: string | null, tokens: number, share: number }} Filling
 * @typedef {{ thread: number, request: number, cause: string, tokens: number, cost: number, pauseMs: number | null }} Jump
 * @typedef {'leftAlone' | 'everyRequest' | 'batches20k' | 'batches30k' | 'clearAbove100k' | 'view'} Policy
 * @typedef {{ policy: Policy, cost: number, low: number, high: number }} Alternative `low` to `high`: the change, as a share
 */

/** @type {readonly Exclude<Policy, 'leftAlone'>[]} */
const POLICIES = ['everyRequest', 'batches20k', 'batches30k', 'clearAbove100k', 'view'];

const mostEntries = 5;

/**
 * What the largest request of a thread sent, by kind, and results by tool.
 * @param {SessionPicture} picture
 * @param {number} place
 * @returns {{ request: number, tokens: number, outdated: number, entries: Filling[] } | null} null where nothing was sent
 */
export function filling(picture, place) {
  const thread = picture.threads[place];
  if (thread === undefined) return null;
  const largest = Math.max(0, ...thread.requests.map(({ tokens }) => tokens));
  const number = thread.requests.findLastIndex(({ tokens }) => tokens === largest);
  const request = thread.requests[number];
  if (request === undefined || largest <= 0) return null;
  /** @type {Map<string, Filling>} */
  const sums = new Map();
  const add = (/** @type {PictureKind} */ kind, /** @type {string | null} */ tool, /** @type {number} */ tokens) => {
    const key = `${kind} ${tool}`;
    const sum = sums.get(key) ?? { kind, tool, tokens: 0, share: 0 };
    sums.set(key, { ...sum, tokens: sum.tokens + tokens });
  };
  if (thread.fixedTokens > 0) add('fixed', null, thread.fixedTokens);
  let outdated = 0;
  for (const [from, to] of request.prompt) {
    for (const cell of thread.cells.slice(from, to)) {
      const kind = picture.kinds[cell.kind] ?? 'other';
      add(kind, cell.tool === null ? null : (picture.tools[cell.tool] ?? null), cell.tokens);
      if (cell.staleFrom !== null && cell.staleFrom <= number) outdated += cell.tokens;
    }
  }
  const entries = [...sums.values()].sort((a, b) => b.tokens - a.tokens).slice(0, mostEntries);
  for (const entry of entries) entry.share = entry.tokens / request.tokens;
  return { request: number, tokens: request.tokens, outdated, entries };
}

/**
 * Where the provider read less than it held, dearest first.
 * @param {SessionPicture} picture
 * @returns {{ paid: number | null, cost: number, jumps: Jump[] }} `paid` is null where no usage is recorded
 */
export function jumps({ threads }) {
  /** @type {Jump[]} */
  const found = [];
  for (const [thread, { requests }] of threads.entries()) {
    for (const [request, { bust, timeMs }] of requests.entries()) {
      if (bust === null) continue;
      const before = requests[request - 1]?.timeMs ?? null;
      found.push({ thread, request, ...bust, pauseMs: timeMs === null || before === null ? null : timeMs - before });
    }
  }
  const paid = threads.map(({ costs }) => costs[0]?.policies.paid ?? null).filter((list) => list !== null);
  return {
    paid: paid.length === 0 ? null : sum(paid.flat().map((cost) => cost ?? 0)),
    cost: sum(found.map(({ cost }) => cost)),
    jumps: found.sort((a, b) => b.cost - a.cost),
  };
}

/**
 * What each policy would have cost by the model of the cache, cheapest first, over the requests whose cost is known. It is held
 * against what was paid, where that is recorded: once as it stands, once by what the model saves against its own figure for the
 * session as it was. What lies between is the model's own error.
 * @param {SessionPicture} picture
 * @returns {{ paid: number | null, modelled: number, policies: Alternative[] }} `paid` is null where no usage is recorded
 */
export function alternatives({ threads }) {
  const costs = threads.flatMap((thread) => thread.costs.slice(0, 1).map(({ policies }) => policies));
  const isPaid = costs.some(({ paid }) => paid?.some((cost) => cost !== null));
  const total = (/** @type {Policy} */ policy) =>
    sum(
      costs.flatMap(({ [policy]: each, paid }) =>
        (each ?? []).filter((_, place) => !isPaid || typeof paid?.[place] === 'number'),
      ),
    );
  const paid = isPaid ? sum(costs.flatMap((policies) => (policies.paid ?? []).map((cost) => cost ?? 0))) : null;
  const modelled = total('leftAlone');
  const base = paid ?? modelled;
  const policies = POLICIES.filter((policy) => costs.every((known) => known[policy] !== undefined)).map((policy) => {
    const cost = total(policy);
    const changes = base > 0 ? [cost / base - 1, (cost - modelled) / base] : [0, 0];
    return { policy, cost, low: Math.min(...changes), high: Math.max(...changes) };
  });
  return { paid, modelled, policies: policies.sort((a, b) => a.cost - b.cost) };
}

/** US dollars for a unit, where the prices of all models are known. @param {SessionPicture} picture @returns {number | null} */
export function usdPerUnit({ threads }) {
  const perMillion = threads[0]?.costs[0]?.usdPerMillion ?? null;
  return perMillion === null ? null : perMillion / 1e6;
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
