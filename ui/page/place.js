// @ts-check
/**
 * Where a reader is: session, thread, request and message stand behind `#` in the address, so that a reload, or a link to a page that was
 * written to a file, leads there. Numbers count from 1 there, as people say them.
 *
 * @typedef {{ thread: number, request: number | null, message: number | null }} Place from 0; `request` is null at the latest one, which is followed
 */

/** @param {string} hash @returns {{ session: string | null, place: Place }} */
export function placeIn(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const number = (/** @type {string} */ name) => {
    const text = given.get(name) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : null;
  };
  const place = { thread: number('thread') ?? 0, request: number('request'), message: number('message') };
  return { session: given.get('session'), place };
}

/** @param {string} session @param {Place} place */
export function hashOf(session, { thread, request, message }) {
  const hash = new URLSearchParams({ session });
  if (thread > 0) hash.set('thread', String(thread + 1));
  if (request !== null) hash.set('request', String(request + 1));
  if (message !== null) hash.set('message', String(message + 1));
  return `#${hash}`;
}
