// @ts-check
/**
 * Records facts about requests that a view doesn't record itself: those sent before the gateway started or sent
 * unmodified, repeated ones, and reminders after the messages that the view saw. Views decide by these facts.
 */
import { createHash } from 'node:crypto';
import { loadInternals } from '../library.mjs';

/** @import { FactFiles } from './fact-files.mjs' */

/** A repeated request is recorded again only after this time: until then the provider's cache keeps the prompt. */
const RECORD_AGAIN_MS = 60_000;
/** Maximum number of conversations whose newest request is remembered. */ const MAX_NEWEST = 1024;
/** Headers that name a conversation, most specific first: Codex has the first two, Claude Code the third. */
const HEADERS = [
  ...['thread-id', 'session-id', 'x-claude-code-session-id'],
  ...['conversation-id', 'session_id', 'conversation_id'],
];
const MAX_NAME_UNITS = 512;

/** A hash that is a valid file name. @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Claude Code's `metadata.user_id` holds the session id, as JSON or after `_session_`. @param {unknown} user */
function sessionInUserId(user) {
  if (typeof user !== 'string') return undefined;
  try {
    return /_session_([\w-]+)$/.exec(user)?.[1] ?? JSON.parse(user).session_id;
  } catch {
    return undefined;
  }
}

/**
 * The id of a request's conversation, under which its facts are stored: hashes of the client's session, and of the
 * conversation in it, with a space between. A sub-agent has another first message, a title request has no tools.
 * @param {object} request @param {import('node:http').IncomingHttpHeaders} request.headers
 * @param {Record<string, any>} request.fields of the body @param {string} request.dialect
 * @param {string} request.beginning fingerprint of the first message after the system messages
 */
export function conversationIdOf({ headers, fields, dialect, beginning }) {
  const hasTools = Array.isArray(fields.tools) && fields.tools.length > 0;
  const given = [...HEADERS.map((name) => headers[name]), fields.prompt_cache_key];
  const named = [...given, sessionInUserId(fields.metadata?.user_id)].find((id) => typeof id === 'string' && id !== '');
  const session = named?.slice(0, MAX_NAME_UNITS) ?? ['unnamed', beginning];
  return `${digest(JSON.stringify([dialect, session]))} ${digest(`${beginning} ${hasTools}`)}`;
}

export class RequestFacts {
  #library = loadInternals().gateway;
  #options;
  /** The newest request of each conversation, by conversation id. @type {Map<string, { key: string, atMs: number }>} */
  #newest = new Map();

  /** @param {Omit<import('./rewriter.mjs').RewriterOptions, 'settings'>} options */
  constructor(options) {
    this.#options = options;
  }

  /** Records a request sent without the view's changes. @param {string} id @param {readonly any[]} messages */
  recordUnmodified(id, messages) {
    this.#record(this.#options.sentFacts, id, messages, true);
  }

  /** Records requests before the gateway's first one. @param {string} id @param {readonly any[]} messages */
  recordEarlier(id, messages) {
    if (this.#newest.has(id)) return;
    for (const store of new Set([this.#options.viewFacts, this.#options.sentFacts])) {
      if (hasFacts(store, id)) continue;
      for (const length of this.#library.requestLengths(messages).slice(0, -1)) {
        this.#record(store, id, messages.slice(0, length), true);
      }
    }
  }

  /**
   * Records what the view did not: a reminder after the messages that it saw, and a repeated request.
   * @param {string} id @param {readonly any[]} messages @param {number} viewedLength of the messages that the view saw
   */
  recordNewest(id, messages, viewedLength) {
    const { viewFacts, isDry, clock = Date.now } = this.#options;
    const [atMs, key] = [clock(), `${messages.length} ${this.#library.fingerprintOf(messages.at(-1))}`];
    const previous = this.#newest.get(id);
    const isRepeated = previous?.key === key && atMs - previous.atMs > RECORD_AGAIN_MS;
    if (isRepeated) this.#record(viewFacts, id, messages.slice(0, viewedLength), false, atMs);
    if (viewedLength < messages.length) this.#record(viewFacts, id, messages, false, atMs);
    // A dry run sends the request unmodified; record that for later runs.
    if (isDry) this.recordUnmodified(id, messages);
    this.#newest.delete(id);
    this.#newest.set(id, { key, atMs });
    if (this.#newest.size > MAX_NEWEST) this.#newest.delete(/** @type {string} */ (this.#newest.keys().next().value));
  }

  /**
   * @param {FactFiles} store @param {string} id @param {readonly any[]} messages @param {boolean} isUndecided true if
   *   sent unmodified @param {number} [again] time (ms), which distinguishes it from the same request sent before
   */
  #record(store, id, messages, isUndecided, again) {
    const fact = { type: 'request', length: messages.length, mark: this.#library.fingerprintOf(messages.at(-1)) };
    try {
      store.addFacts(id, [JSON.stringify({ ...fact, ...(isUndecided && { isUndecided }), again })]);
    } catch {
      // Without the file, a restarted gateway assumes short pauses.
    }
  }
}

/** True also if they are unreadable, so that none are written. @param {FactFiles} store @param {string} id */
function hasFacts(store, id) {
  try {
    return store.facts(id).length > 0;
  } catch {
    return true;
  }
}
