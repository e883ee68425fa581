// @ts-check
/**
 * The page's data. It comes from the server of `palimpsest view`, or is embedded in a page written by `--export`.
 *
 * @import { MessagePage, PictureMessage, SessionPicture } from '../picture.js'
 * @typedef {{ kind: string, what: string, count: number, at: string | null }} FileNote
 * @typedef {{ id: string, path: string, agent: string, agentName: string, project: string | null, models: string[], firstMs: number | null,
 *   lastMs: number | null, messages: number, requests: number, subAgents: number, compactions: number, peakTokens: number,
 *   title: string | null, outline: [tokens: number, isLost: boolean][], notes: FileNote[], busts: number | null,
 *   bill: { currency: 'usd' | 'units', paid: number, repeated: number } | null,
 *   spent: { model: string | null, today: number, week: number, month: number, all: number }[] }} Listed `spent`: without `repeated`
 * @typedef {object} Listing sessions are sorted newest first
 * @property {Listed[]} sessions
 * @property {{ today: number, week: number, month: number }} begins in milliseconds since 1970
 * @property {{ path: string, code: string, message: string }[]} failures
 * @property {number} outside
 * @property {number} passedOver
 * @property {{ done: number, all: number } | null} reading progress in bytes; null when everything is read
 * @typedef {{ points: unknown[], messages: any[] }} Conversation
 *
 * @typedef {object} Source
 * @property {boolean} isLive true if data may change
 * @property {(known: string | null) => Promise<Read<Listing>>} sessions
 * @property {(id: string, known: string | null) => Promise<Read<SessionPicture>>} picture
 * @property {(id: string, index: number) => Promise<PictureMessage | null>} message
 * @property {(id: string, thread: number) => Promise<Conversation>} conversation
 */

/** @template T @typedef {{ value: T, state: string | null } | null} Read null: unchanged since the state `known` */

/** `gone`: the server has stopped. `refused`: the server declined; `message` says why. */
export class SourceError extends Error {
  /** @param {'token' | 'gone' | 'refused'} reason @param {string} [message] */
  constructor(reason, message = reason) {
    super(message);
    this.reason = reason;
  }
}

const tokenKey = 'palimpsest-token';

/** Moves the token from the address to this tab's session storage. @returns {string} */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) {
    sessionStorage.setItem(tokenKey, token);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(tokenKey) ?? '';
}

/** @param {string} token @returns {Source} */
function serverSource(token) {
  /** @param {string} path @param {string | null} [known] */
  async function ask(path, known = null) {
    /** @type {Record<string, string>} */
    const headers = { authorization: `Bearer ${token}` };
    if (known !== null) headers['if-none-match'] = known;
    const response = await fetch(path, { headers, cache: 'no-store' }).catch(() => {
      throw new SourceError('gone');
    });
    if (response.status === 304) return null;
    const json = await response.json();
    if (response.status === 401) throw new SourceError('token');
    if (!response.ok) throw new SourceError('refused', json.error?.message);
    return { value: json, state: response.headers.get('etag') };
  }
  return {
    isLive: true,
    sessions: (known) => ask('/api/sessions', known),
    picture: (id, known) => ask(`/api/sessions/${id}`, known),
    async message(id, index) {
      const read = await ask(`/api/sessions/${id}/messages?from=${index}&to=${index + 1}`);
      return /** @type {MessagePage | undefined} */ (read?.value)?.messages[0] ?? null;
    },
    conversation: async (id, thread) => (await ask(`/api/sessions/${id}/conversation?thread=${thread}`))?.value,
  };
}

/**
 * @param {{ session: Listed, picture: SessionPicture, messages: PictureMessage[], histories: Conversation[] }} data `histories` by thread
 * @returns {Source}
 */
function fileSource({ session, picture, messages, histories }) {
  return {
    isLive: false,
    async sessions() {
      const begins = { today: 0, week: 0, month: 0 };
      const others = { failures: [], outside: 0, passedOver: 0, reading: null };
      return { value: { sessions: [session], begins, ...others }, state: 'file' };
    },
    picture: async (_, known) => (known === null ? { value: picture, state: 'file' } : null),
    message: async (_, index) => messages[index] ?? null,
    conversation: async (_, thread) => histories[thread] ?? { points: [], messages: [] },
  };
}

/** @returns {Source} */
export function ownSource() {
  const embedded = document.querySelector('#session-data');
  return embedded === null ? serverSource(takeToken()) : fileSource(JSON.parse(embedded.textContent ?? ''));
}
