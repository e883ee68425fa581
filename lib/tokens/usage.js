// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');
const { safely } = require('../plain-data.js');
const { reportsIn } = require('../messages/message-fields.js');

/** Finds a provider's usage reports on messages, and reads their numbers; the core decides what these mean. */

/** A list of details has an element for each request of a turn; a sparse one may claim billions. */ const MAX_ELEMENTS = 1_000;

/** Names of the fields with a report, and paths of the figures in it; `*` is each element of a list. */
const usageNames = once(() => {
  const { reports, figures } = native.usageNames();
  return { reports, figures: figures.map((name) => name.split('.')) };
});

/** The numbers at the paths that the core knows; null for a figure that can't be read. @param {unknown} report @returns {(number | null)[]} */
const figuresOf = (report) => usageNames().figures.map((path) => safely(() => figureAt(report, path, 0)) ?? null);

/** The number at `path` from element `depth` on; the sum over a list. @param {any} value @param {readonly string[]} path @param {number} depth @returns {number | null} */
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
  const values = usageNames().reports.map((field) => holder?.[field]);
  return values.filter((value) => value !== null && typeof value === 'object');
}

/** The first usage report on a message from `start` on. @param {readonly any[]} messages @param {number} start @returns {object | undefined} */
function reportSince(messages, start) {
  for (let index = start; index < messages.length; index++) {
    // An unreadable message has no report.
    const reports = safely(() => reportsIn(messages[index]).flatMap(reportsOn));
    if (reports?.[0] !== undefined) return reports[0];
  }
  return undefined;
}

module.exports = { figuresOf, reportsOn, reportSince };
