// @ts-check
/**
 * Where the page's data comes from: the server that `palimpsest view` is, or the page itself, if it was written by `--export`.
 *
 * @import { MessagePage, PictureMessage, SessionPicture } from '../picture.js'
 * @typedef {{ id: string, path: string, agent: string, agentName: string, project: string | null, models: string[], firstMs: number | null,
 *   lastMs: number | null, messages: number, requests: number, compactions: number, peakTokens: number,
 *   title: string | null, bill: { currency: 'usd' | 'units', paid: number } | null, busts: number | null }} Listed
 * @typedef {{ points: unknown[], messages: any[] }} Conversation
 * @typedef {{ picture: SessionPicture, state: string | null }} Read
 *
 * @typedef {object} Source
 * @property {boolean} isLive whether what it gives may change
 * @property {() => Promise<Listed[]>} sessions
 * @property {(id: string, known: string | null) => Promise<Read | null>} picture null where the state is the known one
 * @property {(id: string, index: number) => Promise<PictureMessage | null>} message
 * @property {(id: string) => Promise<Conversation>} conversation
 */

/** Why nothing came: `token`, `gone` (the server has ended), or `refused` with the server's sentence. */
export class SourceError extends Error {
  /** @param {'token' | 'gone' | 'refused'} reason @param {string} [message] */
  constructor(reason, message = reason) {
    super(message);
    this.reason = reason;
  }
}

const tokenKey = 'palimpsest-token';

/**
 * The token stands behind `#`, so that it is sent nowhere; it is taken out of the address and kept for this tab alone.
 * @returns {string}
 */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(tokenKey, given);
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
    return { json, state: response.headers.get('etag') };
  }
  return {
    isLive: true,
    sessions: async () => (await ask('/api/sessions'))?.json.sessions ?? [],
    async picture(id, known) {
      const answer = await ask(`/api/sessions/${id}`, known);
      return answer === null ? null : { picture: answer.json, state: answer.state };
    },
    async message(id, index) {
      const answer = await ask(`/api/sessions/${id}/messages?from=${index}&to=${index + 1}`);
      return /** @type {MessagePage | undefined} */ (answer?.json)?.messages[0] ?? null;
    },
    conversation: async (id) => (await ask(`/api/sessions/${id}/conversation`))?.json,
  };
}

/**
 * @param {{ session: Listed, picture: SessionPicture, messages: PictureMessage[], history: Conversation }} data
 * @returns {Source}
 */
function fileSource({ session, picture, messages, history: conversation }) {
  return {
    isLive: false,
    sessions: async () => [session],
    picture: async (_, known) => (known === null ? { picture, state: 'file' } : null),
    message: async (_, index) => messages[index] ?? null,
    conversation: async () => conversation,
  };
}

/** @returns {Source} */
export function ownSource() {
  const embedded = document.querySelector('#session-data');
  return embedded === null ? serverSource(takeToken()) : fileSource(JSON.parse(embedded.textContent ?? ''));
}
