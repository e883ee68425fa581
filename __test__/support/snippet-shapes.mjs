// @ts-check
/** Compares objects in documents with real ones: reports fields that don't exist or have another type. */

import { compressedSession } from './compressed-sessions.mjs';
import { FULL, managerWith, OVER, scripted, session } from './compression.mjs';

/** Expressions for `shape of:`: a history that was truncated because its model failed, and one that was compressed twice. */
export async function shapeNames() {
  const refused = Object.assign(new Error('refused'), { status: 400, error: { type: 'invalid_request_error' } });
  const { manager } = managerWith({ model: scripted(refused) });
  const cut = session(Math.max(FULL, OVER));
  await manager.process(cut);
  const { messages: compressedTwice } = await compressedSession({ rounds: 2 });
  return { manager, cut, compressedTwice };
}

/** Parses the shown object; `…` marks omissions. @param {string} code @returns {any} */
export function shownObject(code) {
  return new Function(`return (${code.replaceAll(/(?<=[[{,]) *…/g, '')})`)();
}

/**
 * Differences between the shown and the real value: fields that are missing or have another type.
 * @param {any} shown
 * @param {any} real
 * @param {string} [path]
 * @returns {string[]}
 */
export function shapeDifferences(shown, real, path = '') {
  if (real === undefined) return [`${path}: nothing has it`];
  if (shown === null || real === null) return [];
  if (Array.isArray(shown) !== Array.isArray(real) || typeof shown !== typeof real)
    return [`${path}: shown ${typeof shown}, is ${typeof real}`];
  if (Array.isArray(shown))
    return shown.slice(0, 1).flatMap((one) => (real.length === 0 ? [] : shapeDifferences(one, real[0], `${path}[0]`)));
  if (typeof shown !== 'object') return [];
  return Object.keys(shown).flatMap((key) => shapeDifferences(shown[key], real[key], `${path}.${key}`));
}
