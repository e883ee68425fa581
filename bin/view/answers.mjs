// @ts-check
/** Answers the requests of the page of `palimpsest view` under `/api`; `docs/command.md` lists them. */
import { periodStarts, spendingOf } from '../accounts/spending.mjs';
import { UnreadableSession } from './sessions.mjs';

/** @import { Viewed, ViewedSessions } from './sessions.mjs' */
/** @typedef {{ status: number, json: string, state?: string }} Answer `state`: changes with content; sent as ETag */
/** @typedef {{ sessions: ViewedSessions, version: string }} Source */
/** @typedef {(sessions: ViewedSessions, viewed: Viewed, query: URLSearchParams) => Promise<string | Answer>} Route */

/** Maximum number of messages in one answer. */ const maxMessages = 500;

/** @param {number} status @param {string} code @param {string} message @returns {Answer} */
export const refusal = (status, code, message) => ({ status, json: JSON.stringify({ error: { code, message } }) });

/** For the list of sessions. @param {Viewed} viewed @param {import('../accounts/spending.mjs').Spending} [spending] */
export function sessionEntry({ id, path, account }, { models: spent, repeated } = { models: [], repeated: 0 }) {
  const { agent, agentName, project, models, firstMs, lastMs, messages, requests, peakTokens, compactions } = account;
  const { bill, subAgents, title, outline, notes } = account;
  const { currency, paid } = bill?.waterfall ?? {};
  return {
    ...{ id, path, agent, agentName, project, models, firstMs, lastMs, messages, requests, compactions, peakTokens },
    ...{ subAgents, title, outline, bill: bill === null ? null : { currency, paid, repeated }, spent, notes },
    busts: bill?.busts.length ?? null,
  };
}

/** @param {URLSearchParams} query @param {string} name @param {number} byDefault */
function numberIn(query, name, byDefault) {
  const text = query.get(name);
  if (text === null) return byDefault;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** By path; `{id}` is a session's id. @type {Readonly<Record<string, Route>>} */
const sessionRoutes = {
  '/api/sessions/{id}': (sessions, viewed) => sessions.picture(viewed),
  async '/api/sessions/{id}/messages'(sessions, viewed, query) {
    const from = numberIn(query, 'from', 0);
    const to = numberIn(query, 'to', (from ?? 0) + maxMessages);
    if (from !== undefined && to !== undefined && to >= from && to - from <= maxMessages) {
      return sessions.messages(viewed, from, to);
    }
    const expected = `expected from and to as whole numbers, to at most ${maxMessages} above from`;
    return refusal(400, 'ERR_OUT_OF_RANGE', expected);
  },
  async '/api/sessions/{id}/conversation'(sessions, viewed, query) {
    const thread = numberIn(query, 'thread', 0);
    if (thread === undefined) return refusal(400, 'ERR_OUT_OF_RANGE', 'expected thread as a whole number');
    return JSON.stringify(await sessions.history(viewed, thread));
  },
  '/api/stats': async (sessions, viewed) => JSON.stringify({ session: viewed.id, ...(await sessions.stats(viewed)) }),
  '/api/history': async (sessions, viewed) =>
    JSON.stringify({ session: viewed.id, points: (await sessions.history(viewed)).points }),
};

/** The last list: one of thousands of sessions takes 0.1 s. @type {WeakMap<ViewedSessions, Answer>} */
const lastLists = new WeakMap();

/** The list of sessions. @param {Source} source @param {string | undefined} clientState @returns {Promise<Answer>} */
async function sessionList({ sessions, version }, clientState) {
  const list = await sessions.list();
  const { failures, outside, passedOver, reading, generation } = sessions;
  const nowMs = Date.now();
  const { today, week, month } = periodStarts(nowMs);
  const state = `"${generation}-${today}-${reading?.done}"`;
  if (clientState === state) return { status: 304, json: '', state };
  const last = lastLists.get(sessions);
  if (last?.state === state) return last;
  const accounts = list.map(({ account }) => account);
  const spending = spendingOf(accounts, nowMs);
  const entries = list.map((viewed) => sessionEntry(viewed, spending.get(viewed.account)));
  const begins = { today, week, month };
  const json = JSON.stringify({ version, begins, sessions: entries, failures, outside, passedOver, reading });
  const answer = { status: 200, json, state };
  lastLists.set(sessions, answer);
  return answer;
}

/** @param {Source} source @param {URL} url @param {string} [clientState] the page's ETag @returns {Promise<Answer>} */
export async function answerTo(source, { pathname, searchParams }, clientState) {
  if (pathname === '/api/sessions') return sessionList(source, clientState);
  const [, id, rest = ''] = /^\/api\/sessions\/([0-9a-f]{16})(\/[a-z]+)?$/.exec(pathname) ?? [];
  const answer = sessionRoutes[id === undefined ? pathname : `/api/sessions/{id}${rest}`];
  if (answer === undefined) return refusal(404, 'ERR_NOT_FOUND', 'expected one of the paths in docs/command.md');
  const viewed = source.sessions.find(id ?? searchParams.get('session'));
  const expected = 'expected a session’s id as /api/sessions lists it';
  if (viewed === undefined) return refusal(404, 'ERR_NO_SESSION', expected);
  const state = `"${source.sessions.stateOf(viewed)}"`;
  if (clientState === state) return { status: 304, json: '', state };
  try {
    const made = await answer(source.sessions, viewed, searchParams);
    return typeof made === 'string' ? { status: 200, json: made, state } : made;
  } catch (error) {
    if (error instanceof UnreadableSession) return refusal(409, error.code, error.message);
    throw error;
  }
}
