// @ts-check
'use strict';

const { EDIT_NUMBERS } = require('./wire.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {import('./conversation.js').Savings} Savings
 */

/**
 * What a decision comes to, frozen: the same report is handed out again while nothing changes.
 * @param {Engine} engine
 * @param {Conversation} conversation
 * @param {Decision} decision
 * @returns {import('../../index.js').CleanupReport}
 */
function buildReport(engine, conversation, decision) {
  /** @type {Record<string, import('../../index.js').RuleReport>} */
  const byRule = {};
  let [changed, unitsRemoved, estimatedTokensSaved] = [0, 0, 0];
  decision.savings.forEach((savings, slot) => {
    const name = slot === 0 ? 'orphans' : /** @type {string} */ (engine.ruleNames[slot - 1]);
    if (slot === 0 && !engine.dropsOrphans) return;
    changed += savings.changed;
    unitsRemoved += savings.unitsRemoved;
    estimatedTokensSaved += savings.estimatedTokensSaved;
    const byPath = slot > 0 && engine.byPath[slot - 1] ? countByPath(conversation, decision, slot - 1) : undefined;
    define(byRule, name, Object.freeze(byPath === undefined ? savings : { ...savings, byPath }));
  });
  const indices = changedIndices(decision);
  return Object.freeze({
    changed,
    indices: Object.freeze(indices),
    unitsRemoved,
    estimatedTokensSaved,
    byRule: Object.freeze(byRule),
  });
}

/**
 * @param {Conversation} conversation
 * @param {Decision} decision
 * @param {number} rule
 */
function countByPath(conversation, decision, rule) {
  /** @type {Map<string, { changed: number, unitsRemoved: number }>} */
  const counts = new Map();
  const { edits } = decision;
  for (let at = 0; at < edits.length; at += EDIT_NUMBERS) {
    if (edits[at + 1] !== rule) continue;
    const units = /** @type {number} */ (edits[at + 2]);
    for (const path of conversation.groupKeysOf(/** @type {number} */ (edits[at]), rule)) {
      const count = counts.get(path);
      if (count === undefined) {
        counts.set(path, { changed: 1, unitsRemoved: units });
      } else {
        count.changed += 1;
        count.unitsRemoved += units;
      }
    }
  }
  /** @type {Record<string, { changed: number, unitsRemoved: number }>} */
  const byPath = {};
  for (const [path, count] of counts) define(byPath, path, Object.freeze(count));
  return Object.freeze(byPath);
}

/**
 * Assignment would set the prototype for a file called `__proto__`.
 * @template T
 * @param {Record<string, T>} record
 * @param {string} key
 * @param {T} value
 */
function define(record, key, value) {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[key] = value;
  }
}

/**
 * Both kinds of change, ascending.
 * @param {Decision} decision
 * @returns {number[]}
 */
function changedIndices({ dropped, edits }) {
  const indices = [];
  let next = 0;
  for (let at = 0; at < edits.length; at += EDIT_NUMBERS) {
    const row = /** @type {number} */ (edits[at]);
    while (next < dropped.length && /** @type {number} */ (dropped[next]) < row)
      indices.push(/** @type {number} */ (dropped[next++]));
    indices.push(row);
  }
  while (next < dropped.length) indices.push(/** @type {number} */ (dropped[next++]));
  return indices;
}

module.exports = { buildReport };
