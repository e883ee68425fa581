// @ts-check
/**
 * The page's data. It comes from the server of `palimpsest view`, or is embedded in a page written by `--export`.
 * @import { MessagePage, PictureMessage, SessionPicture } from '../picture.js'
 * @import { Account } from '../../docs/command-json.js'
 * @typedef {Account['notes'][number]} FileNote
 * @typedef {'agent' | 'agentName' | 'project' | 'models' | 'firstMs' | 'lastMs' | 'messages' | 'requests' | 'subAgents'
 *   | 'compactions' | 'peakTokens' | 'title' | 'outline' | 'notes'} ListedFields
 * @typedef {object} ListedCosts
 * @property {number | null} busts cache misses
 * @property {{ currency: 'usd' | 'units', paid: number, repeated: number } | null} bill `repeated`: the part of `paid`
 *   for requests that an earlier session contains too
 * @property {ModelCosts[]} spent costs by model, without `repeated`
 * @typedef {{ model: string | null, today: number, week: number, month: number, all: number }} ModelCosts costs by period
 * @typedef {{ id: string, path: string } & Pick<Account, ListedFields> & ListedCosts} Listed a session in the list
 * @typedef {object} Listing
 * @property {Listed[]} sessions newest first
 * @property {{ today: number, week: number, month: number }} begins starts of the periods, ms since 1970
 * @property {{ path: string, code: string, message: string }[]} failures
 * @property {number} outside files behind links to other folders, which aren't read
 * @property {number} passedOver files that are no sessions
 * @property {{ done: number, all: number } | null} reading progress in bytes; null when everything is read
 * @typedef {{ points: unknown[], messages: any[] }} Conversation `points`: its compactions
 * @typedef {object} Source
 * @property {boolean} isLive true if data may change
 * @property {(knownVersion: string | null) => Promise<Read<Listing>>} sessions
 * @property {(id: string, knownVersion: string | null) => Promise<Read<SessionPicture>>} picture
 * @property {(id: string, index: number) => Promise<PictureMessage | null>} message
 * @property {(id: string, thread: number) => Promise<Conversation>} conversation
 */

/** @template T @typedef {{ value: T, version: string | null } | null} Read null: unchanged since `knownVersion` */

/** `token`: the token is missing or wrong. `gone`: the server has stopped. `refused`: the server declined; `message` says why. */
export class SourceError extends Error {
  /** @param {'token' | 'gone' | 'refused'} reason @param {string} [message] */
  constructor(reason, message = reason) {
    super(message);
    this.reason = reason;
  }
}

const TOKEN_KEY = 'palimpsest-token';

/** The server's token. It is moved from the address to this tab's session storage. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) {
    sessionStorage.setItem(TOKEN_KEY, token);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? '';
}

/** @param {string} token @returns {Source} */
function serverSource(token) {
  /** @param {string} path @param {string | null} [knownVersion] */
  async function ask(path, knownVersion = null) {
    /** @type {Record<string, string>} */ const headers = { authorization: `Bearer ${token}` };
    if (knownVersion !== null) headers['if-none-match'] = knownVersion;
    const response = await fetch(path, { headers, cache: 'no-store' }).catch(() => {
      throw new SourceError('gone');
    });
    if (response.status === 304) return null;
    if (response.status === 401) throw new SourceError('token');
    if (!response.ok) {
      // A proxy between the page and the server answers without JSON.
      const json = await response.json().catch(() => null);
      throw new SourceError('refused', json?.error?.message ?? `HTTP ${response.status}`);
    }
    return { value: await response.json(), version: response.headers.get('etag') };
  }
  return {
    isLive: true,
    sessions: (knownVersion) => ask('/api/sessions', knownVersion),
    picture: (id, knownVersion) => ask(`/api/sessions/${id}`, knownVersion),
    async message(id, index) {
      const read = await ask(`/api/sessions/${id}/messages?from=${index}&to=${index + 1}`);
      return /** @type {MessagePage | undefined} */ (read?.value)?.messages[0] ?? null;
    },
    conversation: async (id, thread) => (await ask(`/api/sessions/${id}/conversation?thread=${thread}`))?.value,
  };
}

/**
 * @param {{ session: Listed, picture: SessionPicture, messages: PictureMessage[], conversations: Conversation[] }} data `conversations`: by thread
 * @returns {Source}
 */
function fileSource({ session, picture, messages, conversations }) {
  return {
    isLive: false,
    async sessions() {
      const begins = { today: 0, week: 0, month: 0 };
      const nothingElse = { failures: [], outside: 0, passedOver: 0, reading: null };
      return { value: { sessions: [session], begins, ...nothingElse }, version: 'file' };
    },
    picture: async (_, knownVersion) => (knownVersion === null ? { value: picture, version: 'file' } : null),
    message: async (_, index) => messages[index] ?? null,
    conversation: async (_, thread) => conversations[thread] ?? { points: [], messages: [] },
  };
}

/** The data embedded in this page, else the server's. @returns {Source} */
export function pageSource() {
  const embedded = document.querySelector('#session-data');
  return embedded === null ? serverSource(takeToken()) : fileSource(JSON.parse(embedded.textContent ?? ''));
}
