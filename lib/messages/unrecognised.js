// @ts-check
'use strict';

/**
 * Count of messages that no dialect can read, for each detected form.
 * @typedef {import('./form.js').Form} Form
 * @typedef {Readonly<Partial<Record<Form, number>>>} FormCounts
 */

/** @param {Iterable<Form>} forms one for each unreadable message @returns {FormCounts} */
function countForms(forms) {
  /** @type {Partial<Record<Form, number>>} */
  const counts = {};
  for (const form of forms) counts[form] = (counts[form] ?? 0) + 1;
  return Object.freeze(counts);
}

/** @param {FormCounts} counts */
function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

module.exports = { countForms, total };
