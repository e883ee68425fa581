// @ts-check
'use strict';

/**
 * @typedef {import('./conversation.js').Conversation} Conversation
 * @typedef {import('./conversation.js').Decision} Decision
 * @typedef {import('./engine.js').Engine} Engine
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
  const indices = mergeAscending(decision.dropped, decision.rows);
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
  for (let edit = 0; edit < decision.rows.length; edit++) {
    if (decision.rules[edit] !== rule) continue;
    for (const path of conversation.groupKeysOf(/** @type {number} */ (decision.rows[edit]), rule)) {
      const count = counts.get(path);
      const units = /** @type {number} */ (decision.unitsRemoved[edit]);
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
 * @param {number[]} a ascending
 * @param {number[]} b ascending
 * @returns {number[]}
 */
function mergeAscending(a, b) {
  if (a.length === 0) return b.slice();
  if (b.length === 0) return a.slice();
  return [...a, ...b].sort((left, right) => left - right);
}

module.exports = { buildReport };
