// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

/** Reads the numbers of a provider's usage report; the core decides what they mean. */

/** A list of details has an element for each request of a turn; a sparse one may claim billions. */
const MAX_ELEMENTS = 1_000;

/** Names of the fields with a report, and paths of the figures in it; `*` is each element of a list. */
const usageNames = once(() => {
  const { reports, figures } = native.usageNames();
  return { reports, figures: figures.map((name) => name.split('.')) };
});

/**
 * The numbers under the field names that the core knows; null for a figure that can't be read.
 * @param {unknown} report @returns {(number | null)[]}
 */
function figuresOf(report) {
  return usageNames().figures.map((path) => {
    try {
      return figureAt(report, path, 0);
    } catch {
      return null;
    }
  });
}

/** @param {any} value @param {readonly string[]} path @param {number} depth @returns {number | null} */
function figureAt(value, path, depth) {
  const name = path[depth];
  if (name === undefined) return typeof value === 'number' ? value : null;
  if (name !== '*') return figureAt(value?.[name], path, depth + 1);
  if (!Array.isArray(value) || value.length > MAX_ELEMENTS) return null;
  const figures = value.map((element) => figureAt(element, path, depth + 1)).filter((figure) => figure !== null);
  return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure);
}

/** The usage reports in an object's fields. @param {any} holder such as a message @returns {object[]} @throws whatever a proxy or an accessor throws */
function reportsOn(holder) {
  const found = [];
  for (const field of usageNames().reports) {
    const report = holder?.[field];
    if (report !== null && typeof report === 'object') found.push(report);
  }
  return found;
}

module.exports = { figuresOf, reportsOn };
