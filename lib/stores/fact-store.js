// @ts-check
'use strict';

/** Checks a view's store of facts, and limits how long a request waits for an archive. */

const { readFunction } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { bounded } = require('./bounded.js');

/** @param {string} name of the option @param {any} value @returns {import('../entry/types/fact-store.js').FactStore} */
function readFactStore(name, value) {
  if (value === null || typeof value !== 'object') throw wrongType(name, 'a FactStore', value);
  for (const method of ['appendFacts', 'facts']) readFunction(`${name}.${method}`, value[method]);
  return value;
}

/**
 * A conversation's compression options with an archive bound to the session `sessionId`, for which a request waits `timeoutMs`. Originals that are
 * not archived in time stay in the summary's record.
 * @template T @param {T} compression @param {{ timeoutMs: number, sessionId: string }} request @returns {T}
 */
function withArchive(compression, { timeoutMs, sessionId }) {
  const { archive } = /** @type {any} */ (compression ?? {});
  if (archive === undefined || archive === null) return compression;
  /** @param {string} session @param {any} batch @param {{ signal?: AbortSignal }} [options] */
  const append = (session, batch, { signal } = {}) => {
    const ask = (/** @type {AbortSignal} */ ending) => archive.append(session, batch, { signal: ending });
    return bounded(ask, { leftMs: timeoutMs, signal });
  };
  return /** @type {any} */ ({ ...compression, sessionId, archive: { __proto__: archive, append } });
}

module.exports = { readFactStore, withArchive };
