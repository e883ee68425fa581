// @ts-check
/** Derives the id of a request's conversation, under which its facts are stored. */
import { createHash } from 'node:crypto';

/** Headers in which clients name a conversation, most specific first: Codex has the first two, Claude Code the third. */
const HEADERS = [
  'thread-id',
  'session-id',
  'x-claude-code-session-id',
  'conversation-id',
  'session_id',
  'conversation_id',
];
const MAX_NAME_UNITS = 512;

/** @param {string} text @returns {string} a hash that is a valid file name */
const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * The client's session id. Its sub-agents and title requests share it.
 * @param {import('node:http').IncomingHttpHeaders} headers @param {Record<string, any>} fields of the request body
 * @returns {string | undefined}
 */
function sessionIn(headers, fields) {
  const user = fields.metadata?.user_id;
  const named = [...HEADERS.map((name) => headers[name]), fields.prompt_cache_key, sessionInUserId(user)];
  return /** @type {string | undefined} */ (named.find((name) => typeof name === 'string' && name !== ''));
}

/** Claude Code's `metadata.user_id` holds the session id, as JSON or after `_session_`. @param {unknown} user @returns {unknown} */
function sessionInUserId(user) {
  if (typeof user !== 'string') return undefined;
  const [, id] = /_session_([\w-]+)$/.exec(user) ?? [];
  if (id !== undefined) return id;
  try {
    return JSON.parse(user).session_id;
  } catch {
    return undefined;
  }
}

/**
 * A session may hold several conversations: a sub-agent has another first message, a title request has no tools.
 * @param {object} request
 * @param {import('node:http').IncomingHttpHeaders} request.headers
 * @param {Record<string, any>} request.fields
 * @param {string} request.dialect
 * @param {string} request.beginning fingerprint of the first message after the system messages
 * @returns {string} hashes that name the session and the conversation in it, with a space between
 */
export function conversationIdOf({ headers, fields, dialect, beginning }) {
  const hasTools = Array.isArray(fields.tools) && fields.tools.length > 0;
  const named = sessionIn(headers, fields)?.slice(0, MAX_NAME_UNITS);
  const session = digest(JSON.stringify([dialect, named ?? ['unnamed', beginning]]));
  return `${session} ${digest(`${beginning} ${hasTools}`)}`;
}
