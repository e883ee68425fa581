// @ts-check
/**
 * Writes the shown session, thread, request and message after `#` in the address, and reads them from there: for reloads
 * and for links. Numbers in the address start at 1.
 *
 * @typedef {{ thread: number, request: number | null, message: number | null }} Place indexes, from 0; `request` null
 *   follows the newest, `message` null: no message is open
 */

/** Invalid numbers are ignored. @param {string} hash @returns {{ session: string | null, place: Place }} */
export function placeIn(hash) {
  const params = new URLSearchParams(hash.slice(1));
  const indexOf = (/** @type {string} */ name) => {
    const text = params.get(name) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : null;
  };
  const place = { thread: indexOf('thread') ?? 0, request: indexOf('request'), message: indexOf('message') };
  return { session: params.get('session'), place };
}

/** @param {string} session @param {Place} place */
export function hashOf(session, { thread, request, message }) {
  const hash = new URLSearchParams({ session });
  if (thread > 0) hash.set('thread', String(thread + 1));
  if (request !== null) hash.set('request', String(request + 1));
  if (message !== null) hash.set('message', String(message + 1));
  return `#${hash}`;
}
