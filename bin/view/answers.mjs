// @ts-check
/** HTTP API of the page's server under `/api`; see `docs/command.md`. */
import { beginnings, spendingOf } from '../accounts/spending.mjs';
import { UnreadableSession } from './sessions.mjs';

/**
 * @typedef {import('./sessions.mjs').ViewedSessions} ViewedSessions
 * @typedef {import('./sessions.mjs').Viewed} Viewed
 * @typedef {{ status: number, json: string, state?: string }} Answer
 * @typedef {{ sessions: ViewedSessions, version: string }} Source
 */

const maxMessages = 500;

/** @param {number} status @param {string} code @param {string} message @returns {Answer} */
export function refusal(status, code, message) {
  return { status, json: JSON.stringify({ error: { code, message } }) };
}

/** @param {Viewed} viewed @param {import('../accounts/spending.mjs').Spending} [spending] */
export function listed({ id, path, account }, { models: spent, repeated } = { models: [], repeated: 0 }) {
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

/** `{id}` is a session id. @type {ReadonlyMap<string, (source: Source, viewed: Viewed, query: URLSearchParams) => Promise<string> | Answer>} */
const ofSession = new Map([
  ['/api/sessions/{id}', ({ sessions }, viewed) => sessions.picture(viewed)],
  ['/api/sessions/{id}/messages', pageOf],
  ['/api/sessions/{id}/conversation', conversationOf],
  [
    '/api/stats',
    async ({ sessions }, viewed) => JSON.stringify({ session: viewed.id, ...(await sessions.stats(viewed)) }),
  ],
  [
    '/api/history',
    async ({ sessions }, viewed) => {
      const { points } = await sessions.history(viewed);
      return JSON.stringify({ session: viewed.id, points });
    },
  ],
]);

/** @param {Source} source @param {Viewed} viewed @param {URLSearchParams} query */
function pageOf({ sessions }, viewed, query) {
  const from = numberIn(query, 'from', 0);
  const to = numberIn(query, 'to', (from ?? 0) + maxMessages);
  if (from === undefined || to === undefined || to < from || to - from > maxMessages) {
    const expected = `expected from and to as whole numbers, to at most ${maxMessages} above from`;
    return refusal(400, 'ERR_OUT_OF_RANGE', expected);
  }
  return sessions.messages(viewed, from, to);
}

/** @param {Source} source @param {Viewed} viewed @param {URLSearchParams} query */
function conversationOf({ sessions }, viewed, query) {
  const thread = numberIn(query, 'thread', 0);
  if (thread === undefined) return refusal(400, 'ERR_OUT_OF_RANGE', 'expected thread as a whole number');
  return sessions.history(viewed, thread).then((history) => JSON.stringify(history));
}

/** Cache of the last list: a list of thousands of sessions takes 0.1 s. @type {WeakMap<ViewedSessions, Answer>} */
const lists = new WeakMap();

/** @param {Source} source @param {string | undefined} known @returns {Promise<Answer>} */
async function listOf({ sessions, version }, known) {
  const list = await sessions.list();
  const { failures, outside, passedOver, reading, generation } = sessions;
  const nowMs = Date.now();
  const { today, week, month } = beginnings(nowMs);
  const state = `"${generation}-${today}-${reading?.done}"`;
  if (known === state) return { status: 304, json: '', state };
  const answered = lists.get(sessions);
  if (answered?.state === state) return answered;
  const spending = spendingOf(
    list.map(({ account }) => account),
    nowMs,
  );
  const entries = list.map((viewed) => listed(viewed, spending.get(viewed.account)));
  const begins = { today, week, month };
  const json = JSON.stringify({ version, begins, sessions: entries, failures, outside, passedOver, reading });
  const answer = { status: 200, json, state };
  lists.set(sessions, answer);
  return answer;
}

/**
 * @param {Source} source
 * @param {URL} url
 * @param {string | undefined} known state (ETag) that the client has
 * @returns {Promise<Answer>}
 */
export async function answerTo(source, { pathname, searchParams }, known) {
  if (pathname === '/api/sessions') return listOf(source, known);
  const [, id, rest = ''] = /^\/api\/sessions\/([0-9a-f]{16})(\/[a-z]+)?$/.exec(pathname) ?? [];
  const answer = ofSession.get(id === undefined ? pathname : `/api/sessions/{id}${rest}`);
  if (answer === undefined) return refusal(404, 'ERR_NOT_FOUND', 'expected one of the paths in docs/command.md');
  const viewed = source.sessions.find(id ?? searchParams.get('session'));
  if (viewed === undefined) {
    return refusal(404, 'ERR_NO_SESSION', 'expected a session’s id as /api/sessions lists it');
  }
  const state = `"${source.sessions.stateOf(viewed)}"`;
  if (known === state) return { status: 304, json: '', state };
  try {
    const made = await answer(source, viewed, searchParams);
    return typeof made === 'string' ? { status: 200, json: made, state } : made;
  } catch (error) {
    if (error instanceof UnreadableSession) return refusal(409, error.code, error.message);
    throw error;
  }
}
